import Foundation
import IsoboxNative

/// The handle of a stream, as it crosses.
protocol NativeStream: Sendable {
    associatedtype Element: Sendable
    func next(cancel: CancelToken) async throws -> Element?
    func close(cancel: CancelToken) async throws
}

/// Things that come one by one. Nothing is read ahead: who does not ask slows down who sends, and nothing else. It ends what it came
/// from with its last handle, so breaking out of a loop is enough.
public struct SandboxStream<Element: Sendable>: AsyncSequence, Sendable {
    private let pull: @Sendable (CancelToken) async throws -> Element?
    private let end: @Sendable (CancelToken) async throws -> Void

    init<Native: NativeStream>(_ native: Native) where Native.Element == Element {
        pull = { @Sendable cancel in try await native.next(cancel: cancel) }
        end = { @Sendable cancel in try await native.close(cancel: cancel) }
    }

    /// The next one; none at the end, after a failure, and once it is closed. Several callers share what comes.
    public func next() async throws -> Element? {
        try await cancellable { try await pull($0) }
    }

    /// Ends it and what it came from, also under a caller that waits for the next one. Again is fine.
    public func close() async throws {
        try await cancellable { try await end($0) }
    }

    /// One reader of it.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let stream: SandboxStream

        /// The next one; none at the end.
        public mutating func next() async throws -> Element? {
            try await stream.next()
        }
    }

    /// A reader; several share what comes.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(stream: self)
    }
}
