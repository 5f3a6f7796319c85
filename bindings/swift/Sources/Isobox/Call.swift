import Foundation
import IsoboxNative

/// Ends the sandboxes of this process when it exits, and all threads of the library.
private let endsWithProcess: Void = { atexit { IsoboxNative.end() } }()

/// A call that ends when its task is cancelled, with everything that it began.
func cancellable<Value>(_ call: (CancelToken) async throws -> Value) async throws -> Value {
    _ = endsWithProcess
    let token = CancelToken()
    do {
        return try await withTaskCancellationHandler {
            try await call(token)
        } onCancel: {
            token.cancel()
        }
    } catch Failure.Cancelled {
        throw CancellationError()
    } catch Failure.Failed(let error) {
        throw error
    }
}

extension Sandbox {
    /// Runs the body with this sandbox, and deletes it at the end, also when the body throws or its task is cancelled.
    @discardableResult
    public func use<Value>(_ body: (Sandbox) async throws -> Value) async throws -> Value {
        let value: Value
        do {
            value = try await body(self)
        } catch {
            // What the body threw says more than how the deletion went.
            try? await deleteAnyway()
            throw error
        }
        try await deleteAnyway()
        return value
    }

    /// In a task of its own, which nobody cancels.
    private func deleteAnyway() async throws {
        try await Task { try await delete() }.value
    }
}
