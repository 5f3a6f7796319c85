import Foundation
import Isobox
import IsoboxNative
import Testing

@Suite struct LifeTests {
    @Test func aDeletedSandboxIsGone() async throws {
        try await withSandbox { sandbox in
            try await sandbox.delete()
            let error = try await failure { try await sandbox.exec(["true"]) }
            #expect(error.code == .sandboxGone || error.code == .notFound)
        }
    }

    @Test func aNameFindsItAndAListHasIt() async throws {
        try await withSandbox { _ in
            let made = try await Sandbox.getOrCreate(name: "shared", labels: ["suite": "swift"], ttl: 60)
            try await made.use { sandbox in
                #expect(try await Sandbox.connect("shared").id == sandbox.id)
                let listed = try await Sandbox.list(labels: ["suite": "swift"])
                #expect(listed.map(\.name) == ["shared"] && listed.map(\.state) == [.running])
            }
            #expect(try await Sandbox.list(labels: ["suite": "swift"]).isEmpty)
        }
    }

    @Test func itIsDeletedWhenItsTaskIsCancelled() async throws {
        try await withSandbox { _ in
            let made = try await Sandbox.create(name: "cancelled")
            let task = Task { try await made.use { try await $0.exec(["sleep", "1000"]) } }
            while try await running(in: made).isEmpty {}
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(try await failure { try await Sandbox.connect("cancelled") }.code == .notFound)
        }
    }

    @Test func aDeathIsToldWithItsCause() async throws {
        try await withSandbox { _ in
            let sandbox = try await Sandbox.create(ttl: 0.5)
            #expect(try await sandbox.ended()?.cause == .expired)
            let error = try await failure { try await sandbox.exec(["true"]) }
            #expect(error.code == .sandboxGone && error.postMortem?.cause == .expired)
        }
    }

    @Test func whatItIsMadeOfReachesIt() async throws {
        try await withSandbox { _ in
            let place = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: place) }
            try "here".write(to: place.appending(path: "file"), atomically: true, encoding: .utf8)
            let mounts: [Mount] = [.bind(source: place.path, target: "/there", readOnly: true), .tmpfs(target: "/fast", size: "1m")]
            try await Sandbox.create(env: ["GREETING": "hello"], mounts: mounts, network: .nothing).use { sandbox in
                let result = try await sandbox.exec("cat /there/file; echo $GREETING")
                #expect(result.stdout == "herehello\n")
                #expect(try await !sandbox.exec(["touch", "/there/new"]).ok)
                #expect(try await sandbox.exec(["touch", "/fast/new"]).ok)
                #expect(sandbox.workdir.hasPrefix("/") && !sandbox.capabilities.isEmpty)
            }
        }
    }

    @Test func noTextFormShowsASecret() {
        let secret = Secret(env: "TOKEN", value: "s3cret", delivery: .exposed)
        var dumped = ""
        dump([secret], to: &dumped)
        #expect(!"\(secret) \([secret]) \(dumped)".contains("s3cret"))
        #expect(!String(reflecting: secret).contains("s3cret"))
    }

    @Test func eventsTellWhatHappened() async throws {
        try await withSandbox { _ in
            let isobox = try await Isobox.shared()
            let events = try await isobox.events()
            let id = try await Sandbox.create().use { $0.id }
            for try await event in events where event.subject == id || event.id == id {
                return
            }
            Issue.record("no event")
        }
    }

    @Test func aSessionKeepsItsState() async throws {
        try await withSandbox { sandbox in
            let session = try await sandbox.session()
            _ = try await session.run("cd /tmp; A=1")
            let output = try await session.run("pwd; echo $A", timeout: 10)
            #expect(output.output.contains("/tmp") && output.output.contains("1") && output.exitCode == 0)
            try await session.close()
        }
    }

    @Test func aPanicIsAnErrorOfItsCallAlone() async throws {
        try await withSandbox { sandbox in
            do {
                _ = try await IsoboxNative.panicOnPurpose(cancel: CancelToken())
                Issue.record("no error")
            } catch Failure.Failed(let error) {
                #expect(error.code == .internal)
            }
            #expect(try await sandbox.exec(["echo", "on"]).stdout == "on\n")
        }
    }
}
