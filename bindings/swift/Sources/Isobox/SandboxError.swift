import Foundation
import IsoboxNative

/// The error of every call, with a stable `code` and all that is known. A call whose task was cancelled throws `CancellationError` instead.
public typealias SandboxError = IsoboxNative.SandboxError

extension SandboxError: LocalizedError, CustomStringConvertible {
    /// What happened, to what, and what to do about it.
    public var errorDescription: String? { message }

    /// The code and the message. What a command wrote is in the detail alone.
    public var description: String { "\(code): \(message)" }

    /// How the command failed whose success was asked for.
    public var failure: ExecFailure? {
        if case .exec(let failure) = detail { failure } else { nil }
    }

    /// How the sandbox died.
    public var postMortem: PostMortem? {
        if case .died(let postMortem) = detail { postMortem } else { nil }
    }
}
