import Foundation
import Isobox

/// Books of their own for these tests, before the library is opened for the first time. A path of a socket has 107 bytes, so it is short.
private let home: Void = {
    let place = FileManager.default.temporaryDirectory.appending(path: "isobox-swift-\(UUID().uuidString.prefix(8))")
    setenv("ISOBOX_HOME", place.path, 1)
}()

/// See there.
func ownBooks() {
    _ = home
}

/// Runs the body with a sandbox of its own.
func withSandbox(_ body: (Sandbox) async throws -> Void) async throws {
    ownBooks()
    try await Sandbox.create().use(body)
}

/// The commands that run in a sandbox.
func running(in sandbox: Sandbox) async throws -> [String] {
    try await sandbox.processes().filter { $0.exit == nil }.map(\.id)
}

/// The error of a call that must fail.
func failure(_ call: () async throws -> some Any) async throws -> SandboxError {
    do {
        _ = try await call()
    } catch let error as SandboxError {
        return error
    }
    throw NoFailure()
}

/// It succeeded, and should not have.
struct NoFailure: Error {}
