import Foundation
import Isobox
import Testing

/// Every piece of Swift of the guide and of the first page, as it is there.
@Suite struct GuideTests {
    init() {
        ownBooks()
    }

    @Test func itIsHereWordForWord() throws {
        let here = URL(filePath: #filePath)
        let root = (0..<5).reduce(here) { place, _ in place.deletingLastPathComponent() }
        let tests = lines(try String(contentsOf: here, encoding: .utf8)).joined(separator: "\n")
        for page in ["README.md", "docs/guide/swift.md"] {
            let parts = try String(contentsOf: root.appending(path: page), encoding: .utf8).components(separatedBy: "```swift\n")
            #expect(parts.count > 1, "\(page)")
            for part in parts.dropFirst() {
                let piece = lines(part.components(separatedBy: "\n```")[0]).filter { !$0.hasPrefix("import ") }
                #expect(tests.contains(piece.joined(separator: "\n")), "\(page): \(piece)")
            }
        }
    }

    /// Without what differs by where it stands.
    private func lines(_ text: String) -> [String] {
        text.components(separatedBy: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    @Test func theFirstLines() async throws {
        let sandbox = try await Sandbox.create()
        let result = try await sandbox.exec(["python3", "-c", "print(6 * 7)"])
        print(result.stdout, result.exitCode)
        try await sandbox.delete()
    }

    @Test func atTheEnd() async throws {
        try await Sandbox.create(name: "build", ttl: 600).use { sandbox in
            try await sandbox.exec("echo done > log", cwd: "/tmp")
        }
    }

    @Test func commands() async throws {
        try await Sandbox.create().use { sandbox in
            var result = try await sandbox.exec(["printf", "%s", "$HOME; a b"])
            #expect(result.stdout == "$HOME; a b")

            result = try await sandbox.exec("echo out; echo err >&2; exit 3", env: ["A": "b"], cwd: "/tmp")
            #expect(result.exitCode == 3 && !result.ok && result.stderr == "err\n")

            result = try await sandbox.exec("echo before; sleep 100", timeout: 0.3)
            #expect(result.timedOut && result.stdout == "before\n")

            result = try await sandbox.exec(["cat"], input: Data([0, 255]))
            #expect(result.stdoutBytes == Data([0, 255]))

            let words = ["echo", "from a variable"]
            result = try await sandbox.exec(.argv(words))
            #expect(result.stdout == "from a variable\n")
        }
    }

    @Test func cancelling() async throws {
        try await Sandbox.create().use { sandbox in
            let task = Task { try await sandbox.exec(["sleep", "100"]) }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }

    @Test func whileItRuns() async throws {
        try await Sandbox.create().use { sandbox in
            let process = try await sandbox.spawn("while read line; do echo got $line; done", stdin: true)
            try await process.write("one\n")
            try await process.closeStdin()
            for try await event in process.events() {
                switch event {
                case .stdout(let data): #expect(data == Data("got one\n".utf8))
                case .exited(let exit): #expect(exit.exitCode == 0)
                case .stderr, .gap: break
                }
            }
        }
    }

    @Test func files() async throws {
        try await Sandbox.create().use { sandbox in
            let files = sandbox.files
            try await files.write("notes/today.txt", data: "remember")
            #expect(try await files.readText("notes/today.txt") == "remember")
            #expect(try await files.list("notes").map(\.path) == ["today.txt"])

            let writer = try await files.writeStream("large")
            for _ in 0..<4 {
                try await writer.write(Data(count: 1_000_000))
            }
            try await writer.close()
            var count = 0
            for try await part in try await files.readStream("large") {
                count += part.count
            }
            #expect(count == 4_000_000)
        }
    }

    @Test func errors() async throws {
        try await Sandbox.create(ttl: 1).use { sandbox in
            do {
                try await sandbox.exec(["false"], check: true)
            } catch let error as SandboxError where error.code == .commandFailed {
                #expect(error.failure?.exitCode == 1)
            }

            do {
                _ = try await sandbox.files.read("missing")
            } catch let error as SandboxError {
                guard case .file(_, _, let kind) = error.detail else { throw error }
                #expect(kind == .notFound)
            }

            #expect(try await sandbox.ended()?.cause == .expired)
        }
    }

    @Test func theFirstPage() async throws {
        try await Sandbox.create().use { sandbox in
            var result = try await sandbox.exec(["python3", "-c", "print(6 * 7)"])            // a list: no shell
            assert(result.stdout == "42\n")

            result = try await sandbox.exec("sleep 1000 & sleep 1000", timeout: 1)            // a text: sh -c
            assert(result.timedOut)                                                           // and neither sleep runs any more

            try await sandbox.files.write("notes.txt", data: "remember")
            let text = try await sandbox.files.readText("notes.txt")
            assert(text == "remember")
        }
    }
}
