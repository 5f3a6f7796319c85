import Foundation
import Isobox
import Testing

@Suite struct CommandTests {
    @Test func aListIsRunAsItIs() async throws {
        try await withSandbox { sandbox in
            let result = try await sandbox.exec(["echo", "$HOME", "a b", ";"])
            #expect(result.stdout == "$HOME a b ;\n" && result.exitCode == 0 && result.ok)
            let words = ["printf", "%s", "a b"]
            #expect(try await sandbox.exec(.argv(words)).stdout == "a b")
        }
    }

    @Test func aTextIsAScript() async throws {
        try await withSandbox { sandbox in
            let result = try await sandbox.exec("echo out; echo err >&2; exit 3")
            #expect(result.stdout == "out\n" && result.stderr == "err\n" && result.exitCode == 3 && !result.ok)
        }
    }

    @Test func bytesCrossUnchanged() async throws {
        try await withSandbox { sandbox in
            let everything = Data(1...255)
            let result = try await sandbox.exec(["printf", "%s", everything], env: ["A": "1", "B": everything])
            #expect(result.stdoutBytes == everything)
            #expect(try await sandbox.exec(["cat"], input: Data([0, 255, 0])).stdoutBytes == Data([0, 255, 0]))
            #expect(try await sandbox.exec(["cat"], input: "grüße").stdout == "grüße")
            #expect(try await sandbox.exec(["pwd"], cwd: "/tmp").stdout == "/tmp\n")
        }
    }

    @Test func aTimeoutIsAResultWithWhatWasWritten() async throws {
        try await withSandbox { sandbox in
            let result = try await sandbox.exec("echo before; sleep 100", timeout: 0.2)
            #expect(result.timedOut && !result.ok && result.stdout == "before\n")
            #expect(result.duration > 0.15 && result.duration < 20)
        }
    }

    @Test func aFailureIsAnErrorWhenSuccessIsAskedFor() async throws {
        try await withSandbox { sandbox in
            #expect(try await sandbox.exec(["true"], check: true).ok)
            let error = try await failure { try await sandbox.exec("echo told; exit 4", check: true, label: "the build") }
            #expect(error.code == .commandFailed && error.fault == .program && error.sandbox == sandbox.id)
            #expect("\(error.code)" == "command_failed")
            #expect(error.failure?.exitCode == 4 && error.failure?.stdout == "told\n")
            #expect(!"\(error)".contains("told") && !error.localizedDescription.contains("told"))
        }
    }

    @Test func badInputIsRefusedWithItsName() async throws {
        try await withSandbox { sandbox in
            for timeout in [-1, Double.nan, Double.infinity] {
                let error = try await failure { try await sandbox.exec(["true"], timeout: timeout) }
                guard case .invalidSpec("timeout", _) = error.detail else {
                    Issue.record("\(error)")
                    continue
                }
            }
            #expect(try await failure { try await sandbox.exec([]) }.code == .invalidSpec)
            #expect(try await failure { try await Sandbox.create(memory: "lots") }.code == .invalidSpec)
        }
    }

    @Test func eventsComeAsTheyHappen() async throws {
        try await withSandbox { sandbox in
            let process = try await sandbox.spawn("echo one; read line; echo $line >&2", stdin: true)
            let events = process.events()
            #expect(try await events.next() == .stdout(data: Data("one\n".utf8)))
            try await process.write("two\n")
            #expect(try await events.next() == .stderr(data: Data("two\n".utf8)))
            guard case .exited(let exit) = try await events.next() else { throw NoFailure() }
            #expect(exit.exitCode == 0)
            #expect(try await events.next() == nil)
            #expect(try await process.wait().stdout == "one\n")
        }
    }

    @Test func aStreamCanBeLeft() async throws {
        try await withSandbox { sandbox in
            let process = try await sandbox.spawn("cat /dev/zero")
            var got = 0
            for try await event in process.events() {
                guard case .stdout(let data) = event else { break }
                got += data.count
                if got > 10_000_000 { break }
            }
            #expect(got > 10_000_000)
            try await process.kill()
            #expect(try await process.wait().termination == .killed)
        }
    }

    @Test func aStreamIsClosedUnderItsReader() async throws {
        try await withSandbox { sandbox in
            let process = try await sandbox.spawn(["sleep", "1000"])
            let events = process.events()
            let reader = Task { try await events.next() }
            try await events.close()
            #expect(try await reader.value == nil)
        }
    }

    @Test func cancellingATaskEndsItsCommand() async throws {
        try await withSandbox { sandbox in
            let task = Task { try await sandbox.exec(["sleep", "1000"]) }
            while try await running(in: sandbox).isEmpty {}
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            while try await !running(in: sandbox).isEmpty {}
        }
    }

    @Test func aProcessEndsWithItsHandle() async throws {
        try await withSandbox { sandbox in
            do {
                let process = try await sandbox.spawn(["sleep", "1000"])
                #expect(try await running(in: sandbox) == [process.id])
            }
            while try await !running(in: sandbox).isEmpty {}
        }
    }

    @Test func manyCallsAtOnce() async throws {
        try await withSandbox { sandbox in
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<200 {
                    group.addTask { try await sandbox.exec(["echo", "\(number)"]).stdout == "\(number)\n" }
                }
                for try await right in group {
                    #expect(right)
                }
            }
        }
    }
}
