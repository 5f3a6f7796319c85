import Foundation
import IsoboxNative

/// Text or bytes: `String`, which is taken as UTF-8, and `Data`. Arguments and paths are either.
public protocol BytesConvertible: Sendable {
    /// The bytes of it.
    var sandboxBytes: Data { get }
}

extension String: BytesConvertible {
    /// It as UTF-8.
    public var sandboxBytes: Data { Data(utf8) }
}

extension Data: BytesConvertible {
    /// Itself.
    public var sandboxBytes: Data { self }
}

/// What to run: a list is a program and its arguments and involves no shell, a text is a script for `sh -c`.
public typealias Program = IsoboxNative.Program

extension Program: ExpressibleByArrayLiteral, ExpressibleByStringInterpolation {
    /// A program and its arguments, as they are. No shell is involved.
    public static func argv(_ words: [any BytesConvertible]) -> Program {
        .list(words: words.map { $0.sandboxBytes })
    }

    /// A script for `sh -c`.
    public static func shell(_ script: any BytesConvertible) -> Program {
        .script(text: script.sandboxBytes)
    }

    /// A program and its arguments.
    public init(arrayLiteral words: any BytesConvertible...) {
        self = .argv(words)
    }

    /// A script for `sh -c`.
    public init(stringLiteral script: String) {
        self = .shell(script)
    }
}

/// A size in bytes: a number, or a text such as `512m` or `1.5g` with powers of 1024.
public typealias Size = IsoboxNative.Size

extension Size: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
    /// That many bytes.
    public init(integerLiteral count: UInt64) {
        self = .bytes(count: count)
    }

    /// As people write it.
    public init(stringLiteral text: String) {
        self = .text(text: text)
    }
}

/// How long something may exist: seconds, or `.never` for what does not end by itself.
public typealias Lifetime = IsoboxNative.Lifetime

extension Lifetime: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
    /// It ends after that many seconds.
    public init(floatLiteral seconds: Double) {
        self = .after(seconds: seconds)
    }

    /// It ends after that many seconds.
    public init(integerLiteral seconds: UInt64) {
        self = .after(seconds: Double(seconds))
    }
}

/// What no text form shows the contents of.
protocol Secretive: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Secretive {
    /// Its kind alone.
    public var description: String { "\(Self.self)(…)" }
    /// Its kind alone.
    public var debugDescription: String { description }
    /// Nothing of it.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
