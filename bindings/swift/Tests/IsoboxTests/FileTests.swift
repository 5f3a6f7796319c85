import Foundation
import Isobox
import Testing

@Suite struct FileTests {
    @Test func whatIsWrittenIsRead() async throws {
        try await withSandbox { sandbox in
            let files = sandbox.files
            try await files.write("notes/today.txt", data: "remember", mode: 0o600)
            #expect(try await files.read("notes/today.txt") == Data("remember".utf8))
            #expect(try await files.readText("notes/today.txt") == "remember")
            #expect(try await files.read("notes/today.txt", offset: 2, length: 3) == Data("mem".utf8))
            let entries = try await files.list("notes")
            #expect(entries.map(\.path) == ["today.txt"] && entries.map(\.kind) == [.file] && entries.map(\.mode) == [0o600])
        }
    }

    @Test func namesThatAreNoTextCrossBothWays() async throws {
        try await withSandbox { sandbox in
            let name = Data([0x66, 0xff])
            try await sandbox.files.write(name, data: Data([0, 255]))
            let entry = try await sandbox.files.list(".").first { $0.path.hasPrefix("f") }
            #expect(entry?.pathBytes == name && entry?.path == "f\u{fffd}")
            #expect(try await sandbox.files.read(name) == Data([0, 255]))
            try await sandbox.files.symlink(name, path: "link")
            #expect(try await sandbox.files.statLink("link").linkTargetBytes == name)
        }
    }

    @Test func anErrorSaysWhichFileAndWhatIsWrong() async throws {
        try await withSandbox { sandbox in
            let error = try await failure { try await sandbox.files.read("missing") }
            #expect(error.code == .notFound)
            guard case .file(let path, _, let kind) = error.detail else { throw NoFailure() }
            #expect(path.hasSuffix("missing") && kind == .notFound)
        }
    }

    @Test func aFileOfAnyLengthGoesInParts() async throws {
        try await withSandbox { sandbox in
            let writer = try await sandbox.files.writeStream("large")
            for _ in 0..<4 {
                try await writer.write(Data(repeating: 7, count: 1_000_000))
            }
            #expect(try await writer.close() == 4_000_000)
            var count = 0
            for try await part in try await sandbox.files.readStream("large") {
                count += part.count
            }
            #expect(count == 4_000_000)
        }
    }

    @Test func directoriesGoInAndOut() async throws {
        try await withSandbox { sandbox in
            let place = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: place) }
            try "in".write(to: place.appending(path: "file"), atomically: true, encoding: .utf8)
            #expect(try await sandbox.files.upload(place.path, remote: "there").files == 1)
            #expect(try await sandbox.files.readText("there/file") == "in")
            let back = place.appending(path: "back").path
            #expect(try await sandbox.files.download("there", local: back).bytes == 2)
            #expect(try String(contentsOfFile: back + "/file", encoding: .utf8) == "in")
        }
    }
}
