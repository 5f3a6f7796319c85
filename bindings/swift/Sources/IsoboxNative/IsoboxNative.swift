// Written by `cargo xtask gen`: what UniFFI writes of bindings/swift. Do not edit.

// swiftlint:disable all
import Foundation

// Depending on the consumer's build setup, the low-level FFI code
// might be in a separate module, or it might be compiled inline into
// this module. This is a bit of light hackery to work with both.
#if canImport(IsoboxFFI)
import IsoboxFFI
#endif

fileprivate extension RustBuffer {
    // Allocate a new buffer, copying the contents of a `UInt8` array.
    init(bytes: [UInt8]) {
        let rbuf = bytes.withUnsafeBufferPointer { ptr in
            RustBuffer.from(ptr)
        }
        self.init(capacity: rbuf.capacity, len: rbuf.len, data: rbuf.data)
    }

    static func empty() -> RustBuffer {
        RustBuffer(capacity: 0, len:0, data: nil)
    }

    static func from(_ ptr: UnsafeBufferPointer<UInt8>) -> RustBuffer {
        try! rustCall { ffi_isobox_swift_rustbuffer_from_bytes(ForeignBytes(bufferPointer: ptr), $0) }
    }

    // Frees the buffer in place.
    // The buffer must not be used after this is called.
    func deallocate() {
        try! rustCall { ffi_isobox_swift_rustbuffer_free(self, $0) }
    }
}

fileprivate extension ForeignBytes {
    init(bufferPointer: UnsafeBufferPointer<UInt8>) {
        self.init(len: Int32(bufferPointer.count), data: bufferPointer.baseAddress)
    }

    init(rawBufferPointer: UnsafeRawBufferPointer) {
        self.init(
            len: Int32(rawBufferPointer.count),
            data: rawBufferPointer.baseAddress?.assumingMemoryBound(to: UInt8.self)
        )
    }
}

// Converter for `&[u8]` / `[ByRef] bytes` arguments.
//
// Conforms to `FfiConverter` so the compiler enforces the full converter
// method set. Only the scope-bound `lower(_:_body:)` overload is sound —
// zero-copy byte buffers only flow foreign -> Rust, and only in argument
// position. The four protocol-witness methods (`lift`, `lower`, `read`,
// `write`) `fatalError` at runtime if anyone reaches them.
//
// The scope-bound `lower` takes a closure because the `ForeignBytes`
// pointer is only guaranteed valid for the duration of
// `Data.withUnsafeBytes`. Callers must run the full FFI call inside
// the closure body.
fileprivate enum FfiConverterByRefBytes: FfiConverter {
    typealias SwiftType = Data
    typealias FfiType = ForeignBytes

    static func lower<R>(_ value: Data, _ body: (ForeignBytes) throws -> R) rethrows -> R {
        return try value.withUnsafeBytes { rawBuf in
            try body(ForeignBytes(rawBufferPointer: rawBuf))
        }
    }

    static func lower(_ value: Data) -> ForeignBytes {
        fatalError("ByRef bytes cannot use the plain lower: returning ForeignBytes escapes the Data.withUnsafeBytes scope. Use the scope-bound lower(_:_body:) overload instead.")
    }

    static func lift(_ value: ForeignBytes) throws -> Data {
        fatalError("ByRef bytes cannot be lifted: zero-copy &[u8] only flows foreign->Rust")
    }

    static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> Data {
        fatalError("ByRef bytes cannot be read from a buffer: zero-copy &[u8] is only supported in argument position, not nested in records/options/etc.")
    }

    static func write(_ value: Data, into buf: inout [UInt8]) {
        fatalError("ByRef bytes cannot be written to a buffer: zero-copy &[u8] is only supported in argument position, not nested in records/options/etc.")
    }
}

// For every type used in the interface, we provide helper methods for conveniently
// lifting and lowering that type from C-compatible data, and for reading and writing
// values of that type in a buffer.

// Helper classes/extensions that don't change.
// Someday, this will be in a library of its own.

fileprivate extension Data {
    init(rustBuffer: RustBuffer) {
        self.init(
            bytesNoCopy: rustBuffer.data!,
            count: Int(rustBuffer.len),
            deallocator: .none
        )
    }
}

// Define reader functionality.  Normally this would be defined in a class or
// struct, but we use standalone functions instead in order to make external
// types work.
//
// With external types, one swift source file needs to be able to call the read
// method on another source file's FfiConverter, but then what visibility
// should Reader have?
// - If Reader is fileprivate, then this means the read() must also
//   be fileprivate, which doesn't work with external types.
// - If Reader is internal/public, we'll get compile errors since both source
//   files will try define the same type.
//
// Instead, the read() method and these helper functions input a tuple of data

fileprivate func createReader(data: Data) -> (data: Data, offset: Data.Index) {
    (data: data, offset: 0)
}

// Reads an integer at the current offset, in big-endian order, and advances
// the offset on success. Throws if reading the integer would move the
// offset past the end of the buffer.
fileprivate func readInt<T: FixedWidthInteger>(_ reader: inout (data: Data, offset: Data.Index)) throws -> T {
    let range = reader.offset..<reader.offset + MemoryLayout<T>.size
    guard reader.data.count >= range.upperBound else {
        throw UniffiInternalError.bufferOverflow
    }
    if T.self == UInt8.self {
        let value = reader.data[reader.offset]
        reader.offset += 1
        return value as! T
    }
    var value: T = 0
    let _ = withUnsafeMutableBytes(of: &value, { reader.data.copyBytes(to: $0, from: range)})
    reader.offset = range.upperBound
    return value.bigEndian
}

// Reads an arbitrary number of bytes, to be used to read
// raw bytes, this is useful when lifting strings
fileprivate func readBytes(_ reader: inout (data: Data, offset: Data.Index), count: Int) throws -> Array<UInt8> {
    let range = reader.offset..<(reader.offset+count)
    guard reader.data.count >= range.upperBound else {
        throw UniffiInternalError.bufferOverflow
    }
    var value = [UInt8](repeating: 0, count: count)
    value.withUnsafeMutableBufferPointer({ buffer in
        reader.data.copyBytes(to: buffer, from: range)
    })
    reader.offset = range.upperBound
    return value
}

// Reads a float at the current offset.
fileprivate func readFloat(_ reader: inout (data: Data, offset: Data.Index)) throws -> Float {
    return Float(bitPattern: try readInt(&reader))
}

// Reads a float at the current offset.
fileprivate func readDouble(_ reader: inout (data: Data, offset: Data.Index)) throws -> Double {
    return Double(bitPattern: try readInt(&reader))
}

// Indicates if the offset has reached the end of the buffer.
fileprivate func hasRemaining(_ reader: (data: Data, offset: Data.Index)) -> Bool {
    return reader.offset < reader.data.count
}

// Define writer functionality.  Normally this would be defined in a class or
// struct, but we use standalone functions instead in order to make external
// types work.  See the above discussion on Readers for details.

fileprivate func createWriter() -> [UInt8] {
    return []
}

fileprivate func writeBytes<S>(_ writer: inout [UInt8], _ byteArr: S) where S: Sequence, S.Element == UInt8 {
    writer.append(contentsOf: byteArr)
}

// Writes an integer in big-endian order.
//
// Warning: make sure what you are trying to write
// is in the correct type!
fileprivate func writeInt<T: FixedWidthInteger>(_ writer: inout [UInt8], _ value: T) {
    var value = value.bigEndian
    withUnsafeBytes(of: &value) { writer.append(contentsOf: $0) }
}

fileprivate func writeFloat(_ writer: inout [UInt8], _ value: Float) {
    writeInt(&writer, value.bitPattern)
}

fileprivate func writeDouble(_ writer: inout [UInt8], _ value: Double) {
    writeInt(&writer, value.bitPattern)
}

// Protocol for types that transfer other types across the FFI. This is
// analogous to the Rust trait of the same name.
fileprivate protocol FfiConverter {
    associatedtype FfiType
    associatedtype SwiftType

    static func lift(_ value: FfiType) throws -> SwiftType
    static func lower(_ value: SwiftType) -> FfiType
    static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> SwiftType
    static func write(_ value: SwiftType, into buf: inout [UInt8])
}

// Types conforming to `Primitive` pass themselves directly over the FFI.
fileprivate protocol FfiConverterPrimitive: FfiConverter where FfiType == SwiftType { }

extension FfiConverterPrimitive {
#if swift(>=5.8)
    @_documentation(visibility: private)
#endif
    public static func lift(_ value: FfiType) throws -> SwiftType {
        return value
    }

#if swift(>=5.8)
    @_documentation(visibility: private)
#endif
    public static func lower(_ value: SwiftType) -> FfiType {
        return value
    }
}

// Types conforming to `FfiConverterRustBuffer` lift and lower into a `RustBuffer`.
// Used for complex types where it's hard to write a custom lift/lower.
fileprivate protocol FfiConverterRustBuffer: FfiConverter where FfiType == RustBuffer {}

extension FfiConverterRustBuffer {
#if swift(>=5.8)
    @_documentation(visibility: private)
#endif
    public static func lift(_ buf: RustBuffer) throws -> SwiftType {
        var reader = createReader(data: Data(rustBuffer: buf))
        let value = try read(from: &reader)
        if hasRemaining(reader) {
            throw UniffiInternalError.incompleteData
        }
        buf.deallocate()
        return value
    }

#if swift(>=5.8)
    @_documentation(visibility: private)
#endif
    public static func lower(_ value: SwiftType) -> RustBuffer {
          var writer = createWriter()
          write(value, into: &writer)
          return RustBuffer(bytes: writer)
    }
}
// An error type for FFI errors. These errors occur at the UniFFI level, not
// the library level.
fileprivate enum UniffiInternalError: LocalizedError {
    case bufferOverflow
    case incompleteData
    case unexpectedOptionalTag
    case unexpectedEnumCase
    case unexpectedNullPointer
    case unexpectedRustCallStatusCode
    case unexpectedRustCallError
    case unexpectedStaleHandle
    case rustPanic(_ message: String)

    public var errorDescription: String? {
        switch self {
        case .bufferOverflow: return "Reading the requested value would read past the end of the buffer"
        case .incompleteData: return "The buffer still has data after lifting its containing value"
        case .unexpectedOptionalTag: return "Unexpected optional tag; should be 0 or 1"
        case .unexpectedEnumCase: return "Raw enum value doesn't match any cases"
        case .unexpectedNullPointer: return "Raw pointer value was null"
        case .unexpectedRustCallStatusCode: return "Unexpected RustCallStatus code"
        case .unexpectedRustCallError: return "CALL_ERROR but no errorClass specified"
        case .unexpectedStaleHandle: return "The object in the handle map has been dropped already"
        case let .rustPanic(message): return message
        }
    }
}

fileprivate extension NSLock {
    func withLock<T>(f: () throws -> T) rethrows -> T {
        self.lock()
        defer { self.unlock() }
        return try f()
    }
}

fileprivate let CALL_SUCCESS: Int8 = 0
fileprivate let CALL_ERROR: Int8 = 1
fileprivate let CALL_UNEXPECTED_ERROR: Int8 = 2
fileprivate let CALL_CANCELLED: Int8 = 3

fileprivate extension RustCallStatus {
    init() {
        self.init(
            code: CALL_SUCCESS,
            errorBuf: RustBuffer.init(
                capacity: 0,
                len: 0,
                data: nil
            )
        )
    }
}

private func rustCall<T>(_ callback: (UnsafeMutablePointer<RustCallStatus>) -> T) throws -> T {
    let neverThrow: ((RustBuffer) throws -> Never)? = nil
    return try makeRustCall(callback, errorHandler: neverThrow)
}

private func rustCallWithError<T, E: Swift.Error>(
    _ errorHandler: @escaping (RustBuffer) throws -> E,
    _ callback: (UnsafeMutablePointer<RustCallStatus>) -> T) throws -> T {
    try makeRustCall(callback, errorHandler: errorHandler)
}

private func makeRustCall<T, E: Swift.Error>(
    _ callback: (UnsafeMutablePointer<RustCallStatus>) -> T,
    errorHandler: ((RustBuffer) throws -> E)?
) throws -> T {
    uniffiEnsureIsoboxSwiftInitialized()
    var callStatus = RustCallStatus.init()
    let returnedVal = callback(&callStatus)
    try uniffiCheckCallStatus(callStatus: callStatus, errorHandler: errorHandler)
    return returnedVal
}

private func uniffiCheckCallStatus<E: Swift.Error>(
    callStatus: RustCallStatus,
    errorHandler: ((RustBuffer) throws -> E)?
) throws {
    switch callStatus.code {
        case CALL_SUCCESS:
            return

        case CALL_ERROR:
            if let errorHandler = errorHandler {
                throw try errorHandler(callStatus.errorBuf)
            } else {
                callStatus.errorBuf.deallocate()
                throw UniffiInternalError.unexpectedRustCallError
            }

        case CALL_UNEXPECTED_ERROR:
            // When the rust code sees a panic, it tries to construct a RustBuffer
            // with the message.  But if that code panics, then it just sends back
            // an empty buffer.
            if callStatus.errorBuf.len > 0 {
                throw UniffiInternalError.rustPanic(try FfiConverterString.lift(callStatus.errorBuf))
            } else {
                callStatus.errorBuf.deallocate()
                throw UniffiInternalError.rustPanic("Rust panic")
            }

        case CALL_CANCELLED:
            fatalError("Cancellation not supported yet")

        default:
            throw UniffiInternalError.unexpectedRustCallStatusCode
    }
}

private func uniffiTraitInterfaceCall<T>(
    callStatus: UnsafeMutablePointer<RustCallStatus>,
    makeCall: () throws -> T,
    writeReturn: (T) -> ()
) {
    do {
        try writeReturn(makeCall())
    } catch let error {
        callStatus.pointee.code = CALL_UNEXPECTED_ERROR
        callStatus.pointee.errorBuf = FfiConverterString.lower(String(describing: error))
    }
}

private func uniffiTraitInterfaceCallWithError<T, E>(
    callStatus: UnsafeMutablePointer<RustCallStatus>,
    makeCall: () throws -> T,
    writeReturn: (T) -> (),
    lowerError: (E) -> RustBuffer
) {
    do {
        try writeReturn(makeCall())
    } catch let error as E {
        callStatus.pointee.code = CALL_ERROR
        callStatus.pointee.errorBuf = lowerError(error)
    } catch {
        callStatus.pointee.code = CALL_UNEXPECTED_ERROR
        callStatus.pointee.errorBuf = FfiConverterString.lower(String(describing: error))
    }
}
// Initial value and increment amount for handles.
// These ensure that SWIFT handles always have the lowest bit set
fileprivate let UNIFFI_HANDLEMAP_INITIAL: UInt64 = 1
fileprivate let UNIFFI_HANDLEMAP_DELTA: UInt64 = 2

fileprivate final class UniffiHandleMap<T>: @unchecked Sendable {
    // All mutation happens with this lock held, which is why we implement @unchecked Sendable.
    private let lock = NSLock()
    private var map: [UInt64: T] = [:]
    private var currentHandle: UInt64 = UNIFFI_HANDLEMAP_INITIAL

    func insert(obj: T) -> UInt64 {
        lock.withLock {
            return doInsert(obj)
        }
    }

    // Low-level insert function, this assumes `lock` is held.
    private func doInsert(_ obj: T) -> UInt64 {
        let handle = currentHandle
        currentHandle += UNIFFI_HANDLEMAP_DELTA
        map[handle] = obj
        return handle
    }

     func get(handle: UInt64) throws -> T {
        try lock.withLock {
            guard let obj = map[handle] else {
                throw UniffiInternalError.unexpectedStaleHandle
            }
            return obj
        }
    }

     func clone(handle: UInt64) throws -> UInt64 {
        try lock.withLock {
            guard let obj = map[handle] else {
                throw UniffiInternalError.unexpectedStaleHandle
            }
            return doInsert(obj)
        }
    }

    @discardableResult
    func remove(handle: UInt64) throws -> T {
        try lock.withLock {
            guard let obj = map.removeValue(forKey: handle) else {
                throw UniffiInternalError.unexpectedStaleHandle
            }
            return obj
        }
    }

    var count: Int {
        get {
            map.count
        }
    }
}


// Public interface members begin here.


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
fileprivate struct FfiConverterUInt16: FfiConverterPrimitive {
    typealias FfiType = UInt16
    typealias SwiftType = UInt16

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> UInt16 {
        return try lift(readInt(&buf))
    }

    public static func write(_ value: SwiftType, into buf: inout [UInt8]) {
        writeInt(&buf, lower(value))
    }
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
fileprivate struct FfiConverterUInt32: FfiConverterPrimitive {
    typealias FfiType = UInt32
    typealias SwiftType = UInt32

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> UInt32 {
        return try lift(readInt(&buf))
    }

    public static func write(_ value: SwiftType, into buf: inout [UInt8]) {
        writeInt(&buf, lower(value))
    }
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
fileprivate struct FfiConverterInt32: FfiConverterPrimitive {
    typealias FfiType = Int32
    typealias SwiftType = Int32

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> Int32 {
        return try lift(readInt(&buf))
    }

    public static func write(_ value: Int32, into buf: inout [UInt8]) {
        writeInt(&buf, lower(value))
    }
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
fileprivate struct FfiConverterUInt64: FfiConverterPrimitive {
    typealias FfiType = UInt64
    typealias SwiftType = UInt64

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> UInt64 {
        return try lift(readInt(&buf))
    }

    public static func write(_ value: SwiftType, into buf: inout [UInt8]) {
        writeInt(&buf, lower(value))
    }
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
fileprivate struct FfiConverterDouble: FfiConverterPrimitive {
    typealias FfiType = Double
    typealias SwiftType = Double

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> Double {
        return try lift(readDouble(&buf))
    }

    public static func write(_ value: Double, into buf: inout [UInt8]) {
        writeDouble(&buf, lower(value))
    }
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
fileprivate struct FfiConverterBool : FfiConverter {
    typealias FfiType = Int8
    typealias SwiftType = Bool

    public static func lift(_ value: Int8) throws -> Bool {
        return value != 0
    }

    public static func lower(_ value: Bool) -> Int8 {
        return value ? 1 : 0
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> Bool {
        return try lift(readInt(&buf))
    }

    public static func write(_ value: Bool, into buf: inout [UInt8]) {
        writeInt(&buf, lower(value))
    }
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
fileprivate struct FfiConverterString: FfiConverter {
    typealias SwiftType = String
    typealias FfiType = RustBuffer

    public static func lift(_ value: RustBuffer) throws -> String {
        defer {
            value.deallocate()
        }
        if value.data == nil {
            return String()
        }
        let bytes = UnsafeBufferPointer<UInt8>(start: value.data!, count: Int(value.len))
        // Use Swift's native UTF-8 decoder; `String(bytes:encoding:.utf8)` goes
        // through Foundation's NSString and silently strips a leading U+FEFF BOM.
        // Invalid UTF-8 substitutes U+FFFD instead of trapping (unreachable
        // given Rust's `String` invariant).
        return String(decoding: bytes, as: UTF8.self)
    }

    public static func lower(_ value: String) -> RustBuffer {
        return value.utf8CString.withUnsafeBufferPointer { ptr in
            // The swift string gives us int8_t, we want uint8_t.
            ptr.withMemoryRebound(to: UInt8.self) { ptr in
                // The swift string gives us a trailing null byte, we don't want it.
                let buf = UnsafeBufferPointer(rebasing: ptr.prefix(upTo: ptr.count - 1))
                return RustBuffer.from(buf)
            }
        }
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> String {
        let len: Int32 = try readInt(&buf)
        // See `lift` above for why we avoid Foundation's NSString-backed decoder here.
        return String(decoding: try readBytes(&buf, count: Int(len)), as: UTF8.self)
    }

    public static func write(_ value: String, into buf: inout [UInt8]) {
        let len = Int32(value.utf8.count)
        writeInt(&buf, len)
        writeBytes(&buf, value.utf8)
    }
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
fileprivate struct FfiConverterData: FfiConverterRustBuffer {
    typealias SwiftType = Data

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> Data {
        let len: Int32 = try readInt(&buf)
        return Data(try readBytes(&buf, count: Int(len)))
    }

    public static func write(_ value: Data, into buf: inout [UInt8]) {
        let len = Int32(value.count)
        writeInt(&buf, len)
        writeBytes(&buf, value)
    }
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
fileprivate struct FfiConverterTimestamp: FfiConverterRustBuffer {
    typealias SwiftType = Date

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> Date {
        let seconds: Int64 = try readInt(&buf)
        let nanoseconds: UInt32 = try readInt(&buf)
        // Build the Date from whole seconds first, then add the nanoseconds as a
        // separate TimeInterval.  Date stores CFAbsoluteTime (seconds since 2001),
        // so adding a small fraction to the ~7.8e8 base is twice as precise as
        // adding it to the ~1.76e9 Unix-epoch value, because the smaller magnitude
        // leaves more mantissa bits for the sub-second part.
        if seconds >= 0 {
            return Date(timeIntervalSince1970: Double(seconds))
                .addingTimeInterval(Double(nanoseconds) / 1.0e9)
        } else {
            return Date(timeIntervalSince1970: Double(seconds))
                .addingTimeInterval(-Double(nanoseconds) / 1.0e9)
        }
    }

    public static func write(_ value: Date, into buf: inout [UInt8]) {
        var delta = value.timeIntervalSince1970
        var sign: Int64 = 1
        if delta < 0 {
            // The nanoseconds portion of the epoch offset must always be
            // positive, to simplify the calculation we will use the absolute
            // value of the offset.
            sign = -1
            delta = -delta
        }
        if delta.rounded(.down) > Double(Int64.max) {
            fatalError("Timestamp overflow, exceeds max bounds supported by Uniffi")
        }
        let seconds = Int64(delta)
        let nanoseconds = UInt32((delta - Double(seconds)) * 1.0e9)
        writeInt(&buf, sign * seconds)
        writeInt(&buf, nanoseconds)
    }
}




/**
 * Things that come one by one.
 */
public protocol BytesStreamProtocol: AnyObject, Sendable {

    /**
     * Ends it and what it came from.
     */
    func close(cancel: CancelToken) async throws

    /**
     * The next one; none at the end.
     */
    func next(cancel: CancelToken) async throws  -> Data?

}
/**
 * Things that come one by one.
 */
open class BytesStream: BytesStreamProtocol, @unchecked Sendable {
    fileprivate let handle: UInt64

    /// Used to instantiate a [FFIObject] without an actual handle, for fakes in tests, mostly.
#if swift(>=5.8)
    @_documentation(visibility: private)
#endif
    public struct NoHandle {
        public init() {}
    }

    // TODO: We'd like this to be `private` but for Swifty reasons,
    // we can't implement `FfiConverter` without making this `required` and we can't
    // make it `required` without making it `public`.
#if swift(>=5.8)
    @_documentation(visibility: private)
#endif
    required public init(unsafeFromHandle handle: UInt64) {
        self.handle = handle
    }

    // This constructor can be used to instantiate a fake object.
    // - Parameter noHandle: Placeholder value so we can have a constructor separate from the default empty one that may be implemented for classes extending [FFIObject].
    //
    // - Warning:
    //     Any object instantiated with this constructor cannot be passed to an actual Rust-backed object. Since there isn't a backing handle the FFI lower functions will crash.
#if swift(>=5.8)
    @_documentation(visibility: private)
#endif
    public init(noHandle: NoHandle) {
        self.handle = 0
    }

#if swift(>=5.8)
    @_documentation(visibility: private)
#endif
    public func uniffiCloneHandle() -> UInt64 {
        return try! rustCall { uniffi_isobox_swift_fn_clone_bytesstream(self.handle, $0) }
    }
    // No primary constructor declared for this class.

    deinit {
        if handle == 0 {
            // Mock objects have handle=0 don't try to free them
            return
        }

        try! rustCall { uniffi_isobox_swift_fn_free_bytesstream(handle, $0) }
    }




    /**
     * Ends it and what it came from.
     */
open func close(cancel: CancelToken)async throws   {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_bytesstream_close(
                        self.uniffiCloneHandle(),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_void,
            completeFunc: ffi_isobox_swift_rust_future_complete_void,
            freeFunc: ffi_isobox_swift_rust_future_free_void,
            liftFunc: { $0 },
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * The next one; none at the end.
     */
open func next(cancel: CancelToken)async throws  -> Data?  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_bytesstream_next(
                        self.uniffiCloneHandle(),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_rust_buffer,
            completeFunc: ffi_isobox_swift_rust_future_complete_rust_buffer,
            freeFunc: ffi_isobox_swift_rust_future_free_rust_buffer,
            liftFunc: FfiConverterOptionData.lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}



}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeBytesStream: FfiConverter {
    typealias FfiType = UInt64
    typealias SwiftType = BytesStream

    public static func lift(_ handle: UInt64) throws -> BytesStream {
        return BytesStream(unsafeFromHandle: handle)
    }

    public static func lower(_ value: BytesStream) -> UInt64 {
        return value.uniffiCloneHandle()
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> BytesStream {
        let handle: UInt64 = try readInt(&buf)
        return try lift(handle)
    }

    public static func write(_ value: BytesStream, into buf: inout [UInt8]) {
        writeInt(&buf, lower(value))
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeBytesStream_lift(_ handle: UInt64) throws -> BytesStream {
    return try FfiConverterTypeBytesStream.lift(handle)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeBytesStream_lower(_ value: BytesStream) -> UInt64 {
    return FfiConverterTypeBytesStream.lower(value)
}






/**
 * Ends the call that it was given to.
 */
public protocol CancelTokenProtocol: AnyObject, Sendable {

    /**
     * Ends the call, and everything that it began.
     */
    func cancel()

}
/**
 * Ends the call that it was given to.
 */
open class CancelToken: CancelTokenProtocol, @unchecked Sendable {
    fileprivate let handle: UInt64

    /// Used to instantiate a [FFIObject] without an actual handle, for fakes in tests, mostly.
#if swift(>=5.8)
    @_documentation(visibility: private)
#endif
    public struct NoHandle {
        public init() {}
    }

    // TODO: We'd like this to be `private` but for Swifty reasons,
    // we can't implement `FfiConverter` without making this `required` and we can't
    // make it `required` without making it `public`.
#if swift(>=5.8)
    @_documentation(visibility: private)
#endif
    required public init(unsafeFromHandle handle: UInt64) {
        self.handle = handle
    }

    // This constructor can be used to instantiate a fake object.
    // - Parameter noHandle: Placeholder value so we can have a constructor separate from the default empty one that may be implemented for classes extending [FFIObject].
    //
    // - Warning:
    //     Any object instantiated with this constructor cannot be passed to an actual Rust-backed object. Since there isn't a backing handle the FFI lower functions will crash.
#if swift(>=5.8)
    @_documentation(visibility: private)
#endif
    public init(noHandle: NoHandle) {
        self.handle = 0
    }

#if swift(>=5.8)
    @_documentation(visibility: private)
#endif
    public func uniffiCloneHandle() -> UInt64 {
        return try! rustCall { uniffi_isobox_swift_fn_clone_canceltoken(self.handle, $0) }
    }
    /**
     * For one call.
     */
public convenience init() {
    let handle =
        try! rustCall() {
        uniffiCallStatus in
    uniffi_isobox_swift_fn_constructor_canceltoken_new(uniffiCallStatus
    )
}
    self.init(unsafeFromHandle: handle)
}

    deinit {
        if handle == 0 {
            // Mock objects have handle=0 don't try to free them
            return
        }

        try! rustCall { uniffi_isobox_swift_fn_free_canceltoken(handle, $0) }
    }




    /**
     * Ends the call, and everything that it began.
     */
open func cancel()  {try! rustCall() {
        uniffiCallStatus in
    uniffi_isobox_swift_fn_method_canceltoken_cancel(
            self.uniffiCloneHandle(),uniffiCallStatus
    )
}
}



}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeCancelToken: FfiConverter {
    typealias FfiType = UInt64
    typealias SwiftType = CancelToken

    public static func lift(_ handle: UInt64) throws -> CancelToken {
        return CancelToken(unsafeFromHandle: handle)
    }

    public static func lower(_ value: CancelToken) -> UInt64 {
        return value.uniffiCloneHandle()
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> CancelToken {
        let handle: UInt64 = try readInt(&buf)
        return try lift(handle)
    }

    public static func write(_ value: CancelToken, into buf: inout [UInt8]) {
        writeInt(&buf, lower(value))
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeCancelToken_lift(_ handle: UInt64) throws -> CancelToken {
    return try FfiConverterTypeCancelToken.lift(handle)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeCancelToken_lower(_ value: CancelToken) -> UInt64 {
    return FfiConverterTypeCancelToken.lower(value)
}






/**
 * Things that come one by one.
 */
public protocol EventStreamProtocol: AnyObject, Sendable {

    /**
     * Ends it and what it came from.
     */
    func close(cancel: CancelToken) async throws

    /**
     * The next one; none at the end.
     */
    func next(cancel: CancelToken) async throws  -> Event?

}
/**
 * Things that come one by one.
 */
open class EventStream: EventStreamProtocol, @unchecked Sendable {
    fileprivate let handle: UInt64

    /// Used to instantiate a [FFIObject] without an actual handle, for fakes in tests, mostly.
#if swift(>=5.8)
    @_documentation(visibility: private)
#endif
    public struct NoHandle {
        public init() {}
    }

    // TODO: We'd like this to be `private` but for Swifty reasons,
    // we can't implement `FfiConverter` without making this `required` and we can't
    // make it `required` without making it `public`.
#if swift(>=5.8)
    @_documentation(visibility: private)
#endif
    required public init(unsafeFromHandle handle: UInt64) {
        self.handle = handle
    }

    // This constructor can be used to instantiate a fake object.
    // - Parameter noHandle: Placeholder value so we can have a constructor separate from the default empty one that may be implemented for classes extending [FFIObject].
    //
    // - Warning:
    //     Any object instantiated with this constructor cannot be passed to an actual Rust-backed object. Since there isn't a backing handle the FFI lower functions will crash.
#if swift(>=5.8)
    @_documentation(visibility: private)
#endif
    public init(noHandle: NoHandle) {
        self.handle = 0
    }

#if swift(>=5.8)
    @_documentation(visibility: private)
#endif
    public func uniffiCloneHandle() -> UInt64 {
        return try! rustCall { uniffi_isobox_swift_fn_clone_eventstream(self.handle, $0) }
    }
    // No primary constructor declared for this class.

    deinit {
        if handle == 0 {
            // Mock objects have handle=0 don't try to free them
            return
        }

        try! rustCall { uniffi_isobox_swift_fn_free_eventstream(handle, $0) }
    }




    /**
     * Ends it and what it came from.
     */
open func close(cancel: CancelToken)async throws   {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_eventstream_close(
                        self.uniffiCloneHandle(),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_void,
            completeFunc: ffi_isobox_swift_rust_future_complete_void,
            freeFunc: ffi_isobox_swift_rust_future_free_void,
            liftFunc: { $0 },
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * The next one; none at the end.
     */
open func next(cancel: CancelToken)async throws  -> Event?  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_eventstream_next(
                        self.uniffiCloneHandle(),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_rust_buffer,
            completeFunc: ffi_isobox_swift_rust_future_complete_rust_buffer,
            freeFunc: ffi_isobox_swift_rust_future_free_rust_buffer,
            liftFunc: FfiConverterOptionTypeEvent.lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}



}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeEventStream: FfiConverter {
    typealias FfiType = UInt64
    typealias SwiftType = EventStream

    public static func lift(_ handle: UInt64) throws -> EventStream {
        return EventStream(unsafeFromHandle: handle)
    }

    public static func lower(_ value: EventStream) -> UInt64 {
        return value.uniffiCloneHandle()
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> EventStream {
        let handle: UInt64 = try readInt(&buf)
        return try lift(handle)
    }

    public static func write(_ value: EventStream, into buf: inout [UInt8]) {
        writeInt(&buf, lower(value))
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeEventStream_lift(_ handle: UInt64) throws -> EventStream {
    return try FfiConverterTypeEventStream.lift(handle)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeEventStream_lower(_ value: EventStream) -> UInt64 {
    return FfiConverterTypeEventStream.lower(value)
}






/**
 * Things that come one by one.
 */
public protocol FileChangeStreamProtocol: AnyObject, Sendable {

    /**
     * Ends it and what it came from.
     */
    func close(cancel: CancelToken) async throws

    /**
     * The next one; none at the end.
     */
    func next(cancel: CancelToken) async throws  -> FileChange?

}
/**
 * Things that come one by one.
 */
open class FileChangeStream: FileChangeStreamProtocol, @unchecked Sendable {
    fileprivate let handle: UInt64

    /// Used to instantiate a [FFIObject] without an actual handle, for fakes in tests, mostly.
#if swift(>=5.8)
    @_documentation(visibility: private)
#endif
    public struct NoHandle {
        public init() {}
    }

    // TODO: We'd like this to be `private` but for Swifty reasons,
    // we can't implement `FfiConverter` without making this `required` and we can't
    // make it `required` without making it `public`.
#if swift(>=5.8)
    @_documentation(visibility: private)
#endif
    required public init(unsafeFromHandle handle: UInt64) {
        self.handle = handle
    }

    // This constructor can be used to instantiate a fake object.
    // - Parameter noHandle: Placeholder value so we can have a constructor separate from the default empty one that may be implemented for classes extending [FFIObject].
    //
    // - Warning:
    //     Any object instantiated with this constructor cannot be passed to an actual Rust-backed object. Since there isn't a backing handle the FFI lower functions will crash.
#if swift(>=5.8)
    @_documentation(visibility: private)
#endif
    public init(noHandle: NoHandle) {
        self.handle = 0
    }

#if swift(>=5.8)
    @_documentation(visibility: private)
#endif
    public func uniffiCloneHandle() -> UInt64 {
        return try! rustCall { uniffi_isobox_swift_fn_clone_filechangestream(self.handle, $0) }
    }
    // No primary constructor declared for this class.

    deinit {
        if handle == 0 {
            // Mock objects have handle=0 don't try to free them
            return
        }

        try! rustCall { uniffi_isobox_swift_fn_free_filechangestream(handle, $0) }
    }




    /**
     * Ends it and what it came from.
     */
open func close(cancel: CancelToken)async throws   {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_filechangestream_close(
                        self.uniffiCloneHandle(),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_void,
            completeFunc: ffi_isobox_swift_rust_future_complete_void,
            freeFunc: ffi_isobox_swift_rust_future_free_void,
            liftFunc: { $0 },
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * The next one; none at the end.
     */
open func next(cancel: CancelToken)async throws  -> FileChange?  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_filechangestream_next(
                        self.uniffiCloneHandle(),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_rust_buffer,
            completeFunc: ffi_isobox_swift_rust_future_complete_rust_buffer,
            freeFunc: ffi_isobox_swift_rust_future_free_rust_buffer,
            liftFunc: FfiConverterOptionTypeFileChange.lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}



}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeFileChangeStream: FfiConverter {
    typealias FfiType = UInt64
    typealias SwiftType = FileChangeStream

    public static func lift(_ handle: UInt64) throws -> FileChangeStream {
        return FileChangeStream(unsafeFromHandle: handle)
    }

    public static func lower(_ value: FileChangeStream) -> UInt64 {
        return value.uniffiCloneHandle()
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> FileChangeStream {
        let handle: UInt64 = try readInt(&buf)
        return try lift(handle)
    }

    public static func write(_ value: FileChangeStream, into buf: inout [UInt8]) {
        writeInt(&buf, lower(value))
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeFileChangeStream_lift(_ handle: UInt64) throws -> FileChangeStream {
    return try FfiConverterTypeFileChangeStream.lift(handle)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeFileChangeStream_lower(_ value: FileChangeStream) -> UInt64 {
    return FfiConverterTypeFileChangeStream.lower(value)
}






/**
 * A file that is being written. Without a close what was written may be there in part.
 */
public protocol FileWriterProtocol: AnyObject, Sendable {

    /**
     * Ends the file and returns its bytes, once all of it is there. Again gives the same.
     */
    func close(cancel: CancelToken) async throws  -> UInt64

    /**
     * Writes the next part, and returns when it is accepted.
     */
    func write(data: Data, cancel: CancelToken) async throws

}
/**
 * A file that is being written. Without a close what was written may be there in part.
 */
open class FileWriter: FileWriterProtocol, @unchecked Sendable {
    fileprivate let handle: UInt64

    /// Used to instantiate a [FFIObject] without an actual handle, for fakes in tests, mostly.
#if swift(>=5.8)
    @_documentation(visibility: private)
#endif
    public struct NoHandle {
        public init() {}
    }

    // TODO: We'd like this to be `private` but for Swifty reasons,
    // we can't implement `FfiConverter` without making this `required` and we can't
    // make it `required` without making it `public`.
#if swift(>=5.8)
    @_documentation(visibility: private)
#endif
    required public init(unsafeFromHandle handle: UInt64) {
        self.handle = handle
    }

    // This constructor can be used to instantiate a fake object.
    // - Parameter noHandle: Placeholder value so we can have a constructor separate from the default empty one that may be implemented for classes extending [FFIObject].
    //
    // - Warning:
    //     Any object instantiated with this constructor cannot be passed to an actual Rust-backed object. Since there isn't a backing handle the FFI lower functions will crash.
#if swift(>=5.8)
    @_documentation(visibility: private)
#endif
    public init(noHandle: NoHandle) {
        self.handle = 0
    }

#if swift(>=5.8)
    @_documentation(visibility: private)
#endif
    public func uniffiCloneHandle() -> UInt64 {
        return try! rustCall { uniffi_isobox_swift_fn_clone_filewriter(self.handle, $0) }
    }
    // No primary constructor declared for this class.

    deinit {
        if handle == 0 {
            // Mock objects have handle=0 don't try to free them
            return
        }

        try! rustCall { uniffi_isobox_swift_fn_free_filewriter(handle, $0) }
    }




    /**
     * Ends the file and returns its bytes, once all of it is there. Again gives the same.
     */
open func close(cancel: CancelToken)async throws  -> UInt64  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_filewriter_close(
                        self.uniffiCloneHandle(),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_u64,
            completeFunc: ffi_isobox_swift_rust_future_complete_u64,
            freeFunc: ffi_isobox_swift_rust_future_free_u64,
            liftFunc: FfiConverterUInt64.lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * Writes the next part, and returns when it is accepted.
     */
open func write(data: Data, cancel: CancelToken)async throws   {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_filewriter_write(
                        self.uniffiCloneHandle(),FfiConverterData.lower(data),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_void,
            completeFunc: ffi_isobox_swift_rust_future_complete_void,
            freeFunc: ffi_isobox_swift_rust_future_free_void,
            liftFunc: { $0 },
            errorHandler: FfiConverterTypeFailure_lift
        )
}



}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeFileWriter: FfiConverter {
    typealias FfiType = UInt64
    typealias SwiftType = FileWriter

    public static func lift(_ handle: UInt64) throws -> FileWriter {
        return FileWriter(unsafeFromHandle: handle)
    }

    public static func lower(_ value: FileWriter) -> UInt64 {
        return value.uniffiCloneHandle()
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> FileWriter {
        let handle: UInt64 = try readInt(&buf)
        return try lift(handle)
    }

    public static func write(_ value: FileWriter, into buf: inout [UInt8]) {
        writeInt(&buf, lower(value))
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeFileWriter_lift(_ handle: UInt64) throws -> FileWriter {
    return try FfiConverterTypeFileWriter.lift(handle)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeFileWriter_lower(_ value: FileWriter) -> UInt64 {
    return FfiConverterTypeFileWriter.lower(value)
}






/**
 * The files of one sandbox. Relative paths begin at its working directory.
 */
public protocol FilesProtocol: AnyObject, Sendable {

    /**
     * Adds text or bytes to the end of a file, which is made if there is none.
     */
    func append(path: Data, data: Data, cancel: CancelToken) async throws

    /**
     * Sets the permission bits, such as 0o755.
     */
    func chmod(path: Data, mode: UInt32, cancel: CancelToken) async throws

    /**
     * Sets the owner: a name, `uid`, `uid:gid` or `name:group`, looked up in the sandbox.
     */
    func chown(path: Data, owner: String, cancel: CancelToken) async throws

    /**
     * Copies a file, or a directory with everything in it, keeping modes, times and links.
     */
    func copy(source: Data, target: Data, cancel: CancelToken) async throws

    /**
     * Copies a file, or a directory with everything in it, to this machine. Nothing is ever written outside of the target.
     */
    func download(remote: Data, local: Data, options: DownloadOptions, cancel: CancelToken) async throws  -> TransferReport

    /**
     * Whether a path names something, after following links.
     */
    func exists(path: Data, cancel: CancelToken) async throws  -> Bool

    /**
     * What is in a directory, sorted by the bytes of the paths. Links are listed and not followed.
     */
    func list(path: Data, options: ListDirectoryOptions, cancel: CancelToken) async throws  -> [Entry]

    /**
     * Makes a directory, and those on the way. One that exists is fine.
     */
    func mkdir(path: Data, options: WriteOptions, cancel: CancelToken) async throws

    /**
     * The bytes of a file, or of a part of it.
     */
    func read(path: Data, options: ReadOptions, cancel: CancelToken) async throws  -> Data

    /**
     * The text of a symbolic link.
     */
    func readLink(path: Data, cancel: CancelToken) async throws  -> Data

    /**
     * The bytes of a file of any length as they come.
     */
    func readStream(path: Data, options: ReadOptions, cancel: CancelToken) async throws  -> BytesStream

    /**
     * The text of a file, which must be UTF-8.
     */
    func readText(path: Data, cancel: CancelToken) async throws  -> String

    /**
     * Removes a file, a link or an empty directory. What is not there is fine.
     */
    func remove(path: Data, cancel: CancelToken) async throws

    /**
     * Removes a file, or a directory with everything in it, never through a link. What is not there is fine.
     */
    func removeAll(path: Data, cancel: CancelToken) async throws

    /**
     * Renames, replacing a file at the target.
     */
    func rename(source: Data, target: Data, cancel: CancelToken) async throws

    /**
     * What a path names, after following links.
     */
    func stat(path: Data, cancel: CancelToken) async throws  -> Metadata

    /**
     * What a path names; a link itself.
     */
    func statLink(path: Data, cancel: CancelToken) async throws  -> Metadata

    /**
     * Makes a symbolic link whose text is the target.
     */
    func symlink(target: Data, path: Data, cancel: CancelToken) async throws

    /**
     * Copies a file, or a directory with everything in it, from this machine.
     */
    func upload(local: Data, remote: Data, options: UploadOptions, cancel: CancelToken) async throws  -> TransferReport

    /**
     * Changes as they happen.
     */
    func watch(path: Data, options: WatchOptions, cancel: CancelToken) async throws  -> FileChangeStream

    /**
     * Writes a whole file, given as text or bytes.
     */
    func write(path: Data, data: Data, options: WriteOptions, cancel: CancelToken) async throws

    /**
     * Writes a file from parts that are given one by one, so that it can be of any length.
     */
    func writeStream(path: Data, options: WriteOptions, cancel: CancelToken) async throws  -> FileWriter

}
/**
 * The files of one sandbox. Relative paths begin at its working directory.
 */
open class Files: FilesProtocol, @unchecked Sendable {
    fileprivate let handle: UInt64

    /// Used to instantiate a [FFIObject] without an actual handle, for fakes in tests, mostly.
#if swift(>=5.8)
    @_documentation(visibility: private)
#endif
    public struct NoHandle {
        public init() {}
    }

    // TODO: We'd like this to be `private` but for Swifty reasons,
    // we can't implement `FfiConverter` without making this `required` and we can't
    // make it `required` without making it `public`.
#if swift(>=5.8)
    @_documentation(visibility: private)
#endif
    required public init(unsafeFromHandle handle: UInt64) {
        self.handle = handle
    }

    // This constructor can be used to instantiate a fake object.
    // - Parameter noHandle: Placeholder value so we can have a constructor separate from the default empty one that may be implemented for classes extending [FFIObject].
    //
    // - Warning:
    //     Any object instantiated with this constructor cannot be passed to an actual Rust-backed object. Since there isn't a backing handle the FFI lower functions will crash.
#if swift(>=5.8)
    @_documentation(visibility: private)
#endif
    public init(noHandle: NoHandle) {
        self.handle = 0
    }

#if swift(>=5.8)
    @_documentation(visibility: private)
#endif
    public func uniffiCloneHandle() -> UInt64 {
        return try! rustCall { uniffi_isobox_swift_fn_clone_files(self.handle, $0) }
    }
    // No primary constructor declared for this class.

    deinit {
        if handle == 0 {
            // Mock objects have handle=0 don't try to free them
            return
        }

        try! rustCall { uniffi_isobox_swift_fn_free_files(handle, $0) }
    }




    /**
     * Adds text or bytes to the end of a file, which is made if there is none.
     */
open func append(path: Data, data: Data, cancel: CancelToken)async throws   {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_files_append(
                        self.uniffiCloneHandle(),FfiConverterData.lower(path),FfiConverterData.lower(data),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_void,
            completeFunc: ffi_isobox_swift_rust_future_complete_void,
            freeFunc: ffi_isobox_swift_rust_future_free_void,
            liftFunc: { $0 },
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * Sets the permission bits, such as 0o755.
     */
open func chmod(path: Data, mode: UInt32, cancel: CancelToken)async throws   {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_files_chmod(
                        self.uniffiCloneHandle(),FfiConverterData.lower(path),FfiConverterUInt32.lower(mode),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_void,
            completeFunc: ffi_isobox_swift_rust_future_complete_void,
            freeFunc: ffi_isobox_swift_rust_future_free_void,
            liftFunc: { $0 },
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * Sets the owner: a name, `uid`, `uid:gid` or `name:group`, looked up in the sandbox.
     */
open func chown(path: Data, owner: String, cancel: CancelToken)async throws   {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_files_chown(
                        self.uniffiCloneHandle(),FfiConverterData.lower(path),FfiConverterString.lower(owner),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_void,
            completeFunc: ffi_isobox_swift_rust_future_complete_void,
            freeFunc: ffi_isobox_swift_rust_future_free_void,
            liftFunc: { $0 },
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * Copies a file, or a directory with everything in it, keeping modes, times and links.
     */
open func copy(source: Data, target: Data, cancel: CancelToken)async throws   {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_files_copy(
                        self.uniffiCloneHandle(),FfiConverterData.lower(source),FfiConverterData.lower(target),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_void,
            completeFunc: ffi_isobox_swift_rust_future_complete_void,
            freeFunc: ffi_isobox_swift_rust_future_free_void,
            liftFunc: { $0 },
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * Copies a file, or a directory with everything in it, to this machine. Nothing is ever written outside of the target.
     */
open func download(remote: Data, local: Data, options: DownloadOptions, cancel: CancelToken)async throws  -> TransferReport  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_files_download(
                        self.uniffiCloneHandle(),FfiConverterData.lower(remote),FfiConverterData.lower(local),FfiConverterTypeDownloadOptions_lower(options),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_rust_buffer,
            completeFunc: ffi_isobox_swift_rust_future_complete_rust_buffer,
            freeFunc: ffi_isobox_swift_rust_future_free_rust_buffer,
            liftFunc: FfiConverterTypeTransferReport_lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * Whether a path names something, after following links.
     */
open func exists(path: Data, cancel: CancelToken)async throws  -> Bool  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_files_exists(
                        self.uniffiCloneHandle(),FfiConverterData.lower(path),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_i8,
            completeFunc: ffi_isobox_swift_rust_future_complete_i8,
            freeFunc: ffi_isobox_swift_rust_future_free_i8,
            liftFunc: FfiConverterBool.lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * What is in a directory, sorted by the bytes of the paths. Links are listed and not followed.
     */
open func list(path: Data, options: ListDirectoryOptions, cancel: CancelToken)async throws  -> [Entry]  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_files_list(
                        self.uniffiCloneHandle(),FfiConverterData.lower(path),FfiConverterTypeListDirectoryOptions_lower(options),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_rust_buffer,
            completeFunc: ffi_isobox_swift_rust_future_complete_rust_buffer,
            freeFunc: ffi_isobox_swift_rust_future_free_rust_buffer,
            liftFunc: FfiConverterSequenceTypeEntry.lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * Makes a directory, and those on the way. One that exists is fine.
     */
open func mkdir(path: Data, options: WriteOptions, cancel: CancelToken)async throws   {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_files_mkdir(
                        self.uniffiCloneHandle(),FfiConverterData.lower(path),FfiConverterTypeWriteOptions_lower(options),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_void,
            completeFunc: ffi_isobox_swift_rust_future_complete_void,
            freeFunc: ffi_isobox_swift_rust_future_free_void,
            liftFunc: { $0 },
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * The bytes of a file, or of a part of it.
     */
open func read(path: Data, options: ReadOptions, cancel: CancelToken)async throws  -> Data  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_files_read(
                        self.uniffiCloneHandle(),FfiConverterData.lower(path),FfiConverterTypeReadOptions_lower(options),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_rust_buffer,
            completeFunc: ffi_isobox_swift_rust_future_complete_rust_buffer,
            freeFunc: ffi_isobox_swift_rust_future_free_rust_buffer,
            liftFunc: FfiConverterData.lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * The text of a symbolic link.
     */
open func readLink(path: Data, cancel: CancelToken)async throws  -> Data  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_files_read_link(
                        self.uniffiCloneHandle(),FfiConverterData.lower(path),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_rust_buffer,
            completeFunc: ffi_isobox_swift_rust_future_complete_rust_buffer,
            freeFunc: ffi_isobox_swift_rust_future_free_rust_buffer,
            liftFunc: FfiConverterData.lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * The bytes of a file of any length as they come.
     */
open func readStream(path: Data, options: ReadOptions, cancel: CancelToken)async throws  -> BytesStream  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_files_read_stream(
                        self.uniffiCloneHandle(),FfiConverterData.lower(path),FfiConverterTypeReadOptions_lower(options),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_u64,
            completeFunc: ffi_isobox_swift_rust_future_complete_u64,
            freeFunc: ffi_isobox_swift_rust_future_free_u64,
            liftFunc: FfiConverterTypeBytesStream_lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * The text of a file, which must be UTF-8.
     */
open func readText(path: Data, cancel: CancelToken)async throws  -> String  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_files_read_text(
                        self.uniffiCloneHandle(),FfiConverterData.lower(path),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_rust_buffer,
            completeFunc: ffi_isobox_swift_rust_future_complete_rust_buffer,
            freeFunc: ffi_isobox_swift_rust_future_free_rust_buffer,
            liftFunc: FfiConverterString.lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * Removes a file, a link or an empty directory. What is not there is fine.
     */
open func remove(path: Data, cancel: CancelToken)async throws   {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_files_remove(
                        self.uniffiCloneHandle(),FfiConverterData.lower(path),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_void,
            completeFunc: ffi_isobox_swift_rust_future_complete_void,
            freeFunc: ffi_isobox_swift_rust_future_free_void,
            liftFunc: { $0 },
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * Removes a file, or a directory with everything in it, never through a link. What is not there is fine.
     */
open func removeAll(path: Data, cancel: CancelToken)async throws   {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_files_remove_all(
                        self.uniffiCloneHandle(),FfiConverterData.lower(path),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_void,
            completeFunc: ffi_isobox_swift_rust_future_complete_void,
            freeFunc: ffi_isobox_swift_rust_future_free_void,
            liftFunc: { $0 },
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * Renames, replacing a file at the target.
     */
open func rename(source: Data, target: Data, cancel: CancelToken)async throws   {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_files_rename(
                        self.uniffiCloneHandle(),FfiConverterData.lower(source),FfiConverterData.lower(target),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_void,
            completeFunc: ffi_isobox_swift_rust_future_complete_void,
            freeFunc: ffi_isobox_swift_rust_future_free_void,
            liftFunc: { $0 },
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * What a path names, after following links.
     */
open func stat(path: Data, cancel: CancelToken)async throws  -> Metadata  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_files_stat(
                        self.uniffiCloneHandle(),FfiConverterData.lower(path),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_rust_buffer,
            completeFunc: ffi_isobox_swift_rust_future_complete_rust_buffer,
            freeFunc: ffi_isobox_swift_rust_future_free_rust_buffer,
            liftFunc: FfiConverterTypeMetadata_lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * What a path names; a link itself.
     */
open func statLink(path: Data, cancel: CancelToken)async throws  -> Metadata  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_files_stat_link(
                        self.uniffiCloneHandle(),FfiConverterData.lower(path),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_rust_buffer,
            completeFunc: ffi_isobox_swift_rust_future_complete_rust_buffer,
            freeFunc: ffi_isobox_swift_rust_future_free_rust_buffer,
            liftFunc: FfiConverterTypeMetadata_lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * Makes a symbolic link whose text is the target.
     */
open func symlink(target: Data, path: Data, cancel: CancelToken)async throws   {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_files_symlink(
                        self.uniffiCloneHandle(),FfiConverterData.lower(target),FfiConverterData.lower(path),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_void,
            completeFunc: ffi_isobox_swift_rust_future_complete_void,
            freeFunc: ffi_isobox_swift_rust_future_free_void,
            liftFunc: { $0 },
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * Copies a file, or a directory with everything in it, from this machine.
     */
open func upload(local: Data, remote: Data, options: UploadOptions, cancel: CancelToken)async throws  -> TransferReport  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_files_upload(
                        self.uniffiCloneHandle(),FfiConverterData.lower(local),FfiConverterData.lower(remote),FfiConverterTypeUploadOptions_lower(options),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_rust_buffer,
            completeFunc: ffi_isobox_swift_rust_future_complete_rust_buffer,
            freeFunc: ffi_isobox_swift_rust_future_free_rust_buffer,
            liftFunc: FfiConverterTypeTransferReport_lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * Changes as they happen.
     */
open func watch(path: Data, options: WatchOptions, cancel: CancelToken)async throws  -> FileChangeStream  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_files_watch(
                        self.uniffiCloneHandle(),FfiConverterData.lower(path),FfiConverterTypeWatchOptions_lower(options),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_u64,
            completeFunc: ffi_isobox_swift_rust_future_complete_u64,
            freeFunc: ffi_isobox_swift_rust_future_free_u64,
            liftFunc: FfiConverterTypeFileChangeStream_lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * Writes a whole file, given as text or bytes.
     */
open func write(path: Data, data: Data, options: WriteOptions, cancel: CancelToken)async throws   {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_files_write(
                        self.uniffiCloneHandle(),FfiConverterData.lower(path),FfiConverterData.lower(data),FfiConverterTypeWriteOptions_lower(options),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_void,
            completeFunc: ffi_isobox_swift_rust_future_complete_void,
            freeFunc: ffi_isobox_swift_rust_future_free_void,
            liftFunc: { $0 },
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * Writes a file from parts that are given one by one, so that it can be of any length.
     */
open func writeStream(path: Data, options: WriteOptions, cancel: CancelToken)async throws  -> FileWriter  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_files_write_stream(
                        self.uniffiCloneHandle(),FfiConverterData.lower(path),FfiConverterTypeWriteOptions_lower(options),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_u64,
            completeFunc: ffi_isobox_swift_rust_future_complete_u64,
            freeFunc: ffi_isobox_swift_rust_future_free_u64,
            liftFunc: FfiConverterTypeFileWriter_lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}



}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeFiles: FfiConverter {
    typealias FfiType = UInt64
    typealias SwiftType = Files

    public static func lift(_ handle: UInt64) throws -> Files {
        return Files(unsafeFromHandle: handle)
    }

    public static func lower(_ value: Files) -> UInt64 {
        return value.uniffiCloneHandle()
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> Files {
        let handle: UInt64 = try readInt(&buf)
        return try lift(handle)
    }

    public static func write(_ value: Files, into buf: inout [UInt8]) {
        writeInt(&buf, lower(value))
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeFiles_lift(_ handle: UInt64) throws -> Files {
    return try FfiConverterTypeFiles.lift(handle)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeFiles_lower(_ value: Files) -> UInt64 {
    return FfiConverterTypeFiles.lower(value)
}






/**
 * Git in one sandbox. It runs the git of the sandbox.
 */
public protocol GitProtocol: AnyObject, Sendable {

    /**
     * Clones a repository into a directory that is empty or not there.
     */
    func cloneRepository(url: String, target: Data, options: CloneOptions, cancel: CancelToken) async throws  -> Repository

    /**
     * Makes a repository.
     */
    func `init`(path: Data, cancel: CancelToken) async throws  -> Repository

    /**
     * A repository that is there.
     */
    func `open`(path: Data, cancel: CancelToken) async throws  -> Repository

}
/**
 * Git in one sandbox. It runs the git of the sandbox.
 */
open class Git: GitProtocol, @unchecked Sendable {
    fileprivate let handle: UInt64

    /// Used to instantiate a [FFIObject] without an actual handle, for fakes in tests, mostly.
#if swift(>=5.8)
    @_documentation(visibility: private)
#endif
    public struct NoHandle {
        public init() {}
    }

    // TODO: We'd like this to be `private` but for Swifty reasons,
    // we can't implement `FfiConverter` without making this `required` and we can't
    // make it `required` without making it `public`.
#if swift(>=5.8)
    @_documentation(visibility: private)
#endif
    required public init(unsafeFromHandle handle: UInt64) {
        self.handle = handle
    }

    // This constructor can be used to instantiate a fake object.
    // - Parameter noHandle: Placeholder value so we can have a constructor separate from the default empty one that may be implemented for classes extending [FFIObject].
    //
    // - Warning:
    //     Any object instantiated with this constructor cannot be passed to an actual Rust-backed object. Since there isn't a backing handle the FFI lower functions will crash.
#if swift(>=5.8)
    @_documentation(visibility: private)
#endif
    public init(noHandle: NoHandle) {
        self.handle = 0
    }

#if swift(>=5.8)
    @_documentation(visibility: private)
#endif
    public func uniffiCloneHandle() -> UInt64 {
        return try! rustCall { uniffi_isobox_swift_fn_clone_git(self.handle, $0) }
    }
    // No primary constructor declared for this class.

    deinit {
        if handle == 0 {
            // Mock objects have handle=0 don't try to free them
            return
        }

        try! rustCall { uniffi_isobox_swift_fn_free_git(handle, $0) }
    }




    /**
     * Clones a repository into a directory that is empty or not there.
     */
open func cloneRepository(url: String, target: Data, options: CloneOptions, cancel: CancelToken)async throws  -> Repository  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_git_clone_repository(
                        self.uniffiCloneHandle(),FfiConverterString.lower(url),FfiConverterData.lower(target),FfiConverterTypeCloneOptions_lower(options),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_u64,
            completeFunc: ffi_isobox_swift_rust_future_complete_u64,
            freeFunc: ffi_isobox_swift_rust_future_free_u64,
            liftFunc: FfiConverterTypeRepository_lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * Makes a repository.
     */
open func `init`(path: Data, cancel: CancelToken)async throws  -> Repository  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_git_init(
                        self.uniffiCloneHandle(),FfiConverterData.lower(path),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_u64,
            completeFunc: ffi_isobox_swift_rust_future_complete_u64,
            freeFunc: ffi_isobox_swift_rust_future_free_u64,
            liftFunc: FfiConverterTypeRepository_lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * A repository that is there.
     */
open func `open`(path: Data, cancel: CancelToken)async throws  -> Repository  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_git_open(
                        self.uniffiCloneHandle(),FfiConverterData.lower(path),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_u64,
            completeFunc: ffi_isobox_swift_rust_future_complete_u64,
            freeFunc: ffi_isobox_swift_rust_future_free_u64,
            liftFunc: FfiConverterTypeRepository_lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}



}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeGit: FfiConverter {
    typealias FfiType = UInt64
    typealias SwiftType = Git

    public static func lift(_ handle: UInt64) throws -> Git {
        return Git(unsafeFromHandle: handle)
    }

    public static func lower(_ value: Git) -> UInt64 {
        return value.uniffiCloneHandle()
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> Git {
        let handle: UInt64 = try readInt(&buf)
        return try lift(handle)
    }

    public static func write(_ value: Git, into buf: inout [UInt8]) {
        writeInt(&buf, lower(value))
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeGit_lift(_ handle: UInt64) throws -> Git {
    return try FfiConverterTypeGit.lift(handle)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeGit_lower(_ value: Git) -> UInt64 {
    return FfiConverterTypeGit.lower(value)
}






/**
 * The images of one provider.
 */
public protocol ImagesProtocol: AnyObject, Sendable {

    /**
     * All of them.
     */
    func all(cancel: CancelToken) async throws  -> [ImageInfo]

    /**
     * Takes the images of an archive or layout folder of this machine.
     */
    func load(archive: Data, cancel: CancelToken) async throws  -> [ImageInfo]

    /**
     * Removes what no sandbox uses, the longest unused first, until the rest takes no more than the budget.
     */
    func prune(budget: Size, cancel: CancelToken) async throws  -> PrunedImages

    /**
     * Fetches an image.
     */
    func pull(reference: String, options: PullOptions, cancel: CancelToken) async throws  -> ImageInfo

    /**
     * Removes one, by its name. One that a sandbox uses is refused.
     */
    func remove(name: String, cancel: CancelToken) async throws

}
/**
 * The images of one provider.
 */
open class Images: ImagesProtocol, @unchecked Sendable {
    fileprivate let handle: UInt64

    /// Used to instantiate a [FFIObject] without an actual handle, for fakes in tests, mostly.
#if swift(>=5.8)
    @_documentation(visibility: private)
#endif
    public struct NoHandle {
        public init() {}
    }

    // TODO: We'd like this to be `private` but for Swifty reasons,
    // we can't implement `FfiConverter` without making this `required` and we can't
    // make it `required` without making it `public`.
#if swift(>=5.8)
    @_documentation(visibility: private)
#endif
    required public init(unsafeFromHandle handle: UInt64) {
        self.handle = handle
    }

    // This constructor can be used to instantiate a fake object.
    // - Parameter noHandle: Placeholder value so we can have a constructor separate from the default empty one that may be implemented for classes extending [FFIObject].
    //
    // - Warning:
    //     Any object instantiated with this constructor cannot be passed to an actual Rust-backed object. Since there isn't a backing handle the FFI lower functions will crash.
#if swift(>=5.8)
    @_documentation(visibility: private)
#endif
    public init(noHandle: NoHandle) {
        self.handle = 0
    }

#if swift(>=5.8)
    @_documentation(visibility: private)
#endif
    public func uniffiCloneHandle() -> UInt64 {
        return try! rustCall { uniffi_isobox_swift_fn_clone_images(self.handle, $0) }
    }
    // No primary constructor declared for this class.

    deinit {
        if handle == 0 {
            // Mock objects have handle=0 don't try to free them
            return
        }

        try! rustCall { uniffi_isobox_swift_fn_free_images(handle, $0) }
    }




    /**
     * All of them.
     */
open func all(cancel: CancelToken)async throws  -> [ImageInfo]  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_images_all(
                        self.uniffiCloneHandle(),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_rust_buffer,
            completeFunc: ffi_isobox_swift_rust_future_complete_rust_buffer,
            freeFunc: ffi_isobox_swift_rust_future_free_rust_buffer,
            liftFunc: FfiConverterSequenceTypeImageInfo.lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * Takes the images of an archive or layout folder of this machine.
     */
open func load(archive: Data, cancel: CancelToken)async throws  -> [ImageInfo]  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_images_load(
                        self.uniffiCloneHandle(),FfiConverterData.lower(archive),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_rust_buffer,
            completeFunc: ffi_isobox_swift_rust_future_complete_rust_buffer,
            freeFunc: ffi_isobox_swift_rust_future_free_rust_buffer,
            liftFunc: FfiConverterSequenceTypeImageInfo.lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * Removes what no sandbox uses, the longest unused first, until the rest takes no more than the budget.
     */
open func prune(budget: Size, cancel: CancelToken)async throws  -> PrunedImages  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_images_prune(
                        self.uniffiCloneHandle(),FfiConverterTypeSize_lower(budget),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_rust_buffer,
            completeFunc: ffi_isobox_swift_rust_future_complete_rust_buffer,
            freeFunc: ffi_isobox_swift_rust_future_free_rust_buffer,
            liftFunc: FfiConverterTypePrunedImages_lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * Fetches an image.
     */
open func pull(reference: String, options: PullOptions, cancel: CancelToken)async throws  -> ImageInfo  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_images_pull(
                        self.uniffiCloneHandle(),FfiConverterString.lower(reference),FfiConverterTypePullOptions_lower(options),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_rust_buffer,
            completeFunc: ffi_isobox_swift_rust_future_complete_rust_buffer,
            freeFunc: ffi_isobox_swift_rust_future_free_rust_buffer,
            liftFunc: FfiConverterTypeImageInfo_lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * Removes one, by its name. One that a sandbox uses is refused.
     */
open func remove(name: String, cancel: CancelToken)async throws   {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_images_remove(
                        self.uniffiCloneHandle(),FfiConverterString.lower(name),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_void,
            completeFunc: ffi_isobox_swift_rust_future_complete_void,
            freeFunc: ffi_isobox_swift_rust_future_free_void,
            liftFunc: { $0 },
            errorHandler: FfiConverterTypeFailure_lift
        )
}



}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeImages: FfiConverter {
    typealias FfiType = UInt64
    typealias SwiftType = Images

    public static func lift(_ handle: UInt64) throws -> Images {
        return Images(unsafeFromHandle: handle)
    }

    public static func lower(_ value: Images) -> UInt64 {
        return value.uniffiCloneHandle()
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> Images {
        let handle: UInt64 = try readInt(&buf)
        return try lift(handle)
    }

    public static func write(_ value: Images, into buf: inout [UInt8]) {
        writeInt(&buf, lower(value))
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeImages_lift(_ handle: UInt64) throws -> Images {
    return try FfiConverterTypeImages.lift(handle)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeImages_lower(_ value: Images) -> UInt64 {
    return FfiConverterTypeImages.lower(value)
}






/**
 * An open library: one directory of books and files, which any number of processes share, and the providers.
 */
public protocol IsoboxProtocol: AnyObject, Sendable {

    /**
     * Writes down what is not written down yet. Sandboxes live on with their handles.
     */
    func close(cancel: CancelToken) async throws

    /**
     * Removes what nobody needs: what killed processes left. With `dry_run` it is only told.
     */
    func collectGarbage(dryRun: Bool, cancel: CancelToken) async throws  -> [Garbage]

    /**
     * A sandbox that is there, by its name or id, whatever process made it. It does not end with this handle.
     */
    func connect(idOrName: String, cancel: CancelToken) async throws  -> Sandbox

    /**
     * Makes a sandbox.
     */
    func create(options: CreateOptions, cancel: CancelToken) async throws  -> Sandbox

    /**
     * Makes a volume.
     */
    func createVolume(name: String, options: VolumeOptions, cancel: CancelToken) async throws  -> Volume

    /**
     * Removes a snapshot, by its name or id. What is not there is fine.
     */
    func deleteSnapshot(idOrName: String, provider: String?, cancel: CancelToken) async throws

    /**
     * Removes a volume with its contents, by its name or id. One that a sandbox uses is refused.
     */
    func deleteVolume(idOrName: String, provider: String?, cancel: CancelToken) async throws

    /**
     * What takes disk.
     */
    func diskUsage(cancel: CancelToken) async throws  -> [KindUsage]

    /**
     * What happens, in this process and in others.
     */
    func events(options: EventOptions, cancel: CancelToken) async throws  -> EventStream

    /**
     * Writes a snapshot into a file of this machine, as an image that `docker load` and others take.
     */
    func exportSnapshot(idOrName: String, to: Data, options: ExportOptions, cancel: CancelToken) async throws  -> ExportedImage

    /**
     * The sandbox with the name that is given, or a new one. Any number of callers at once get the same one.
     */
    func getOrCreate(options: CreateOptions, cancel: CancelToken) async throws  -> Sandbox

    /**
     * The directory of its books and files.
     */
    func home()  -> Data

    /**
     * The images that a provider has.
     */
    func images(provider: String?, cancel: CancelToken) async throws  -> Images

    /**
     * Makes a snapshot from an image in an archive or layout folder of this machine.
     */
    func importSnapshot(archive: Data, options: ImportOptions, cancel: CancelToken) async throws  -> Snapshot

    /**
     * What is written down about a sandbox, by its name or id, also when it is gone.
     */
    func inspect(idOrName: String, cancel: CancelToken) async throws  -> SandboxInfo

    /**
     * What may be at once on this machine.
     */
    func limits(cancel: CancelToken) async throws  -> Limits

    /**
     * The sandboxes there are, the oldest first.
     */
    func list(options: ListOptions, cancel: CancelToken) async throws  -> [SandboxInfo]

    /**
     * Keeps so many sandboxes ready.
     */
    func pool(size: UInt32, options: PoolOptions, cancel: CancelToken) async throws  -> Pool

    /**
     * How a sandbox died unasked, by its name or id; none for one that lives, or that somebody deleted.
     */
    func postMortem(idOrName: String, cancel: CancelToken) async throws  -> PostMortem?

    /**
     * The providers that are built in, and whether they work here.
     */
    func providers(cancel: CancelToken) async throws  -> [ProviderInfo]

    /**
     * What is made now on this machine, and who waits.
     */
    func queue(cancel: CancelToken) async throws  -> Queue

    /**
     * Changes what may be at once on this machine.
     */
    func setLimits(options: LimitsOptions, cancel: CancelToken) async throws

    /**
     * A snapshot, by its name or id.
     */
    func snapshot(idOrName: String, provider: String?, cancel: CancelToken) async throws  -> Snapshot

    /**
     * The snapshots that a provider has.
     */
    func snapshots(provider: String?, cancel: CancelToken) async throws  -> [Snapshot]

    /**
     * A sandbox from a pool of another process, by the name that it is shared as.
     */
    func takeFrom(pool: String, options: TakeOptions, cancel: CancelToken) async throws  -> Sandbox

    /**
     * A volume, by its name or id.
     */
    func volume(idOrName: String, provider: String?, cancel: CancelToken) async throws  -> Volume

    /**
     * The volumes that a provider has.
     */
    func volumes(provider: String?, cancel: CancelToken) async throws  -> [Volume]

}
/**
 * An open library: one directory of books and files, which any number of processes share, and the providers.
 */
open class Isobox: IsoboxProtocol, @unchecked Sendable {
    fileprivate let handle: UInt64

    /// Used to instantiate a [FFIObject] without an actual handle, for fakes in tests, mostly.
#if swift(>=5.8)
    @_documentation(visibility: private)
#endif
    public struct NoHandle {
        public init() {}
    }

    // TODO: We'd like this to be `private` but for Swifty reasons,
    // we can't implement `FfiConverter` without making this `required` and we can't
    // make it `required` without making it `public`.
#if swift(>=5.8)
    @_documentation(visibility: private)
#endif
    required public init(unsafeFromHandle handle: UInt64) {
        self.handle = handle
    }

    // This constructor can be used to instantiate a fake object.
    // - Parameter noHandle: Placeholder value so we can have a constructor separate from the default empty one that may be implemented for classes extending [FFIObject].
    //
    // - Warning:
    //     Any object instantiated with this constructor cannot be passed to an actual Rust-backed object. Since there isn't a backing handle the FFI lower functions will crash.
#if swift(>=5.8)
    @_documentation(visibility: private)
#endif
    public init(noHandle: NoHandle) {
        self.handle = 0
    }

#if swift(>=5.8)
    @_documentation(visibility: private)
#endif
    public func uniffiCloneHandle() -> UInt64 {
        return try! rustCall { uniffi_isobox_swift_fn_clone_isobox(self.handle, $0) }
    }
    // No primary constructor declared for this class.

    deinit {
        if handle == 0 {
            // Mock objects have handle=0 don't try to free them
            return
        }

        try! rustCall { uniffi_isobox_swift_fn_free_isobox(handle, $0) }
    }




    /**
     * Writes down what is not written down yet. Sandboxes live on with their handles.
     */
open func close(cancel: CancelToken)async throws   {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_isobox_close(
                        self.uniffiCloneHandle(),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_void,
            completeFunc: ffi_isobox_swift_rust_future_complete_void,
            freeFunc: ffi_isobox_swift_rust_future_free_void,
            liftFunc: { $0 },
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * Removes what nobody needs: what killed processes left. With `dry_run` it is only told.
     */
open func collectGarbage(dryRun: Bool, cancel: CancelToken)async throws  -> [Garbage]  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_isobox_collect_garbage(
                        self.uniffiCloneHandle(),FfiConverterBool.lower(dryRun),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_rust_buffer,
            completeFunc: ffi_isobox_swift_rust_future_complete_rust_buffer,
            freeFunc: ffi_isobox_swift_rust_future_free_rust_buffer,
            liftFunc: FfiConverterSequenceTypeGarbage.lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * A sandbox that is there, by its name or id, whatever process made it. It does not end with this handle.
     */
open func connect(idOrName: String, cancel: CancelToken)async throws  -> Sandbox  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_isobox_connect(
                        self.uniffiCloneHandle(),FfiConverterString.lower(idOrName),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_u64,
            completeFunc: ffi_isobox_swift_rust_future_complete_u64,
            freeFunc: ffi_isobox_swift_rust_future_free_u64,
            liftFunc: FfiConverterTypeSandbox_lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * Makes a sandbox.
     */
open func create(options: CreateOptions, cancel: CancelToken)async throws  -> Sandbox  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_isobox_create(
                        self.uniffiCloneHandle(),FfiConverterTypeCreateOptions_lower(options),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_u64,
            completeFunc: ffi_isobox_swift_rust_future_complete_u64,
            freeFunc: ffi_isobox_swift_rust_future_free_u64,
            liftFunc: FfiConverterTypeSandbox_lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * Makes a volume.
     */
open func createVolume(name: String, options: VolumeOptions, cancel: CancelToken)async throws  -> Volume  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_isobox_create_volume(
                        self.uniffiCloneHandle(),FfiConverterString.lower(name),FfiConverterTypeVolumeOptions_lower(options),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_rust_buffer,
            completeFunc: ffi_isobox_swift_rust_future_complete_rust_buffer,
            freeFunc: ffi_isobox_swift_rust_future_free_rust_buffer,
            liftFunc: FfiConverterTypeVolume_lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * Removes a snapshot, by its name or id. What is not there is fine.
     */
open func deleteSnapshot(idOrName: String, provider: String?, cancel: CancelToken)async throws   {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_isobox_delete_snapshot(
                        self.uniffiCloneHandle(),FfiConverterString.lower(idOrName),FfiConverterOptionString.lower(provider),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_void,
            completeFunc: ffi_isobox_swift_rust_future_complete_void,
            freeFunc: ffi_isobox_swift_rust_future_free_void,
            liftFunc: { $0 },
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * Removes a volume with its contents, by its name or id. One that a sandbox uses is refused.
     */
open func deleteVolume(idOrName: String, provider: String?, cancel: CancelToken)async throws   {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_isobox_delete_volume(
                        self.uniffiCloneHandle(),FfiConverterString.lower(idOrName),FfiConverterOptionString.lower(provider),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_void,
            completeFunc: ffi_isobox_swift_rust_future_complete_void,
            freeFunc: ffi_isobox_swift_rust_future_free_void,
            liftFunc: { $0 },
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * What takes disk.
     */
open func diskUsage(cancel: CancelToken)async throws  -> [KindUsage]  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_isobox_disk_usage(
                        self.uniffiCloneHandle(),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_rust_buffer,
            completeFunc: ffi_isobox_swift_rust_future_complete_rust_buffer,
            freeFunc: ffi_isobox_swift_rust_future_free_rust_buffer,
            liftFunc: FfiConverterSequenceTypeKindUsage.lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * What happens, in this process and in others.
     */
open func events(options: EventOptions, cancel: CancelToken)async throws  -> EventStream  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_isobox_events(
                        self.uniffiCloneHandle(),FfiConverterTypeEventOptions_lower(options),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_u64,
            completeFunc: ffi_isobox_swift_rust_future_complete_u64,
            freeFunc: ffi_isobox_swift_rust_future_free_u64,
            liftFunc: FfiConverterTypeEventStream_lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * Writes a snapshot into a file of this machine, as an image that `docker load` and others take.
     */
open func exportSnapshot(idOrName: String, to: Data, options: ExportOptions, cancel: CancelToken)async throws  -> ExportedImage  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_isobox_export_snapshot(
                        self.uniffiCloneHandle(),FfiConverterString.lower(idOrName),FfiConverterData.lower(to),FfiConverterTypeExportOptions_lower(options),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_rust_buffer,
            completeFunc: ffi_isobox_swift_rust_future_complete_rust_buffer,
            freeFunc: ffi_isobox_swift_rust_future_free_rust_buffer,
            liftFunc: FfiConverterTypeExportedImage_lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * The sandbox with the name that is given, or a new one. Any number of callers at once get the same one.
     */
open func getOrCreate(options: CreateOptions, cancel: CancelToken)async throws  -> Sandbox  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_isobox_get_or_create(
                        self.uniffiCloneHandle(),FfiConverterTypeCreateOptions_lower(options),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_u64,
            completeFunc: ffi_isobox_swift_rust_future_complete_u64,
            freeFunc: ffi_isobox_swift_rust_future_free_u64,
            liftFunc: FfiConverterTypeSandbox_lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * The directory of its books and files.
     */
open func home() -> Data  {
    return try!  FfiConverterData.lift(try! rustCall() {
        uniffiCallStatus in
    uniffi_isobox_swift_fn_method_isobox_home(
            self.uniffiCloneHandle(),uniffiCallStatus
    )
})
}

    /**
     * The images that a provider has.
     */
open func images(provider: String?, cancel: CancelToken)async throws  -> Images  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_isobox_images(
                        self.uniffiCloneHandle(),FfiConverterOptionString.lower(provider),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_u64,
            completeFunc: ffi_isobox_swift_rust_future_complete_u64,
            freeFunc: ffi_isobox_swift_rust_future_free_u64,
            liftFunc: FfiConverterTypeImages_lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * Makes a snapshot from an image in an archive or layout folder of this machine.
     */
open func importSnapshot(archive: Data, options: ImportOptions, cancel: CancelToken)async throws  -> Snapshot  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_isobox_import_snapshot(
                        self.uniffiCloneHandle(),FfiConverterData.lower(archive),FfiConverterTypeImportOptions_lower(options),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_rust_buffer,
            completeFunc: ffi_isobox_swift_rust_future_complete_rust_buffer,
            freeFunc: ffi_isobox_swift_rust_future_free_rust_buffer,
            liftFunc: FfiConverterTypeSnapshot_lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * What is written down about a sandbox, by its name or id, also when it is gone.
     */
open func inspect(idOrName: String, cancel: CancelToken)async throws  -> SandboxInfo  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_isobox_inspect(
                        self.uniffiCloneHandle(),FfiConverterString.lower(idOrName),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_rust_buffer,
            completeFunc: ffi_isobox_swift_rust_future_complete_rust_buffer,
            freeFunc: ffi_isobox_swift_rust_future_free_rust_buffer,
            liftFunc: FfiConverterTypeSandboxInfo_lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * What may be at once on this machine.
     */
open func limits(cancel: CancelToken)async throws  -> Limits  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_isobox_limits(
                        self.uniffiCloneHandle(),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_rust_buffer,
            completeFunc: ffi_isobox_swift_rust_future_complete_rust_buffer,
            freeFunc: ffi_isobox_swift_rust_future_free_rust_buffer,
            liftFunc: FfiConverterTypeLimits_lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * The sandboxes there are, the oldest first.
     */
open func list(options: ListOptions, cancel: CancelToken)async throws  -> [SandboxInfo]  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_isobox_list(
                        self.uniffiCloneHandle(),FfiConverterTypeListOptions_lower(options),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_rust_buffer,
            completeFunc: ffi_isobox_swift_rust_future_complete_rust_buffer,
            freeFunc: ffi_isobox_swift_rust_future_free_rust_buffer,
            liftFunc: FfiConverterSequenceTypeSandboxInfo.lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * Keeps so many sandboxes ready.
     */
open func pool(size: UInt32, options: PoolOptions, cancel: CancelToken)async throws  -> Pool  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_isobox_pool(
                        self.uniffiCloneHandle(),FfiConverterUInt32.lower(size),FfiConverterTypePoolOptions_lower(options),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_u64,
            completeFunc: ffi_isobox_swift_rust_future_complete_u64,
            freeFunc: ffi_isobox_swift_rust_future_free_u64,
            liftFunc: FfiConverterTypePool_lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * How a sandbox died unasked, by its name or id; none for one that lives, or that somebody deleted.
     */
open func postMortem(idOrName: String, cancel: CancelToken)async throws  -> PostMortem?  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_isobox_post_mortem(
                        self.uniffiCloneHandle(),FfiConverterString.lower(idOrName),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_rust_buffer,
            completeFunc: ffi_isobox_swift_rust_future_complete_rust_buffer,
            freeFunc: ffi_isobox_swift_rust_future_free_rust_buffer,
            liftFunc: FfiConverterOptionTypePostMortem.lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * The providers that are built in, and whether they work here.
     */
open func providers(cancel: CancelToken)async throws  -> [ProviderInfo]  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_isobox_providers(
                        self.uniffiCloneHandle(),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_rust_buffer,
            completeFunc: ffi_isobox_swift_rust_future_complete_rust_buffer,
            freeFunc: ffi_isobox_swift_rust_future_free_rust_buffer,
            liftFunc: FfiConverterSequenceTypeProviderInfo.lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * What is made now on this machine, and who waits.
     */
open func queue(cancel: CancelToken)async throws  -> Queue  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_isobox_queue(
                        self.uniffiCloneHandle(),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_rust_buffer,
            completeFunc: ffi_isobox_swift_rust_future_complete_rust_buffer,
            freeFunc: ffi_isobox_swift_rust_future_free_rust_buffer,
            liftFunc: FfiConverterTypeQueue_lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * Changes what may be at once on this machine.
     */
open func setLimits(options: LimitsOptions, cancel: CancelToken)async throws   {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_isobox_set_limits(
                        self.uniffiCloneHandle(),FfiConverterTypeLimitsOptions_lower(options),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_void,
            completeFunc: ffi_isobox_swift_rust_future_complete_void,
            freeFunc: ffi_isobox_swift_rust_future_free_void,
            liftFunc: { $0 },
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * A snapshot, by its name or id.
     */
open func snapshot(idOrName: String, provider: String?, cancel: CancelToken)async throws  -> Snapshot  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_isobox_snapshot(
                        self.uniffiCloneHandle(),FfiConverterString.lower(idOrName),FfiConverterOptionString.lower(provider),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_rust_buffer,
            completeFunc: ffi_isobox_swift_rust_future_complete_rust_buffer,
            freeFunc: ffi_isobox_swift_rust_future_free_rust_buffer,
            liftFunc: FfiConverterTypeSnapshot_lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * The snapshots that a provider has.
     */
open func snapshots(provider: String?, cancel: CancelToken)async throws  -> [Snapshot]  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_isobox_snapshots(
                        self.uniffiCloneHandle(),FfiConverterOptionString.lower(provider),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_rust_buffer,
            completeFunc: ffi_isobox_swift_rust_future_complete_rust_buffer,
            freeFunc: ffi_isobox_swift_rust_future_free_rust_buffer,
            liftFunc: FfiConverterSequenceTypeSnapshot.lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * A sandbox from a pool of another process, by the name that it is shared as.
     */
open func takeFrom(pool: String, options: TakeOptions, cancel: CancelToken)async throws  -> Sandbox  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_isobox_take_from(
                        self.uniffiCloneHandle(),FfiConverterString.lower(pool),FfiConverterTypeTakeOptions_lower(options),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_u64,
            completeFunc: ffi_isobox_swift_rust_future_complete_u64,
            freeFunc: ffi_isobox_swift_rust_future_free_u64,
            liftFunc: FfiConverterTypeSandbox_lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * A volume, by its name or id.
     */
open func volume(idOrName: String, provider: String?, cancel: CancelToken)async throws  -> Volume  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_isobox_volume(
                        self.uniffiCloneHandle(),FfiConverterString.lower(idOrName),FfiConverterOptionString.lower(provider),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_rust_buffer,
            completeFunc: ffi_isobox_swift_rust_future_complete_rust_buffer,
            freeFunc: ffi_isobox_swift_rust_future_free_rust_buffer,
            liftFunc: FfiConverterTypeVolume_lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * The volumes that a provider has.
     */
open func volumes(provider: String?, cancel: CancelToken)async throws  -> [Volume]  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_isobox_volumes(
                        self.uniffiCloneHandle(),FfiConverterOptionString.lower(provider),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_rust_buffer,
            completeFunc: ffi_isobox_swift_rust_future_complete_rust_buffer,
            freeFunc: ffi_isobox_swift_rust_future_free_rust_buffer,
            liftFunc: FfiConverterSequenceTypeVolume.lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}



}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeIsobox: FfiConverter {
    typealias FfiType = UInt64
    typealias SwiftType = Isobox

    public static func lift(_ handle: UInt64) throws -> Isobox {
        return Isobox(unsafeFromHandle: handle)
    }

    public static func lower(_ value: Isobox) -> UInt64 {
        return value.uniffiCloneHandle()
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> Isobox {
        let handle: UInt64 = try readInt(&buf)
        return try lift(handle)
    }

    public static func write(_ value: Isobox, into buf: inout [UInt8]) {
        writeInt(&buf, lower(value))
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeIsobox_lift(_ handle: UInt64) throws -> Isobox {
    return try FfiConverterTypeIsobox.lift(handle)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeIsobox_lower(_ value: Isobox) -> UInt64 {
    return FfiConverterTypeIsobox.lower(value)
}






/**
 * Things that come one by one.
 */
public protocol OutputEventStreamProtocol: AnyObject, Sendable {

    /**
     * Ends it and what it came from.
     */
    func close(cancel: CancelToken) async throws

    /**
     * The next one; none at the end.
     */
    func next(cancel: CancelToken) async throws  -> OutputEvent?

}
/**
 * Things that come one by one.
 */
open class OutputEventStream: OutputEventStreamProtocol, @unchecked Sendable {
    fileprivate let handle: UInt64

    /// Used to instantiate a [FFIObject] without an actual handle, for fakes in tests, mostly.
#if swift(>=5.8)
    @_documentation(visibility: private)
#endif
    public struct NoHandle {
        public init() {}
    }

    // TODO: We'd like this to be `private` but for Swifty reasons,
    // we can't implement `FfiConverter` without making this `required` and we can't
    // make it `required` without making it `public`.
#if swift(>=5.8)
    @_documentation(visibility: private)
#endif
    required public init(unsafeFromHandle handle: UInt64) {
        self.handle = handle
    }

    // This constructor can be used to instantiate a fake object.
    // - Parameter noHandle: Placeholder value so we can have a constructor separate from the default empty one that may be implemented for classes extending [FFIObject].
    //
    // - Warning:
    //     Any object instantiated with this constructor cannot be passed to an actual Rust-backed object. Since there isn't a backing handle the FFI lower functions will crash.
#if swift(>=5.8)
    @_documentation(visibility: private)
#endif
    public init(noHandle: NoHandle) {
        self.handle = 0
    }

#if swift(>=5.8)
    @_documentation(visibility: private)
#endif
    public func uniffiCloneHandle() -> UInt64 {
        return try! rustCall { uniffi_isobox_swift_fn_clone_outputeventstream(self.handle, $0) }
    }
    // No primary constructor declared for this class.

    deinit {
        if handle == 0 {
            // Mock objects have handle=0 don't try to free them
            return
        }

        try! rustCall { uniffi_isobox_swift_fn_free_outputeventstream(handle, $0) }
    }




    /**
     * Ends it and what it came from.
     */
open func close(cancel: CancelToken)async throws   {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_outputeventstream_close(
                        self.uniffiCloneHandle(),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_void,
            completeFunc: ffi_isobox_swift_rust_future_complete_void,
            freeFunc: ffi_isobox_swift_rust_future_free_void,
            liftFunc: { $0 },
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * The next one; none at the end.
     */
open func next(cancel: CancelToken)async throws  -> OutputEvent?  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_outputeventstream_next(
                        self.uniffiCloneHandle(),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_rust_buffer,
            completeFunc: ffi_isobox_swift_rust_future_complete_rust_buffer,
            freeFunc: ffi_isobox_swift_rust_future_free_rust_buffer,
            liftFunc: FfiConverterOptionTypeOutputEvent.lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}



}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeOutputEventStream: FfiConverter {
    typealias FfiType = UInt64
    typealias SwiftType = OutputEventStream

    public static func lift(_ handle: UInt64) throws -> OutputEventStream {
        return OutputEventStream(unsafeFromHandle: handle)
    }

    public static func lower(_ value: OutputEventStream) -> UInt64 {
        return value.uniffiCloneHandle()
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> OutputEventStream {
        let handle: UInt64 = try readInt(&buf)
        return try lift(handle)
    }

    public static func write(_ value: OutputEventStream, into buf: inout [UInt8]) {
        writeInt(&buf, lower(value))
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeOutputEventStream_lift(_ handle: UInt64) throws -> OutputEventStream {
    return try FfiConverterTypeOutputEventStream.lift(handle)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeOutputEventStream_lower(_ value: OutputEventStream) -> UInt64 {
    return FfiConverterTypeOutputEventStream.lower(value)
}






/**
 * Sandboxes that are ready before they are asked for. None is handed out twice.
 */
public protocol PoolProtocol: AnyObject, Sendable {

    /**
     * Ends it with what it keeps ready. What was taken from it stays. Again is fine.
     */
    func close(cancel: CancelToken) async throws

    /**
     * Waits until so many are ready.
     */
    func ready(count: UInt32, cancel: CancelToken) async throws

    /**
     * How it is doing.
     */
    func status(cancel: CancelToken) async throws  -> PoolStatus

    /**
     * A sandbox that is ready, or a new one.
     */
    func take(options: TakeOptions, cancel: CancelToken) async throws  -> Sandbox

}
/**
 * Sandboxes that are ready before they are asked for. None is handed out twice.
 */
open class Pool: PoolProtocol, @unchecked Sendable {
    fileprivate let handle: UInt64

    /// Used to instantiate a [FFIObject] without an actual handle, for fakes in tests, mostly.
#if swift(>=5.8)
    @_documentation(visibility: private)
#endif
    public struct NoHandle {
        public init() {}
    }

    // TODO: We'd like this to be `private` but for Swifty reasons,
    // we can't implement `FfiConverter` without making this `required` and we can't
    // make it `required` without making it `public`.
#if swift(>=5.8)
    @_documentation(visibility: private)
#endif
    required public init(unsafeFromHandle handle: UInt64) {
        self.handle = handle
    }

    // This constructor can be used to instantiate a fake object.
    // - Parameter noHandle: Placeholder value so we can have a constructor separate from the default empty one that may be implemented for classes extending [FFIObject].
    //
    // - Warning:
    //     Any object instantiated with this constructor cannot be passed to an actual Rust-backed object. Since there isn't a backing handle the FFI lower functions will crash.
#if swift(>=5.8)
    @_documentation(visibility: private)
#endif
    public init(noHandle: NoHandle) {
        self.handle = 0
    }

#if swift(>=5.8)
    @_documentation(visibility: private)
#endif
    public func uniffiCloneHandle() -> UInt64 {
        return try! rustCall { uniffi_isobox_swift_fn_clone_pool(self.handle, $0) }
    }
    // No primary constructor declared for this class.

    deinit {
        if handle == 0 {
            // Mock objects have handle=0 don't try to free them
            return
        }

        try! rustCall { uniffi_isobox_swift_fn_free_pool(handle, $0) }
    }




    /**
     * Ends it with what it keeps ready. What was taken from it stays. Again is fine.
     */
open func close(cancel: CancelToken)async throws   {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_pool_close(
                        self.uniffiCloneHandle(),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_void,
            completeFunc: ffi_isobox_swift_rust_future_complete_void,
            freeFunc: ffi_isobox_swift_rust_future_free_void,
            liftFunc: { $0 },
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * Waits until so many are ready.
     */
open func ready(count: UInt32, cancel: CancelToken)async throws   {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_pool_ready(
                        self.uniffiCloneHandle(),FfiConverterUInt32.lower(count),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_void,
            completeFunc: ffi_isobox_swift_rust_future_complete_void,
            freeFunc: ffi_isobox_swift_rust_future_free_void,
            liftFunc: { $0 },
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * How it is doing.
     */
open func status(cancel: CancelToken)async throws  -> PoolStatus  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_pool_status(
                        self.uniffiCloneHandle(),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_rust_buffer,
            completeFunc: ffi_isobox_swift_rust_future_complete_rust_buffer,
            freeFunc: ffi_isobox_swift_rust_future_free_rust_buffer,
            liftFunc: FfiConverterTypePoolStatus_lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * A sandbox that is ready, or a new one.
     */
open func take(options: TakeOptions, cancel: CancelToken)async throws  -> Sandbox  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_pool_take(
                        self.uniffiCloneHandle(),FfiConverterTypeTakeOptions_lower(options),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_u64,
            completeFunc: ffi_isobox_swift_rust_future_complete_u64,
            freeFunc: ffi_isobox_swift_rust_future_free_u64,
            liftFunc: FfiConverterTypeSandbox_lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}



}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypePool: FfiConverter {
    typealias FfiType = UInt64
    typealias SwiftType = Pool

    public static func lift(_ handle: UInt64) throws -> Pool {
        return Pool(unsafeFromHandle: handle)
    }

    public static func lower(_ value: Pool) -> UInt64 {
        return value.uniffiCloneHandle()
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> Pool {
        let handle: UInt64 = try readInt(&buf)
        return try lift(handle)
    }

    public static func write(_ value: Pool, into buf: inout [UInt8]) {
        writeInt(&buf, lower(value))
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypePool_lift(_ handle: UInt64) throws -> Pool {
    return try FfiConverterTypePool.lift(handle)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypePool_lower(_ value: Pool) -> UInt64 {
    return FfiConverterTypePool.lower(value)
}






/**
 * A repository in a sandbox.
 */
public protocol RepositoryProtocol: AnyObject, Sendable {

    /**
     * Prepares paths for the next commit.
     */
    func add(paths: [Data], cancel: CancelToken) async throws

    /**
     * Prepares everything for the next commit.
     */
    func addAll(cancel: CancelToken) async throws

    /**
     * Its branches, with those of remotes.
     */
    func branches(cancel: CancelToken) async throws  -> [GitBranch]

    /**
     * The same, path by path.
     */
    func changes(revision: String, to: String?, cancel: CancelToken) async throws  -> [GitChange]

    /**
     * Checks a revision out.
     */
    func checkout(revision: String, cancel: CancelToken) async throws

    /**
     * Lets it forget that.
     */
    func clearCredentials(cancel: CancelToken) async throws

    /**
     * Makes a commit of what is prepared, and returns its id.
     */
    func commit(message: String, options: CommitOptions, cancel: CancelToken) async throws  -> String

    /**
     * Makes a branch and checks it out.
     */
    func createBranch(name: String, cancel: CancelToken) async throws

    /**
     * The difference between two revisions, or between one and what is there, as a patch.
     */
    func diff(revision: String, to: String?, cancel: CancelToken) async throws  -> Data

    /**
     * Fetches what a remote has.
     */
    func fetch(options: RemoteOptions, cancel: CancelToken) async throws

    /**
     * The commits up to a revision, the newest first.
     */
    func log(revision: String, most: UInt32, cancel: CancelToken) async throws  -> [GitCommit]

    /**
     * Where it is.
     */
    func path()  -> Data

    /**
     * Fetches and merges what a remote has.
     */
    func pull(options: RemoteOptions, cancel: CancelToken) async throws

    /**
     * Gives a remote what it does not have.
     */
    func push(options: RemoteOptions, cancel: CancelToken) async throws

    /**
     * The id of a revision.
     */
    func revParse(revision: String, cancel: CancelToken) async throws  -> String

    /**
     * Sets a value of its configuration.
     */
    func setConfig(key: String, value: String, cancel: CancelToken) async throws

    /**
     * Lets the repository keep a credential for its remotes, until it is cleared.
     */
    func setCredentials(username: String, password: String, cancel: CancelToken) async throws

    /**
     * What it is like.
     */
    func status(cancel: CancelToken) async throws  -> GitStatus

    /**
     * The files that git does not know.
     */
    func untrackedFiles(cancel: CancelToken) async throws  -> [Data]

}
/**
 * A repository in a sandbox.
 */
open class Repository: RepositoryProtocol, @unchecked Sendable {
    fileprivate let handle: UInt64

    /// Used to instantiate a [FFIObject] without an actual handle, for fakes in tests, mostly.
#if swift(>=5.8)
    @_documentation(visibility: private)
#endif
    public struct NoHandle {
        public init() {}
    }

    // TODO: We'd like this to be `private` but for Swifty reasons,
    // we can't implement `FfiConverter` without making this `required` and we can't
    // make it `required` without making it `public`.
#if swift(>=5.8)
    @_documentation(visibility: private)
#endif
    required public init(unsafeFromHandle handle: UInt64) {
        self.handle = handle
    }

    // This constructor can be used to instantiate a fake object.
    // - Parameter noHandle: Placeholder value so we can have a constructor separate from the default empty one that may be implemented for classes extending [FFIObject].
    //
    // - Warning:
    //     Any object instantiated with this constructor cannot be passed to an actual Rust-backed object. Since there isn't a backing handle the FFI lower functions will crash.
#if swift(>=5.8)
    @_documentation(visibility: private)
#endif
    public init(noHandle: NoHandle) {
        self.handle = 0
    }

#if swift(>=5.8)
    @_documentation(visibility: private)
#endif
    public func uniffiCloneHandle() -> UInt64 {
        return try! rustCall { uniffi_isobox_swift_fn_clone_repository(self.handle, $0) }
    }
    // No primary constructor declared for this class.

    deinit {
        if handle == 0 {
            // Mock objects have handle=0 don't try to free them
            return
        }

        try! rustCall { uniffi_isobox_swift_fn_free_repository(handle, $0) }
    }




    /**
     * Prepares paths for the next commit.
     */
open func add(paths: [Data], cancel: CancelToken)async throws   {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_repository_add(
                        self.uniffiCloneHandle(),FfiConverterSequenceData.lower(paths),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_void,
            completeFunc: ffi_isobox_swift_rust_future_complete_void,
            freeFunc: ffi_isobox_swift_rust_future_free_void,
            liftFunc: { $0 },
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * Prepares everything for the next commit.
     */
open func addAll(cancel: CancelToken)async throws   {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_repository_add_all(
                        self.uniffiCloneHandle(),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_void,
            completeFunc: ffi_isobox_swift_rust_future_complete_void,
            freeFunc: ffi_isobox_swift_rust_future_free_void,
            liftFunc: { $0 },
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * Its branches, with those of remotes.
     */
open func branches(cancel: CancelToken)async throws  -> [GitBranch]  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_repository_branches(
                        self.uniffiCloneHandle(),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_rust_buffer,
            completeFunc: ffi_isobox_swift_rust_future_complete_rust_buffer,
            freeFunc: ffi_isobox_swift_rust_future_free_rust_buffer,
            liftFunc: FfiConverterSequenceTypeGitBranch.lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * The same, path by path.
     */
open func changes(revision: String, to: String?, cancel: CancelToken)async throws  -> [GitChange]  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_repository_changes(
                        self.uniffiCloneHandle(),FfiConverterString.lower(revision),FfiConverterOptionString.lower(to),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_rust_buffer,
            completeFunc: ffi_isobox_swift_rust_future_complete_rust_buffer,
            freeFunc: ffi_isobox_swift_rust_future_free_rust_buffer,
            liftFunc: FfiConverterSequenceTypeGitChange.lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * Checks a revision out.
     */
open func checkout(revision: String, cancel: CancelToken)async throws   {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_repository_checkout(
                        self.uniffiCloneHandle(),FfiConverterString.lower(revision),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_void,
            completeFunc: ffi_isobox_swift_rust_future_complete_void,
            freeFunc: ffi_isobox_swift_rust_future_free_void,
            liftFunc: { $0 },
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * Lets it forget that.
     */
open func clearCredentials(cancel: CancelToken)async throws   {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_repository_clear_credentials(
                        self.uniffiCloneHandle(),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_void,
            completeFunc: ffi_isobox_swift_rust_future_complete_void,
            freeFunc: ffi_isobox_swift_rust_future_free_void,
            liftFunc: { $0 },
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * Makes a commit of what is prepared, and returns its id.
     */
open func commit(message: String, options: CommitOptions, cancel: CancelToken)async throws  -> String  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_repository_commit(
                        self.uniffiCloneHandle(),FfiConverterString.lower(message),FfiConverterTypeCommitOptions_lower(options),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_rust_buffer,
            completeFunc: ffi_isobox_swift_rust_future_complete_rust_buffer,
            freeFunc: ffi_isobox_swift_rust_future_free_rust_buffer,
            liftFunc: FfiConverterString.lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * Makes a branch and checks it out.
     */
open func createBranch(name: String, cancel: CancelToken)async throws   {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_repository_create_branch(
                        self.uniffiCloneHandle(),FfiConverterString.lower(name),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_void,
            completeFunc: ffi_isobox_swift_rust_future_complete_void,
            freeFunc: ffi_isobox_swift_rust_future_free_void,
            liftFunc: { $0 },
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * The difference between two revisions, or between one and what is there, as a patch.
     */
open func diff(revision: String, to: String?, cancel: CancelToken)async throws  -> Data  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_repository_diff(
                        self.uniffiCloneHandle(),FfiConverterString.lower(revision),FfiConverterOptionString.lower(to),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_rust_buffer,
            completeFunc: ffi_isobox_swift_rust_future_complete_rust_buffer,
            freeFunc: ffi_isobox_swift_rust_future_free_rust_buffer,
            liftFunc: FfiConverterData.lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * Fetches what a remote has.
     */
open func fetch(options: RemoteOptions, cancel: CancelToken)async throws   {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_repository_fetch(
                        self.uniffiCloneHandle(),FfiConverterTypeRemoteOptions_lower(options),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_void,
            completeFunc: ffi_isobox_swift_rust_future_complete_void,
            freeFunc: ffi_isobox_swift_rust_future_free_void,
            liftFunc: { $0 },
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * The commits up to a revision, the newest first.
     */
open func log(revision: String, most: UInt32, cancel: CancelToken)async throws  -> [GitCommit]  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_repository_log(
                        self.uniffiCloneHandle(),FfiConverterString.lower(revision),FfiConverterUInt32.lower(most),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_rust_buffer,
            completeFunc: ffi_isobox_swift_rust_future_complete_rust_buffer,
            freeFunc: ffi_isobox_swift_rust_future_free_rust_buffer,
            liftFunc: FfiConverterSequenceTypeGitCommit.lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * Where it is.
     */
open func path() -> Data  {
    return try!  FfiConverterData.lift(try! rustCall() {
        uniffiCallStatus in
    uniffi_isobox_swift_fn_method_repository_path(
            self.uniffiCloneHandle(),uniffiCallStatus
    )
})
}

    /**
     * Fetches and merges what a remote has.
     */
open func pull(options: RemoteOptions, cancel: CancelToken)async throws   {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_repository_pull(
                        self.uniffiCloneHandle(),FfiConverterTypeRemoteOptions_lower(options),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_void,
            completeFunc: ffi_isobox_swift_rust_future_complete_void,
            freeFunc: ffi_isobox_swift_rust_future_free_void,
            liftFunc: { $0 },
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * Gives a remote what it does not have.
     */
open func push(options: RemoteOptions, cancel: CancelToken)async throws   {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_repository_push(
                        self.uniffiCloneHandle(),FfiConverterTypeRemoteOptions_lower(options),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_void,
            completeFunc: ffi_isobox_swift_rust_future_complete_void,
            freeFunc: ffi_isobox_swift_rust_future_free_void,
            liftFunc: { $0 },
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * The id of a revision.
     */
open func revParse(revision: String, cancel: CancelToken)async throws  -> String  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_repository_rev_parse(
                        self.uniffiCloneHandle(),FfiConverterString.lower(revision),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_rust_buffer,
            completeFunc: ffi_isobox_swift_rust_future_complete_rust_buffer,
            freeFunc: ffi_isobox_swift_rust_future_free_rust_buffer,
            liftFunc: FfiConverterString.lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * Sets a value of its configuration.
     */
open func setConfig(key: String, value: String, cancel: CancelToken)async throws   {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_repository_set_config(
                        self.uniffiCloneHandle(),FfiConverterString.lower(key),FfiConverterString.lower(value),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_void,
            completeFunc: ffi_isobox_swift_rust_future_complete_void,
            freeFunc: ffi_isobox_swift_rust_future_free_void,
            liftFunc: { $0 },
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * Lets the repository keep a credential for its remotes, until it is cleared.
     */
open func setCredentials(username: String, password: String, cancel: CancelToken)async throws   {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_repository_set_credentials(
                        self.uniffiCloneHandle(),FfiConverterString.lower(username),FfiConverterString.lower(password),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_void,
            completeFunc: ffi_isobox_swift_rust_future_complete_void,
            freeFunc: ffi_isobox_swift_rust_future_free_void,
            liftFunc: { $0 },
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * What it is like.
     */
open func status(cancel: CancelToken)async throws  -> GitStatus  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_repository_status(
                        self.uniffiCloneHandle(),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_rust_buffer,
            completeFunc: ffi_isobox_swift_rust_future_complete_rust_buffer,
            freeFunc: ffi_isobox_swift_rust_future_free_rust_buffer,
            liftFunc: FfiConverterTypeGitStatus_lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * The files that git does not know.
     */
open func untrackedFiles(cancel: CancelToken)async throws  -> [Data]  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_repository_untracked_files(
                        self.uniffiCloneHandle(),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_rust_buffer,
            completeFunc: ffi_isobox_swift_rust_future_complete_rust_buffer,
            freeFunc: ffi_isobox_swift_rust_future_free_rust_buffer,
            liftFunc: FfiConverterSequenceData.lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}



}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeRepository: FfiConverter {
    typealias FfiType = UInt64
    typealias SwiftType = Repository

    public static func lift(_ handle: UInt64) throws -> Repository {
        return Repository(unsafeFromHandle: handle)
    }

    public static func lower(_ value: Repository) -> UInt64 {
        return value.uniffiCloneHandle()
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> Repository {
        let handle: UInt64 = try readInt(&buf)
        return try lift(handle)
    }

    public static func write(_ value: Repository, into buf: inout [UInt8]) {
        writeInt(&buf, lower(value))
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeRepository_lift(_ handle: UInt64) throws -> Repository {
    return try FfiConverterTypeRepository.lift(handle)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeRepository_lower(_ value: Repository) -> UInt64 {
    return FfiConverterTypeRepository.lower(value)
}






/**
 * One place to run commands in. It ends with the last handle of it, and with this process, unless it was detached.
 */
public protocol SandboxProtocol: AnyObject, Sendable {

    /**
     * Makes it this process's: it ends with it.
     */
    func adopt(cancel: CancelToken) async throws

    /**
     * What it can do, by dotted names.
     */
    func capabilities()  -> [String]

    /**
     * Removes it with everything in it. One that is gone is fine.
     */
    func delete(cancel: CancelToken) async throws

    /**
     * Lets it live on without this process. Without a time to live it gets one of a day.
     */
    func detach(cancel: CancelToken) async throws

    /**
     * Waits for its end: how it died, or none when it was stopped or deleted.
     */
    func ended(cancel: CancelToken) async throws  -> PostMortem?

    /**
     * Runs a command to its end. A command that fails, is killed or runs into its timeout is a result, not an error, unless `check` says
     * otherwise. Cancelling the call ends the whole process tree.
     */
    func exec(command: Program, options: ExecOptions, cancel: CancelToken) async throws  -> ExecResult

    /**
     * Its files.
     */
    func files()  -> Files

    /**
     * Copies of it, each with the files that it has now.
     */
    func fork(options: ForkOptions, cancel: CancelToken) async throws  -> [Sandbox]

    /**
     * Opens a port of this machine, on the loopback address, that leads to a port of the sandbox. The same port again gives the same one.
     */
    func forward(port: UInt16, cancel: CancelToken) async throws  -> Endpoint

    /**
     * Git in it.
     */
    func git()  -> Git

    /**
     * The directory of the books that it is written down in, by which another process finds it.
     */
    func home()  -> Data

    /**
     * Its id, unique for ever.
     */
    func id()  -> String

    /**
     * The image that it was made from.
     */
    func image()  -> SandboxImage?

    /**
     * What listens in it now.
     */
    func listeningPorts(cancel: CancelToken) async throws  -> [ListeningPort]

    /**
     * What it uses now.
     */
    func metrics(cancel: CancelToken) async throws  -> Metrics

    /**
     * Freezes it. One that is frozen is fine.
     */
    func pause(cancel: CancelToken) async throws

    /**
     * A command that was started elsewhere, by its id. It does not end with this handle.
     */
    func process(id: String, options: AttachOptions, cancel: CancelToken) async throws  -> SandboxProcess

    /**
     * Every command that runs, and those that ended recently.
     */
    func processes(cancel: CancelToken) async throws  -> [SandboxProcessInfo]

    /**
     * The provider that made it.
     */
    func provider()  -> String

    /**
     * Closes what was opened for a port. Again is fine.
     */
    func release(port: UInt16, cancel: CancelToken) async throws

    /**
     * Changes its limits.
     */
    func resize(options: ResizeOptions, cancel: CancelToken) async throws

    /**
     * Thaws it. One that runs is fine.
     */
    func resume(cancel: CancelToken) async throws

    /**
     * Searching its files.
     */
    func search()  -> Search

    /**
     * What runs in its background, by name.
     */
    func services()  -> Services

    /**
     * Opens a shell that keeps its state between commands.
     */
    func session(options: SessionOptions, cancel: CancelToken) async throws  -> Session

    /**
     * Sets how long it exists, from when it was made.
     */
    func setTtl(ttl: Lifetime, cancel: CancelToken) async throws

    /**
     * Takes a snapshot of its files, from which sandboxes can be made.
     */
    func snapshot(options: SnapshotOptions, cancel: CancelToken) async throws  -> Snapshot

    /**
     * Starts a command and returns as soon as it runs. It ends with its handle, unless it is detached.
     */
    func spawn(command: Program, options: SpawnOptions, cancel: CancelToken) async throws  -> SandboxProcess

    /**
     * Starts it, when it is stopped. One that runs is fine.
     */
    func start(cancel: CancelToken) async throws

    /**
     * What it is doing, as its backend says.
     */
    func status(cancel: CancelToken) async throws  -> Status

    /**
     * Ends everything that runs in it, and keeps its files. One that is stopped is fine.
     */
    func stop(grace: Double?, cancel: CancelToken) async throws

    /**
     * Counts as use, so that its idle timeout begins anew.
     */
    func touch(cancel: CancelToken) async throws

    /**
     * Waits until something listens on a port.
     */
    func waitForPort(port: UInt16, timeout: Double, cancel: CancelToken) async throws

    /**
     * Its working directory, absolute.
     */
    func workdir()  -> Data

}
/**
 * One place to run commands in. It ends with the last handle of it, and with this process, unless it was detached.
 */
open class Sandbox: SandboxProtocol, @unchecked Sendable {
    fileprivate let handle: UInt64

    /// Used to instantiate a [FFIObject] without an actual handle, for fakes in tests, mostly.
#if swift(>=5.8)
    @_documentation(visibility: private)
#endif
    public struct NoHandle {
        public init() {}
    }

    // TODO: We'd like this to be `private` but for Swifty reasons,
    // we can't implement `FfiConverter` without making this `required` and we can't
    // make it `required` without making it `public`.
#if swift(>=5.8)
    @_documentation(visibility: private)
#endif
    required public init(unsafeFromHandle handle: UInt64) {
        self.handle = handle
    }

    // This constructor can be used to instantiate a fake object.
    // - Parameter noHandle: Placeholder value so we can have a constructor separate from the default empty one that may be implemented for classes extending [FFIObject].
    //
    // - Warning:
    //     Any object instantiated with this constructor cannot be passed to an actual Rust-backed object. Since there isn't a backing handle the FFI lower functions will crash.
#if swift(>=5.8)
    @_documentation(visibility: private)
#endif
    public init(noHandle: NoHandle) {
        self.handle = 0
    }

#if swift(>=5.8)
    @_documentation(visibility: private)
#endif
    public func uniffiCloneHandle() -> UInt64 {
        return try! rustCall { uniffi_isobox_swift_fn_clone_sandbox(self.handle, $0) }
    }
    // No primary constructor declared for this class.

    deinit {
        if handle == 0 {
            // Mock objects have handle=0 don't try to free them
            return
        }

        try! rustCall { uniffi_isobox_swift_fn_free_sandbox(handle, $0) }
    }




    /**
     * Makes it this process's: it ends with it.
     */
open func adopt(cancel: CancelToken)async throws   {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_sandbox_adopt(
                        self.uniffiCloneHandle(),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_void,
            completeFunc: ffi_isobox_swift_rust_future_complete_void,
            freeFunc: ffi_isobox_swift_rust_future_free_void,
            liftFunc: { $0 },
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * What it can do, by dotted names.
     */
open func capabilities() -> [String]  {
    return try!  FfiConverterSequenceString.lift(try! rustCall() {
        uniffiCallStatus in
    uniffi_isobox_swift_fn_method_sandbox_capabilities(
            self.uniffiCloneHandle(),uniffiCallStatus
    )
})
}

    /**
     * Removes it with everything in it. One that is gone is fine.
     */
open func delete(cancel: CancelToken)async throws   {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_sandbox_delete(
                        self.uniffiCloneHandle(),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_void,
            completeFunc: ffi_isobox_swift_rust_future_complete_void,
            freeFunc: ffi_isobox_swift_rust_future_free_void,
            liftFunc: { $0 },
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * Lets it live on without this process. Without a time to live it gets one of a day.
     */
open func detach(cancel: CancelToken)async throws   {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_sandbox_detach(
                        self.uniffiCloneHandle(),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_void,
            completeFunc: ffi_isobox_swift_rust_future_complete_void,
            freeFunc: ffi_isobox_swift_rust_future_free_void,
            liftFunc: { $0 },
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * Waits for its end: how it died, or none when it was stopped or deleted.
     */
open func ended(cancel: CancelToken)async throws  -> PostMortem?  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_sandbox_ended(
                        self.uniffiCloneHandle(),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_rust_buffer,
            completeFunc: ffi_isobox_swift_rust_future_complete_rust_buffer,
            freeFunc: ffi_isobox_swift_rust_future_free_rust_buffer,
            liftFunc: FfiConverterOptionTypePostMortem.lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * Runs a command to its end. A command that fails, is killed or runs into its timeout is a result, not an error, unless `check` says
     * otherwise. Cancelling the call ends the whole process tree.
     */
open func exec(command: Program, options: ExecOptions, cancel: CancelToken)async throws  -> ExecResult  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_sandbox_exec(
                        self.uniffiCloneHandle(),FfiConverterTypeProgram_lower(command),FfiConverterTypeExecOptions_lower(options),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_rust_buffer,
            completeFunc: ffi_isobox_swift_rust_future_complete_rust_buffer,
            freeFunc: ffi_isobox_swift_rust_future_free_rust_buffer,
            liftFunc: FfiConverterTypeExecResult_lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * Its files.
     */
open func files() -> Files  {
    return try!  FfiConverterTypeFiles_lift(try! rustCall() {
        uniffiCallStatus in
    uniffi_isobox_swift_fn_method_sandbox_files(
            self.uniffiCloneHandle(),uniffiCallStatus
    )
})
}

    /**
     * Copies of it, each with the files that it has now.
     */
open func fork(options: ForkOptions, cancel: CancelToken)async throws  -> [Sandbox]  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_sandbox_fork(
                        self.uniffiCloneHandle(),FfiConverterTypeForkOptions_lower(options),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_rust_buffer,
            completeFunc: ffi_isobox_swift_rust_future_complete_rust_buffer,
            freeFunc: ffi_isobox_swift_rust_future_free_rust_buffer,
            liftFunc: FfiConverterSequenceTypeSandbox.lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * Opens a port of this machine, on the loopback address, that leads to a port of the sandbox. The same port again gives the same one.
     */
open func forward(port: UInt16, cancel: CancelToken)async throws  -> Endpoint  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_sandbox_forward(
                        self.uniffiCloneHandle(),FfiConverterUInt16.lower(port),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_rust_buffer,
            completeFunc: ffi_isobox_swift_rust_future_complete_rust_buffer,
            freeFunc: ffi_isobox_swift_rust_future_free_rust_buffer,
            liftFunc: FfiConverterTypeEndpoint_lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * Git in it.
     */
open func git() -> Git  {
    return try!  FfiConverterTypeGit_lift(try! rustCall() {
        uniffiCallStatus in
    uniffi_isobox_swift_fn_method_sandbox_git(
            self.uniffiCloneHandle(),uniffiCallStatus
    )
})
}

    /**
     * The directory of the books that it is written down in, by which another process finds it.
     */
open func home() -> Data  {
    return try!  FfiConverterData.lift(try! rustCall() {
        uniffiCallStatus in
    uniffi_isobox_swift_fn_method_sandbox_home(
            self.uniffiCloneHandle(),uniffiCallStatus
    )
})
}

    /**
     * Its id, unique for ever.
     */
open func id() -> String  {
    return try!  FfiConverterString.lift(try! rustCall() {
        uniffiCallStatus in
    uniffi_isobox_swift_fn_method_sandbox_id(
            self.uniffiCloneHandle(),uniffiCallStatus
    )
})
}

    /**
     * The image that it was made from.
     */
open func image() -> SandboxImage?  {
    return try!  FfiConverterOptionTypeSandboxImage.lift(try! rustCall() {
        uniffiCallStatus in
    uniffi_isobox_swift_fn_method_sandbox_image(
            self.uniffiCloneHandle(),uniffiCallStatus
    )
})
}

    /**
     * What listens in it now.
     */
open func listeningPorts(cancel: CancelToken)async throws  -> [ListeningPort]  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_sandbox_listening_ports(
                        self.uniffiCloneHandle(),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_rust_buffer,
            completeFunc: ffi_isobox_swift_rust_future_complete_rust_buffer,
            freeFunc: ffi_isobox_swift_rust_future_free_rust_buffer,
            liftFunc: FfiConverterSequenceTypeListeningPort.lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * What it uses now.
     */
open func metrics(cancel: CancelToken)async throws  -> Metrics  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_sandbox_metrics(
                        self.uniffiCloneHandle(),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_rust_buffer,
            completeFunc: ffi_isobox_swift_rust_future_complete_rust_buffer,
            freeFunc: ffi_isobox_swift_rust_future_free_rust_buffer,
            liftFunc: FfiConverterTypeMetrics_lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * Freezes it. One that is frozen is fine.
     */
open func pause(cancel: CancelToken)async throws   {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_sandbox_pause(
                        self.uniffiCloneHandle(),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_void,
            completeFunc: ffi_isobox_swift_rust_future_complete_void,
            freeFunc: ffi_isobox_swift_rust_future_free_void,
            liftFunc: { $0 },
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * A command that was started elsewhere, by its id. It does not end with this handle.
     */
open func process(id: String, options: AttachOptions, cancel: CancelToken)async throws  -> SandboxProcess  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_sandbox_process(
                        self.uniffiCloneHandle(),FfiConverterString.lower(id),FfiConverterTypeAttachOptions_lower(options),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_u64,
            completeFunc: ffi_isobox_swift_rust_future_complete_u64,
            freeFunc: ffi_isobox_swift_rust_future_free_u64,
            liftFunc: FfiConverterTypeSandboxProcess_lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * Every command that runs, and those that ended recently.
     */
open func processes(cancel: CancelToken)async throws  -> [SandboxProcessInfo]  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_sandbox_processes(
                        self.uniffiCloneHandle(),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_rust_buffer,
            completeFunc: ffi_isobox_swift_rust_future_complete_rust_buffer,
            freeFunc: ffi_isobox_swift_rust_future_free_rust_buffer,
            liftFunc: FfiConverterSequenceTypeSandboxProcessInfo.lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * The provider that made it.
     */
open func provider() -> String  {
    return try!  FfiConverterString.lift(try! rustCall() {
        uniffiCallStatus in
    uniffi_isobox_swift_fn_method_sandbox_provider(
            self.uniffiCloneHandle(),uniffiCallStatus
    )
})
}

    /**
     * Closes what was opened for a port. Again is fine.
     */
open func release(port: UInt16, cancel: CancelToken)async throws   {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_sandbox_release(
                        self.uniffiCloneHandle(),FfiConverterUInt16.lower(port),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_void,
            completeFunc: ffi_isobox_swift_rust_future_complete_void,
            freeFunc: ffi_isobox_swift_rust_future_free_void,
            liftFunc: { $0 },
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * Changes its limits.
     */
open func resize(options: ResizeOptions, cancel: CancelToken)async throws   {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_sandbox_resize(
                        self.uniffiCloneHandle(),FfiConverterTypeResizeOptions_lower(options),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_void,
            completeFunc: ffi_isobox_swift_rust_future_complete_void,
            freeFunc: ffi_isobox_swift_rust_future_free_void,
            liftFunc: { $0 },
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * Thaws it. One that runs is fine.
     */
open func resume(cancel: CancelToken)async throws   {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_sandbox_resume(
                        self.uniffiCloneHandle(),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_void,
            completeFunc: ffi_isobox_swift_rust_future_complete_void,
            freeFunc: ffi_isobox_swift_rust_future_free_void,
            liftFunc: { $0 },
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * Searching its files.
     */
open func search() -> Search  {
    return try!  FfiConverterTypeSearch_lift(try! rustCall() {
        uniffiCallStatus in
    uniffi_isobox_swift_fn_method_sandbox_search(
            self.uniffiCloneHandle(),uniffiCallStatus
    )
})
}

    /**
     * What runs in its background, by name.
     */
open func services() -> Services  {
    return try!  FfiConverterTypeServices_lift(try! rustCall() {
        uniffiCallStatus in
    uniffi_isobox_swift_fn_method_sandbox_services(
            self.uniffiCloneHandle(),uniffiCallStatus
    )
})
}

    /**
     * Opens a shell that keeps its state between commands.
     */
open func session(options: SessionOptions, cancel: CancelToken)async throws  -> Session  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_sandbox_session(
                        self.uniffiCloneHandle(),FfiConverterTypeSessionOptions_lower(options),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_u64,
            completeFunc: ffi_isobox_swift_rust_future_complete_u64,
            freeFunc: ffi_isobox_swift_rust_future_free_u64,
            liftFunc: FfiConverterTypeSession_lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * Sets how long it exists, from when it was made.
     */
open func setTtl(ttl: Lifetime, cancel: CancelToken)async throws   {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_sandbox_set_ttl(
                        self.uniffiCloneHandle(),FfiConverterTypeLifetime_lower(ttl),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_void,
            completeFunc: ffi_isobox_swift_rust_future_complete_void,
            freeFunc: ffi_isobox_swift_rust_future_free_void,
            liftFunc: { $0 },
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * Takes a snapshot of its files, from which sandboxes can be made.
     */
open func snapshot(options: SnapshotOptions, cancel: CancelToken)async throws  -> Snapshot  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_sandbox_snapshot(
                        self.uniffiCloneHandle(),FfiConverterTypeSnapshotOptions_lower(options),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_rust_buffer,
            completeFunc: ffi_isobox_swift_rust_future_complete_rust_buffer,
            freeFunc: ffi_isobox_swift_rust_future_free_rust_buffer,
            liftFunc: FfiConverterTypeSnapshot_lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * Starts a command and returns as soon as it runs. It ends with its handle, unless it is detached.
     */
open func spawn(command: Program, options: SpawnOptions, cancel: CancelToken)async throws  -> SandboxProcess  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_sandbox_spawn(
                        self.uniffiCloneHandle(),FfiConverterTypeProgram_lower(command),FfiConverterTypeSpawnOptions_lower(options),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_u64,
            completeFunc: ffi_isobox_swift_rust_future_complete_u64,
            freeFunc: ffi_isobox_swift_rust_future_free_u64,
            liftFunc: FfiConverterTypeSandboxProcess_lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * Starts it, when it is stopped. One that runs is fine.
     */
open func start(cancel: CancelToken)async throws   {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_sandbox_start(
                        self.uniffiCloneHandle(),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_void,
            completeFunc: ffi_isobox_swift_rust_future_complete_void,
            freeFunc: ffi_isobox_swift_rust_future_free_void,
            liftFunc: { $0 },
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * What it is doing, as its backend says.
     */
open func status(cancel: CancelToken)async throws  -> Status  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_sandbox_status(
                        self.uniffiCloneHandle(),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_rust_buffer,
            completeFunc: ffi_isobox_swift_rust_future_complete_rust_buffer,
            freeFunc: ffi_isobox_swift_rust_future_free_rust_buffer,
            liftFunc: FfiConverterTypeStatus_lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * Ends everything that runs in it, and keeps its files. One that is stopped is fine.
     */
open func stop(grace: Double?, cancel: CancelToken)async throws   {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_sandbox_stop(
                        self.uniffiCloneHandle(),FfiConverterOptionDouble.lower(grace),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_void,
            completeFunc: ffi_isobox_swift_rust_future_complete_void,
            freeFunc: ffi_isobox_swift_rust_future_free_void,
            liftFunc: { $0 },
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * Counts as use, so that its idle timeout begins anew.
     */
open func touch(cancel: CancelToken)async throws   {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_sandbox_touch(
                        self.uniffiCloneHandle(),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_void,
            completeFunc: ffi_isobox_swift_rust_future_complete_void,
            freeFunc: ffi_isobox_swift_rust_future_free_void,
            liftFunc: { $0 },
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * Waits until something listens on a port.
     */
open func waitForPort(port: UInt16, timeout: Double, cancel: CancelToken)async throws   {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_sandbox_wait_for_port(
                        self.uniffiCloneHandle(),FfiConverterUInt16.lower(port),FfiConverterDouble.lower(timeout),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_void,
            completeFunc: ffi_isobox_swift_rust_future_complete_void,
            freeFunc: ffi_isobox_swift_rust_future_free_void,
            liftFunc: { $0 },
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * Its working directory, absolute.
     */
open func workdir() -> Data  {
    return try!  FfiConverterData.lift(try! rustCall() {
        uniffiCallStatus in
    uniffi_isobox_swift_fn_method_sandbox_workdir(
            self.uniffiCloneHandle(),uniffiCallStatus
    )
})
}



}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeSandbox: FfiConverter {
    typealias FfiType = UInt64
    typealias SwiftType = Sandbox

    public static func lift(_ handle: UInt64) throws -> Sandbox {
        return Sandbox(unsafeFromHandle: handle)
    }

    public static func lower(_ value: Sandbox) -> UInt64 {
        return value.uniffiCloneHandle()
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> Sandbox {
        let handle: UInt64 = try readInt(&buf)
        return try lift(handle)
    }

    public static func write(_ value: Sandbox, into buf: inout [UInt8]) {
        writeInt(&buf, lower(value))
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeSandbox_lift(_ handle: UInt64) throws -> Sandbox {
    return try FfiConverterTypeSandbox.lift(handle)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeSandbox_lower(_ value: Sandbox) -> UInt64 {
    return FfiConverterTypeSandbox.lower(value)
}






/**
 * A command that was started. One that was spawned ends with its handle, unless it is detached; one that was found goes on.
 */
public protocol SandboxProcessProtocol: AnyObject, Sendable {

    /**
     * Ends its input. Again is fine.
     */
    func closeStdin(cancel: CancelToken) async throws

    /**
     * Lets it go on without this handle, until the sandbox ends.
     */
    func detach(cancel: CancelToken) async throws

    /**
     * What comes out of it, last its end. Every byte comes; who does not ask slows down the command and nothing else. Several readers
     * share what comes. Closing the stream leaves the command alone.
     */
    func events()  -> OutputEventStream

    /**
     * Its id in the sandbox.
     */
    func id()  -> String

    /**
     * Kills its whole process tree.
     */
    func kill(cancel: CancelToken) async throws

    /**
     * Its process id as seen in the sandbox, when it is known.
     */
    func pid()  -> UInt32?

    /**
     * Changes the size of its terminal.
     */
    func resize(rows: UInt16, cols: UInt16, cancel: CancelToken) async throws

    /**
     * Sends a signal once, by its name such as `INT` or `SIGINT`, or its number. TERM does not escalate. A command that has ended is
     * fine.
     */
    func signal(name: String, target: SignalTarget?, cancel: CancelToken) async throws

    /**
     * Ends its whole process tree: TERM, the grace, KILL. Without a grace that of its start counts.
     */
    func stop(grace: Double?, cancel: CancelToken) async throws

    /**
     * Its end, with what was kept of its output, whether that was read or not. Again gives the same.
     */
    func wait(cancel: CancelToken) async throws  -> ExecResult

    /**
     * Writes to its input and returns when the bytes are accepted. The command must have been started with an open input.
     */
    func write(data: Data, cancel: CancelToken) async throws

}
/**
 * A command that was started. One that was spawned ends with its handle, unless it is detached; one that was found goes on.
 */
open class SandboxProcess: SandboxProcessProtocol, @unchecked Sendable {
    fileprivate let handle: UInt64

    /// Used to instantiate a [FFIObject] without an actual handle, for fakes in tests, mostly.
#if swift(>=5.8)
    @_documentation(visibility: private)
#endif
    public struct NoHandle {
        public init() {}
    }

    // TODO: We'd like this to be `private` but for Swifty reasons,
    // we can't implement `FfiConverter` without making this `required` and we can't
    // make it `required` without making it `public`.
#if swift(>=5.8)
    @_documentation(visibility: private)
#endif
    required public init(unsafeFromHandle handle: UInt64) {
        self.handle = handle
    }

    // This constructor can be used to instantiate a fake object.
    // - Parameter noHandle: Placeholder value so we can have a constructor separate from the default empty one that may be implemented for classes extending [FFIObject].
    //
    // - Warning:
    //     Any object instantiated with this constructor cannot be passed to an actual Rust-backed object. Since there isn't a backing handle the FFI lower functions will crash.
#if swift(>=5.8)
    @_documentation(visibility: private)
#endif
    public init(noHandle: NoHandle) {
        self.handle = 0
    }

#if swift(>=5.8)
    @_documentation(visibility: private)
#endif
    public func uniffiCloneHandle() -> UInt64 {
        return try! rustCall { uniffi_isobox_swift_fn_clone_sandboxprocess(self.handle, $0) }
    }
    // No primary constructor declared for this class.

    deinit {
        if handle == 0 {
            // Mock objects have handle=0 don't try to free them
            return
        }

        try! rustCall { uniffi_isobox_swift_fn_free_sandboxprocess(handle, $0) }
    }




    /**
     * Ends its input. Again is fine.
     */
open func closeStdin(cancel: CancelToken)async throws   {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_sandboxprocess_close_stdin(
                        self.uniffiCloneHandle(),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_void,
            completeFunc: ffi_isobox_swift_rust_future_complete_void,
            freeFunc: ffi_isobox_swift_rust_future_free_void,
            liftFunc: { $0 },
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * Lets it go on without this handle, until the sandbox ends.
     */
open func detach(cancel: CancelToken)async throws   {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_sandboxprocess_detach(
                        self.uniffiCloneHandle(),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_void,
            completeFunc: ffi_isobox_swift_rust_future_complete_void,
            freeFunc: ffi_isobox_swift_rust_future_free_void,
            liftFunc: { $0 },
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * What comes out of it, last its end. Every byte comes; who does not ask slows down the command and nothing else. Several readers
     * share what comes. Closing the stream leaves the command alone.
     */
open func events() -> OutputEventStream  {
    return try!  FfiConverterTypeOutputEventStream_lift(try! rustCall() {
        uniffiCallStatus in
    uniffi_isobox_swift_fn_method_sandboxprocess_events(
            self.uniffiCloneHandle(),uniffiCallStatus
    )
})
}

    /**
     * Its id in the sandbox.
     */
open func id() -> String  {
    return try!  FfiConverterString.lift(try! rustCall() {
        uniffiCallStatus in
    uniffi_isobox_swift_fn_method_sandboxprocess_id(
            self.uniffiCloneHandle(),uniffiCallStatus
    )
})
}

    /**
     * Kills its whole process tree.
     */
open func kill(cancel: CancelToken)async throws   {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_sandboxprocess_kill(
                        self.uniffiCloneHandle(),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_void,
            completeFunc: ffi_isobox_swift_rust_future_complete_void,
            freeFunc: ffi_isobox_swift_rust_future_free_void,
            liftFunc: { $0 },
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * Its process id as seen in the sandbox, when it is known.
     */
open func pid() -> UInt32?  {
    return try!  FfiConverterOptionUInt32.lift(try! rustCall() {
        uniffiCallStatus in
    uniffi_isobox_swift_fn_method_sandboxprocess_pid(
            self.uniffiCloneHandle(),uniffiCallStatus
    )
})
}

    /**
     * Changes the size of its terminal.
     */
open func resize(rows: UInt16, cols: UInt16, cancel: CancelToken)async throws   {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_sandboxprocess_resize(
                        self.uniffiCloneHandle(),FfiConverterUInt16.lower(rows),FfiConverterUInt16.lower(cols),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_void,
            completeFunc: ffi_isobox_swift_rust_future_complete_void,
            freeFunc: ffi_isobox_swift_rust_future_free_void,
            liftFunc: { $0 },
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * Sends a signal once, by its name such as `INT` or `SIGINT`, or its number. TERM does not escalate. A command that has ended is
     * fine.
     */
open func signal(name: String, target: SignalTarget?, cancel: CancelToken)async throws   {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_sandboxprocess_signal(
                        self.uniffiCloneHandle(),FfiConverterString.lower(name),FfiConverterOptionTypeSignalTarget.lower(target),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_void,
            completeFunc: ffi_isobox_swift_rust_future_complete_void,
            freeFunc: ffi_isobox_swift_rust_future_free_void,
            liftFunc: { $0 },
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * Ends its whole process tree: TERM, the grace, KILL. Without a grace that of its start counts.
     */
open func stop(grace: Double?, cancel: CancelToken)async throws   {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_sandboxprocess_stop(
                        self.uniffiCloneHandle(),FfiConverterOptionDouble.lower(grace),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_void,
            completeFunc: ffi_isobox_swift_rust_future_complete_void,
            freeFunc: ffi_isobox_swift_rust_future_free_void,
            liftFunc: { $0 },
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * Its end, with what was kept of its output, whether that was read or not. Again gives the same.
     */
open func wait(cancel: CancelToken)async throws  -> ExecResult  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_sandboxprocess_wait(
                        self.uniffiCloneHandle(),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_rust_buffer,
            completeFunc: ffi_isobox_swift_rust_future_complete_rust_buffer,
            freeFunc: ffi_isobox_swift_rust_future_free_rust_buffer,
            liftFunc: FfiConverterTypeExecResult_lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * Writes to its input and returns when the bytes are accepted. The command must have been started with an open input.
     */
open func write(data: Data, cancel: CancelToken)async throws   {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_sandboxprocess_write(
                        self.uniffiCloneHandle(),FfiConverterData.lower(data),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_void,
            completeFunc: ffi_isobox_swift_rust_future_complete_void,
            freeFunc: ffi_isobox_swift_rust_future_free_void,
            liftFunc: { $0 },
            errorHandler: FfiConverterTypeFailure_lift
        )
}



}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeSandboxProcess: FfiConverter {
    typealias FfiType = UInt64
    typealias SwiftType = SandboxProcess

    public static func lift(_ handle: UInt64) throws -> SandboxProcess {
        return SandboxProcess(unsafeFromHandle: handle)
    }

    public static func lower(_ value: SandboxProcess) -> UInt64 {
        return value.uniffiCloneHandle()
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> SandboxProcess {
        let handle: UInt64 = try readInt(&buf)
        return try lift(handle)
    }

    public static func write(_ value: SandboxProcess, into buf: inout [UInt8]) {
        writeInt(&buf, lower(value))
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeSandboxProcess_lift(_ handle: UInt64) throws -> SandboxProcess {
    return try FfiConverterTypeSandboxProcess.lift(handle)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeSandboxProcess_lower(_ value: SandboxProcess) -> UInt64 {
    return FfiConverterTypeSandboxProcess.lower(value)
}






/**
 * Searching the files of one sandbox, with the same results in every image.
 */
public protocol SearchProtocol: AnyObject, Sendable {

    /**
     * The paths below a directory that match a pattern with `*`, `?`, `[...]` and `**`, sorted.
     */
    func glob(pattern: String, base: Data?, cancel: CancelToken) async throws  -> [Data]

    /**
     * The lines that match a regular expression, by path and line.
     */
    func grep(pattern: String, options: GrepOptions, cancel: CancelToken) async throws  -> [GrepMatch]

    /**
     * Everything below a directory, sorted.
     */
    func walk(base: Data, options: WalkOptions, cancel: CancelToken) async throws  -> [WalkEntry]

}
/**
 * Searching the files of one sandbox, with the same results in every image.
 */
open class Search: SearchProtocol, @unchecked Sendable {
    fileprivate let handle: UInt64

    /// Used to instantiate a [FFIObject] without an actual handle, for fakes in tests, mostly.
#if swift(>=5.8)
    @_documentation(visibility: private)
#endif
    public struct NoHandle {
        public init() {}
    }

    // TODO: We'd like this to be `private` but for Swifty reasons,
    // we can't implement `FfiConverter` without making this `required` and we can't
    // make it `required` without making it `public`.
#if swift(>=5.8)
    @_documentation(visibility: private)
#endif
    required public init(unsafeFromHandle handle: UInt64) {
        self.handle = handle
    }

    // This constructor can be used to instantiate a fake object.
    // - Parameter noHandle: Placeholder value so we can have a constructor separate from the default empty one that may be implemented for classes extending [FFIObject].
    //
    // - Warning:
    //     Any object instantiated with this constructor cannot be passed to an actual Rust-backed object. Since there isn't a backing handle the FFI lower functions will crash.
#if swift(>=5.8)
    @_documentation(visibility: private)
#endif
    public init(noHandle: NoHandle) {
        self.handle = 0
    }

#if swift(>=5.8)
    @_documentation(visibility: private)
#endif
    public func uniffiCloneHandle() -> UInt64 {
        return try! rustCall { uniffi_isobox_swift_fn_clone_search(self.handle, $0) }
    }
    // No primary constructor declared for this class.

    deinit {
        if handle == 0 {
            // Mock objects have handle=0 don't try to free them
            return
        }

        try! rustCall { uniffi_isobox_swift_fn_free_search(handle, $0) }
    }




    /**
     * The paths below a directory that match a pattern with `*`, `?`, `[...]` and `**`, sorted.
     */
open func glob(pattern: String, base: Data?, cancel: CancelToken)async throws  -> [Data]  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_search_glob(
                        self.uniffiCloneHandle(),FfiConverterString.lower(pattern),FfiConverterOptionData.lower(base),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_rust_buffer,
            completeFunc: ffi_isobox_swift_rust_future_complete_rust_buffer,
            freeFunc: ffi_isobox_swift_rust_future_free_rust_buffer,
            liftFunc: FfiConverterSequenceData.lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * The lines that match a regular expression, by path and line.
     */
open func grep(pattern: String, options: GrepOptions, cancel: CancelToken)async throws  -> [GrepMatch]  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_search_grep(
                        self.uniffiCloneHandle(),FfiConverterString.lower(pattern),FfiConverterTypeGrepOptions_lower(options),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_rust_buffer,
            completeFunc: ffi_isobox_swift_rust_future_complete_rust_buffer,
            freeFunc: ffi_isobox_swift_rust_future_free_rust_buffer,
            liftFunc: FfiConverterSequenceTypeGrepMatch.lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * Everything below a directory, sorted.
     */
open func walk(base: Data, options: WalkOptions, cancel: CancelToken)async throws  -> [WalkEntry]  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_search_walk(
                        self.uniffiCloneHandle(),FfiConverterData.lower(base),FfiConverterTypeWalkOptions_lower(options),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_rust_buffer,
            completeFunc: ffi_isobox_swift_rust_future_complete_rust_buffer,
            freeFunc: ffi_isobox_swift_rust_future_free_rust_buffer,
            liftFunc: FfiConverterSequenceTypeWalkEntry.lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}



}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeSearch: FfiConverter {
    typealias FfiType = UInt64
    typealias SwiftType = Search

    public static func lift(_ handle: UInt64) throws -> Search {
        return Search(unsafeFromHandle: handle)
    }

    public static func lower(_ value: Search) -> UInt64 {
        return value.uniffiCloneHandle()
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> Search {
        let handle: UInt64 = try readInt(&buf)
        return try lift(handle)
    }

    public static func write(_ value: Search, into buf: inout [UInt8]) {
        writeInt(&buf, lower(value))
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeSearch_lift(_ handle: UInt64) throws -> Search {
    return try FfiConverterTypeSearch.lift(handle)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeSearch_lower(_ value: Search) -> UInt64 {
    return FfiConverterTypeSearch.lower(value)
}






/**
 * A service of a sandbox.
 */
public protocol ServiceProtocol: AnyObject, Sendable {

    /**
     * The last bytes of its output, at most so many.
     */
    func logs(last: UInt64, cancel: CancelToken) async throws  -> Data

    /**
     * Its name.
     */
    func name()  -> String

    /**
     * The command behind it.
     */
    func process(cancel: CancelToken) async throws  -> SandboxProcess

    /**
     * Whether it runs.
     */
    func status(cancel: CancelToken) async throws  -> ServiceStatus

    /**
     * Ends it with everything that it started. Again is fine.
     */
    func stop(grace: Double?, cancel: CancelToken) async throws

}
/**
 * A service of a sandbox.
 */
open class Service: ServiceProtocol, @unchecked Sendable {
    fileprivate let handle: UInt64

    /// Used to instantiate a [FFIObject] without an actual handle, for fakes in tests, mostly.
#if swift(>=5.8)
    @_documentation(visibility: private)
#endif
    public struct NoHandle {
        public init() {}
    }

    // TODO: We'd like this to be `private` but for Swifty reasons,
    // we can't implement `FfiConverter` without making this `required` and we can't
    // make it `required` without making it `public`.
#if swift(>=5.8)
    @_documentation(visibility: private)
#endif
    required public init(unsafeFromHandle handle: UInt64) {
        self.handle = handle
    }

    // This constructor can be used to instantiate a fake object.
    // - Parameter noHandle: Placeholder value so we can have a constructor separate from the default empty one that may be implemented for classes extending [FFIObject].
    //
    // - Warning:
    //     Any object instantiated with this constructor cannot be passed to an actual Rust-backed object. Since there isn't a backing handle the FFI lower functions will crash.
#if swift(>=5.8)
    @_documentation(visibility: private)
#endif
    public init(noHandle: NoHandle) {
        self.handle = 0
    }

#if swift(>=5.8)
    @_documentation(visibility: private)
#endif
    public func uniffiCloneHandle() -> UInt64 {
        return try! rustCall { uniffi_isobox_swift_fn_clone_service(self.handle, $0) }
    }
    // No primary constructor declared for this class.

    deinit {
        if handle == 0 {
            // Mock objects have handle=0 don't try to free them
            return
        }

        try! rustCall { uniffi_isobox_swift_fn_free_service(handle, $0) }
    }




    /**
     * The last bytes of its output, at most so many.
     */
open func logs(last: UInt64, cancel: CancelToken)async throws  -> Data  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_service_logs(
                        self.uniffiCloneHandle(),FfiConverterUInt64.lower(last),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_rust_buffer,
            completeFunc: ffi_isobox_swift_rust_future_complete_rust_buffer,
            freeFunc: ffi_isobox_swift_rust_future_free_rust_buffer,
            liftFunc: FfiConverterData.lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * Its name.
     */
open func name() -> String  {
    return try!  FfiConverterString.lift(try! rustCall() {
        uniffiCallStatus in
    uniffi_isobox_swift_fn_method_service_name(
            self.uniffiCloneHandle(),uniffiCallStatus
    )
})
}

    /**
     * The command behind it.
     */
open func process(cancel: CancelToken)async throws  -> SandboxProcess  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_service_process(
                        self.uniffiCloneHandle(),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_u64,
            completeFunc: ffi_isobox_swift_rust_future_complete_u64,
            freeFunc: ffi_isobox_swift_rust_future_free_u64,
            liftFunc: FfiConverterTypeSandboxProcess_lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * Whether it runs.
     */
open func status(cancel: CancelToken)async throws  -> ServiceStatus  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_service_status(
                        self.uniffiCloneHandle(),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_rust_buffer,
            completeFunc: ffi_isobox_swift_rust_future_complete_rust_buffer,
            freeFunc: ffi_isobox_swift_rust_future_free_rust_buffer,
            liftFunc: FfiConverterTypeServiceStatus_lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * Ends it with everything that it started. Again is fine.
     */
open func stop(grace: Double?, cancel: CancelToken)async throws   {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_service_stop(
                        self.uniffiCloneHandle(),FfiConverterOptionDouble.lower(grace),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_void,
            completeFunc: ffi_isobox_swift_rust_future_complete_void,
            freeFunc: ffi_isobox_swift_rust_future_free_void,
            liftFunc: { $0 },
            errorHandler: FfiConverterTypeFailure_lift
        )
}



}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeService: FfiConverter {
    typealias FfiType = UInt64
    typealias SwiftType = Service

    public static func lift(_ handle: UInt64) throws -> Service {
        return Service(unsafeFromHandle: handle)
    }

    public static func lower(_ value: Service) -> UInt64 {
        return value.uniffiCloneHandle()
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> Service {
        let handle: UInt64 = try readInt(&buf)
        return try lift(handle)
    }

    public static func write(_ value: Service, into buf: inout [UInt8]) {
        writeInt(&buf, lower(value))
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeService_lift(_ handle: UInt64) throws -> Service {
    return try FfiConverterTypeService.lift(handle)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeService_lower(_ value: Service) -> UInt64 {
    return FfiConverterTypeService.lower(value)
}






/**
 * The services of one sandbox.
 */
public protocol ServicesProtocol: AnyObject, Sendable {

    /**
     * All of them.
     */
    func all(cancel: CancelToken) async throws  -> [Service]

    /**
     * One that was started, by its name.
     */
    func get(name: String, cancel: CancelToken) async throws  -> Service

    /**
     * Starts one and returns when it is ready. It goes on until it is stopped or the sandbox ends, whoever holds it.
     */
    func start(name: String, command: Program, options: ServiceOptions, cancel: CancelToken) async throws  -> Service

}
/**
 * The services of one sandbox.
 */
open class Services: ServicesProtocol, @unchecked Sendable {
    fileprivate let handle: UInt64

    /// Used to instantiate a [FFIObject] without an actual handle, for fakes in tests, mostly.
#if swift(>=5.8)
    @_documentation(visibility: private)
#endif
    public struct NoHandle {
        public init() {}
    }

    // TODO: We'd like this to be `private` but for Swifty reasons,
    // we can't implement `FfiConverter` without making this `required` and we can't
    // make it `required` without making it `public`.
#if swift(>=5.8)
    @_documentation(visibility: private)
#endif
    required public init(unsafeFromHandle handle: UInt64) {
        self.handle = handle
    }

    // This constructor can be used to instantiate a fake object.
    // - Parameter noHandle: Placeholder value so we can have a constructor separate from the default empty one that may be implemented for classes extending [FFIObject].
    //
    // - Warning:
    //     Any object instantiated with this constructor cannot be passed to an actual Rust-backed object. Since there isn't a backing handle the FFI lower functions will crash.
#if swift(>=5.8)
    @_documentation(visibility: private)
#endif
    public init(noHandle: NoHandle) {
        self.handle = 0
    }

#if swift(>=5.8)
    @_documentation(visibility: private)
#endif
    public func uniffiCloneHandle() -> UInt64 {
        return try! rustCall { uniffi_isobox_swift_fn_clone_services(self.handle, $0) }
    }
    // No primary constructor declared for this class.

    deinit {
        if handle == 0 {
            // Mock objects have handle=0 don't try to free them
            return
        }

        try! rustCall { uniffi_isobox_swift_fn_free_services(handle, $0) }
    }




    /**
     * All of them.
     */
open func all(cancel: CancelToken)async throws  -> [Service]  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_services_all(
                        self.uniffiCloneHandle(),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_rust_buffer,
            completeFunc: ffi_isobox_swift_rust_future_complete_rust_buffer,
            freeFunc: ffi_isobox_swift_rust_future_free_rust_buffer,
            liftFunc: FfiConverterSequenceTypeService.lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * One that was started, by its name.
     */
open func get(name: String, cancel: CancelToken)async throws  -> Service  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_services_get(
                        self.uniffiCloneHandle(),FfiConverterString.lower(name),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_u64,
            completeFunc: ffi_isobox_swift_rust_future_complete_u64,
            freeFunc: ffi_isobox_swift_rust_future_free_u64,
            liftFunc: FfiConverterTypeService_lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * Starts one and returns when it is ready. It goes on until it is stopped or the sandbox ends, whoever holds it.
     */
open func start(name: String, command: Program, options: ServiceOptions, cancel: CancelToken)async throws  -> Service  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_services_start(
                        self.uniffiCloneHandle(),FfiConverterString.lower(name),FfiConverterTypeProgram_lower(command),FfiConverterTypeServiceOptions_lower(options),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_u64,
            completeFunc: ffi_isobox_swift_rust_future_complete_u64,
            freeFunc: ffi_isobox_swift_rust_future_free_u64,
            liftFunc: FfiConverterTypeService_lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}



}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeServices: FfiConverter {
    typealias FfiType = UInt64
    typealias SwiftType = Services

    public static func lift(_ handle: UInt64) throws -> Services {
        return Services(unsafeFromHandle: handle)
    }

    public static func lower(_ value: Services) -> UInt64 {
        return value.uniffiCloneHandle()
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> Services {
        let handle: UInt64 = try readInt(&buf)
        return try lift(handle)
    }

    public static func write(_ value: Services, into buf: inout [UInt8]) {
        writeInt(&buf, lower(value))
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeServices_lift(_ handle: UInt64) throws -> Services {
    return try FfiConverterTypeServices.lift(handle)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeServices_lower(_ value: Services) -> UInt64 {
    return FfiConverterTypeServices.lower(value)
}






/**
 * A shell that keeps its directory, variables and functions between commands.
 */
public protocol SessionProtocol: AnyObject, Sendable {

    /**
     * Ends it and everything that it started. Again is fine.
     */
    func close(cancel: CancelToken) async throws

    /**
     * Interrupts what runs in it, as Ctrl-C does.
     */
    func interrupt(cancel: CancelToken) async throws

    /**
     * Runs a script in it. One that runs into its timeout is interrupted, and the session stays usable.
     */
    func run(script: Data, timeout: Double?, cancel: CancelToken) async throws  -> SessionOutput

}
/**
 * A shell that keeps its directory, variables and functions between commands.
 */
open class Session: SessionProtocol, @unchecked Sendable {
    fileprivate let handle: UInt64

    /// Used to instantiate a [FFIObject] without an actual handle, for fakes in tests, mostly.
#if swift(>=5.8)
    @_documentation(visibility: private)
#endif
    public struct NoHandle {
        public init() {}
    }

    // TODO: We'd like this to be `private` but for Swifty reasons,
    // we can't implement `FfiConverter` without making this `required` and we can't
    // make it `required` without making it `public`.
#if swift(>=5.8)
    @_documentation(visibility: private)
#endif
    required public init(unsafeFromHandle handle: UInt64) {
        self.handle = handle
    }

    // This constructor can be used to instantiate a fake object.
    // - Parameter noHandle: Placeholder value so we can have a constructor separate from the default empty one that may be implemented for classes extending [FFIObject].
    //
    // - Warning:
    //     Any object instantiated with this constructor cannot be passed to an actual Rust-backed object. Since there isn't a backing handle the FFI lower functions will crash.
#if swift(>=5.8)
    @_documentation(visibility: private)
#endif
    public init(noHandle: NoHandle) {
        self.handle = 0
    }

#if swift(>=5.8)
    @_documentation(visibility: private)
#endif
    public func uniffiCloneHandle() -> UInt64 {
        return try! rustCall { uniffi_isobox_swift_fn_clone_session(self.handle, $0) }
    }
    // No primary constructor declared for this class.

    deinit {
        if handle == 0 {
            // Mock objects have handle=0 don't try to free them
            return
        }

        try! rustCall { uniffi_isobox_swift_fn_free_session(handle, $0) }
    }




    /**
     * Ends it and everything that it started. Again is fine.
     */
open func close(cancel: CancelToken)async throws   {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_session_close(
                        self.uniffiCloneHandle(),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_void,
            completeFunc: ffi_isobox_swift_rust_future_complete_void,
            freeFunc: ffi_isobox_swift_rust_future_free_void,
            liftFunc: { $0 },
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * Interrupts what runs in it, as Ctrl-C does.
     */
open func interrupt(cancel: CancelToken)async throws   {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_session_interrupt(
                        self.uniffiCloneHandle(),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_void,
            completeFunc: ffi_isobox_swift_rust_future_complete_void,
            freeFunc: ffi_isobox_swift_rust_future_free_void,
            liftFunc: { $0 },
            errorHandler: FfiConverterTypeFailure_lift
        )
}

    /**
     * Runs a script in it. One that runs into its timeout is interrupted, and the session stays usable.
     */
open func run(script: Data, timeout: Double?, cancel: CancelToken)async throws  -> SessionOutput  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_method_session_run(
                        self.uniffiCloneHandle(),FfiConverterData.lower(script),FfiConverterOptionDouble.lower(timeout),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_rust_buffer,
            completeFunc: ffi_isobox_swift_rust_future_complete_rust_buffer,
            freeFunc: ffi_isobox_swift_rust_future_free_rust_buffer,
            liftFunc: FfiConverterTypeSessionOutput_lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}



}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeSession: FfiConverter {
    typealias FfiType = UInt64
    typealias SwiftType = Session

    public static func lift(_ handle: UInt64) throws -> Session {
        return Session(unsafeFromHandle: handle)
    }

    public static func lower(_ value: Session) -> UInt64 {
        return value.uniffiCloneHandle()
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> Session {
        let handle: UInt64 = try readInt(&buf)
        return try lift(handle)
    }

    public static func write(_ value: Session, into buf: inout [UInt8]) {
        writeInt(&buf, lower(value))
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeSession_lift(_ handle: UInt64) throws -> Session {
    return try FfiConverterTypeSession.lift(handle)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeSession_lower(_ value: Session) -> UInt64 {
    return FfiConverterTypeSession.lower(value)
}




/**
 * Where to start with a command that runs already.
 */
public struct AttachOptions: Equatable, Hashable {
    /**
     * Only what comes from now on; by default first all that is kept.
     */
    public var onlyNew: Bool
    /**
     * Bytes of stdout that were seen already, to go on behind them.
     */
    public var afterStdout: UInt64?
    /**
     * Bytes of stderr that were seen already, to go on behind them.
     */
    public var afterStderr: UInt64?

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * Only what comes from now on; by default first all that is kept.
         */onlyNew: Bool = false,
        /**
         * Bytes of stdout that were seen already, to go on behind them.
         */afterStdout: UInt64? = nil,
        /**
         * Bytes of stderr that were seen already, to go on behind them.
         */afterStderr: UInt64? = nil) {
        self.onlyNew = onlyNew
        self.afterStdout = afterStdout
        self.afterStderr = afterStderr
    }




}

#if compiler(>=6)
extension AttachOptions: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeAttachOptions: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> AttachOptions {
        return
            try AttachOptions(
                onlyNew: FfiConverterBool.read(from: &buf),
                afterStdout: FfiConverterOptionUInt64.read(from: &buf),
                afterStderr: FfiConverterOptionUInt64.read(from: &buf)
        )
    }

    public static func write(_ value: AttachOptions, into buf: inout [UInt8]) {
        FfiConverterBool.write(value.onlyNew, into: &buf)
        FfiConverterOptionUInt64.write(value.afterStdout, into: &buf)
        FfiConverterOptionUInt64.write(value.afterStderr, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeAttachOptions_lift(_ buf: RustBuffer) throws -> AttachOptions {
    return try FfiConverterTypeAttachOptions.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeAttachOptions_lower(_ value: AttachOptions) -> RustBuffer {
    return FfiConverterTypeAttachOptions.lower(value)
}


/**
 * What of a repository is cloned.
 */
public struct CloneOptions: Equatable, Hashable {
    /**
     * The branch; the remote's own choice by default.
     */
    public var branch: String?
    /**
     * The commit that is checked out.
     */
    public var commit: String?
    /**
     * The tag that is checked out.
     */
    public var tag: String?
    /**
     * How many commits of the past; all by default.
     */
    public var depth: UInt32?
    /**
     * The user, for this call alone.
     */
    public var username: String?
    /**
     * The password or token, for this call alone.
     */
    public var password: String?
    /**
     * How often it is tried when the remote cannot be reached; once by default.
     */
    public var attempts: UInt32?
    /**
     * How long is waited between two attempts.
     */
    public var wait: Double?

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * The branch; the remote's own choice by default.
         */branch: String? = nil,
        /**
         * The commit that is checked out.
         */commit: String? = nil,
        /**
         * The tag that is checked out.
         */tag: String? = nil,
        /**
         * How many commits of the past; all by default.
         */depth: UInt32? = nil,
        /**
         * The user, for this call alone.
         */username: String? = nil,
        /**
         * The password or token, for this call alone.
         */password: String? = nil,
        /**
         * How often it is tried when the remote cannot be reached; once by default.
         */attempts: UInt32? = nil,
        /**
         * How long is waited between two attempts.
         */wait: Double? = nil) {
        self.branch = branch
        self.commit = commit
        self.tag = tag
        self.depth = depth
        self.username = username
        self.password = password
        self.attempts = attempts
        self.wait = wait
    }




}

#if compiler(>=6)
extension CloneOptions: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeCloneOptions: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> CloneOptions {
        return
            try CloneOptions(
                branch: FfiConverterOptionString.read(from: &buf),
                commit: FfiConverterOptionString.read(from: &buf),
                tag: FfiConverterOptionString.read(from: &buf),
                depth: FfiConverterOptionUInt32.read(from: &buf),
                username: FfiConverterOptionString.read(from: &buf),
                password: FfiConverterOptionString.read(from: &buf),
                attempts: FfiConverterOptionUInt32.read(from: &buf),
                wait: FfiConverterOptionDouble.read(from: &buf)
        )
    }

    public static func write(_ value: CloneOptions, into buf: inout [UInt8]) {
        FfiConverterOptionString.write(value.branch, into: &buf)
        FfiConverterOptionString.write(value.commit, into: &buf)
        FfiConverterOptionString.write(value.tag, into: &buf)
        FfiConverterOptionUInt32.write(value.depth, into: &buf)
        FfiConverterOptionString.write(value.username, into: &buf)
        FfiConverterOptionString.write(value.password, into: &buf)
        FfiConverterOptionUInt32.write(value.attempts, into: &buf)
        FfiConverterOptionDouble.write(value.wait, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeCloneOptions_lift(_ buf: RustBuffer) throws -> CloneOptions {
    return try FfiConverterTypeCloneOptions.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeCloneOptions_lower(_ value: CloneOptions) -> RustBuffer {
    return FfiConverterTypeCloneOptions.lower(value)
}


/**
 * How a commit is made.
 */
public struct CommitOptions: Equatable, Hashable {
    /**
     * The name of its author; what git is configured with by default.
     */
    public var author: String?
    /**
     * The address of its author.
     */
    public var email: String?
    /**
     * Make it also when nothing is changed.
     */
    public var allowEmpty: Bool

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * The name of its author; what git is configured with by default.
         */author: String? = nil,
        /**
         * The address of its author.
         */email: String? = nil,
        /**
         * Make it also when nothing is changed.
         */allowEmpty: Bool = false) {
        self.author = author
        self.email = email
        self.allowEmpty = allowEmpty
    }




}

#if compiler(>=6)
extension CommitOptions: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeCommitOptions: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> CommitOptions {
        return
            try CommitOptions(
                author: FfiConverterOptionString.read(from: &buf),
                email: FfiConverterOptionString.read(from: &buf),
                allowEmpty: FfiConverterBool.read(from: &buf)
        )
    }

    public static func write(_ value: CommitOptions, into buf: inout [UInt8]) {
        FfiConverterOptionString.write(value.author, into: &buf)
        FfiConverterOptionString.write(value.email, into: &buf)
        FfiConverterBool.write(value.allowEmpty, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeCommitOptions_lift(_ buf: RustBuffer) throws -> CommitOptions {
    return try FfiConverterTypeCommitOptions.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeCommitOptions_lower(_ value: CommitOptions) -> RustBuffer {
    return FfiConverterTypeCommitOptions.lower(value)
}


/**
 * What a sandbox is made from and like. It is made from one of `image`, `archive`, `rootfs`, `snapshot` and `workspace`; from the
 * machine's own programs, read-only, by default.
 */
public struct CreateOptions: Equatable, Hashable {
    /**
     * Which provider makes it, such as `namespace`, `docker` or `host`; the first isolating one that works here by default.
     */
    public var provider: String?
    /**
     * A name, unique among live sandboxes.
     */
    public var name: String?
    /**
     * An image, such as `debian:12`.
     */
    public var image: String?
    /**
     * When the image is fetched; when it is missing by default.
     */
    public var pull: PullPolicy?
    /**
     * The platform of the image, such as `linux/arm64`; this machine's by default.
     */
    public var platform: String?
    /**
     * The credential for the image's registry.
     */
    public var auth: RegistryAuth?
    /**
     * An archive or layout folder of this machine with an image, as `docker save` and OCI tools write them.
     */
    public var archiveBytes: Data?
    /**
     * A directory of this machine as the root filesystem, which is never written to.
     */
    public var rootfsBytes: Data?
    /**
     * A snapshot, by its name or id.
     */
    public var snapshot: String?
    /**
     * A directory of this machine as the workspace, which it may change and which is never removed.
     */
    public var workspaceBytes: Data?
    /**
     * Variables for every command.
     */
    public var env: [String: String]
    /**
     * Labels, by which it is listed.
     */
    public var labels: [String: String]
    /**
     * The user that commands run as: a name, `uid`, `uid:gid` or `name:group`; that of the image by default.
     */
    public var user: String?
    /**
     * The working directory, absolute; that of the image by default.
     */
    public var workdirBytes: Data?
    /**
     * Processors; fractions are fine.
     */
    public var cpus: Double?
    /**
     * Memory.
     */
    public var memory: Size?
    /**
     * Disk.
     */
    public var disk: Size?
    /**
     * Processes and threads.
     */
    public var pids: UInt64?
    /**
     * GPUs.
     */
    public var gpus: UInt32?
    /**
     * What is mounted.
     */
    public var mounts: [Mount]
    /**
     * Volumes.
     */
    public var volumes: [VolumeMount]
    /**
     * Secrets.
     */
    public var secrets: [Secret]
    /**
     * Ports that will be asked for.
     */
    public var ports: [UInt16]
    /**
     * What it may reach; nothing by default.
     */
    public var network: NetworkPolicy?
    /**
     * How long it exists, whatever it does; for ever by default, and a day when it is detached.
     */
    public var ttl: Lifetime?
    /**
     * How long it exists without use: a running command, a transfer, or a connection to a port.
     */
    public var idleTimeout: Lifetime?
    /**
     * What happens at the end of either; it is removed by default.
     */
    public var onExpiry: Expiry?
    /**
     * What happens at the end of the idle timeout, where that differs.
     */
    public var onIdle: Expiry?
    /**
     * Let it live on without this process.
     */
    public var detached: Bool
    /**
     * How long this process may be out of touch; a few seconds by default.
     */
    public var ownerLease: Double?
    /**
     * Run the image's own entrypoint too.
     */
    public var entrypoint: Bool
    /**
     * The least isolation that is accepted.
     */
    public var leastIsolation: Isolation?
    /**
     * How long making it may take; 300 seconds by default.
     */
    public var createTimeout: Double?
    /**
     * The same key with the same request gives the same sandbox, and makes nothing again.
     */
    public var idempotencyKey: String?
    /**
     * What only the namespace provider knows.
     */
    public var namespace: NamespaceOptions?
    /**
     * What only the Docker provider knows.
     */
    public var docker: DockerOptions?
    /**
     * What only the host provider knows.
     */
    public var host: HostOptions?

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * Which provider makes it, such as `namespace`, `docker` or `host`; the first isolating one that works here by default.
         */provider: String? = nil,
        /**
         * A name, unique among live sandboxes.
         */name: String? = nil,
        /**
         * An image, such as `debian:12`.
         */image: String? = nil,
        /**
         * When the image is fetched; when it is missing by default.
         */pull: PullPolicy? = nil,
        /**
         * The platform of the image, such as `linux/arm64`; this machine's by default.
         */platform: String? = nil,
        /**
         * The credential for the image's registry.
         */auth: RegistryAuth? = nil,
        /**
         * An archive or layout folder of this machine with an image, as `docker save` and OCI tools write them.
         */archiveBytes: Data? = nil,
        /**
         * A directory of this machine as the root filesystem, which is never written to.
         */rootfsBytes: Data? = nil,
        /**
         * A snapshot, by its name or id.
         */snapshot: String? = nil,
        /**
         * A directory of this machine as the workspace, which it may change and which is never removed.
         */workspaceBytes: Data? = nil,
        /**
         * Variables for every command.
         */env: [String: String] = [:],
        /**
         * Labels, by which it is listed.
         */labels: [String: String] = [:],
        /**
         * The user that commands run as: a name, `uid`, `uid:gid` or `name:group`; that of the image by default.
         */user: String? = nil,
        /**
         * The working directory, absolute; that of the image by default.
         */workdirBytes: Data? = nil,
        /**
         * Processors; fractions are fine.
         */cpus: Double? = nil,
        /**
         * Memory.
         */memory: Size? = nil,
        /**
         * Disk.
         */disk: Size? = nil,
        /**
         * Processes and threads.
         */pids: UInt64? = nil,
        /**
         * GPUs.
         */gpus: UInt32? = nil,
        /**
         * What is mounted.
         */mounts: [Mount] = [],
        /**
         * Volumes.
         */volumes: [VolumeMount] = [],
        /**
         * Secrets.
         */secrets: [Secret] = [],
        /**
         * Ports that will be asked for.
         */ports: [UInt16] = [],
        /**
         * What it may reach; nothing by default.
         */network: NetworkPolicy? = nil,
        /**
         * How long it exists, whatever it does; for ever by default, and a day when it is detached.
         */ttl: Lifetime? = nil,
        /**
         * How long it exists without use: a running command, a transfer, or a connection to a port.
         */idleTimeout: Lifetime? = nil,
        /**
         * What happens at the end of either; it is removed by default.
         */onExpiry: Expiry? = nil,
        /**
         * What happens at the end of the idle timeout, where that differs.
         */onIdle: Expiry? = nil,
        /**
         * Let it live on without this process.
         */detached: Bool = false,
        /**
         * How long this process may be out of touch; a few seconds by default.
         */ownerLease: Double? = nil,
        /**
         * Run the image's own entrypoint too.
         */entrypoint: Bool = false,
        /**
         * The least isolation that is accepted.
         */leastIsolation: Isolation? = nil,
        /**
         * How long making it may take; 300 seconds by default.
         */createTimeout: Double? = nil,
        /**
         * The same key with the same request gives the same sandbox, and makes nothing again.
         */idempotencyKey: String? = nil,
        /**
         * What only the namespace provider knows.
         */namespace: NamespaceOptions? = nil,
        /**
         * What only the Docker provider knows.
         */docker: DockerOptions? = nil,
        /**
         * What only the host provider knows.
         */host: HostOptions? = nil) {
        self.provider = provider
        self.name = name
        self.image = image
        self.pull = pull
        self.platform = platform
        self.auth = auth
        self.archiveBytes = archiveBytes
        self.rootfsBytes = rootfsBytes
        self.snapshot = snapshot
        self.workspaceBytes = workspaceBytes
        self.env = env
        self.labels = labels
        self.user = user
        self.workdirBytes = workdirBytes
        self.cpus = cpus
        self.memory = memory
        self.disk = disk
        self.pids = pids
        self.gpus = gpus
        self.mounts = mounts
        self.volumes = volumes
        self.secrets = secrets
        self.ports = ports
        self.network = network
        self.ttl = ttl
        self.idleTimeout = idleTimeout
        self.onExpiry = onExpiry
        self.onIdle = onIdle
        self.detached = detached
        self.ownerLease = ownerLease
        self.entrypoint = entrypoint
        self.leastIsolation = leastIsolation
        self.createTimeout = createTimeout
        self.idempotencyKey = idempotencyKey
        self.namespace = namespace
        self.docker = docker
        self.host = host
    }




}

#if compiler(>=6)
extension CreateOptions: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeCreateOptions: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> CreateOptions {
        return
            try CreateOptions(
                provider: FfiConverterOptionString.read(from: &buf),
                name: FfiConverterOptionString.read(from: &buf),
                image: FfiConverterOptionString.read(from: &buf),
                pull: FfiConverterOptionTypePullPolicy.read(from: &buf),
                platform: FfiConverterOptionString.read(from: &buf),
                auth: FfiConverterOptionTypeRegistryAuth.read(from: &buf),
                archiveBytes: FfiConverterOptionData.read(from: &buf),
                rootfsBytes: FfiConverterOptionData.read(from: &buf),
                snapshot: FfiConverterOptionString.read(from: &buf),
                workspaceBytes: FfiConverterOptionData.read(from: &buf),
                env: FfiConverterDictionaryStringString.read(from: &buf),
                labels: FfiConverterDictionaryStringString.read(from: &buf),
                user: FfiConverterOptionString.read(from: &buf),
                workdirBytes: FfiConverterOptionData.read(from: &buf),
                cpus: FfiConverterOptionDouble.read(from: &buf),
                memory: FfiConverterOptionTypeSize.read(from: &buf),
                disk: FfiConverterOptionTypeSize.read(from: &buf),
                pids: FfiConverterOptionUInt64.read(from: &buf),
                gpus: FfiConverterOptionUInt32.read(from: &buf),
                mounts: FfiConverterSequenceTypeMount.read(from: &buf),
                volumes: FfiConverterSequenceTypeVolumeMount.read(from: &buf),
                secrets: FfiConverterSequenceTypeSecret.read(from: &buf),
                ports: FfiConverterSequenceUInt16.read(from: &buf),
                network: FfiConverterOptionTypeNetworkPolicy.read(from: &buf),
                ttl: FfiConverterOptionTypeLifetime.read(from: &buf),
                idleTimeout: FfiConverterOptionTypeLifetime.read(from: &buf),
                onExpiry: FfiConverterOptionTypeExpiry.read(from: &buf),
                onIdle: FfiConverterOptionTypeExpiry.read(from: &buf),
                detached: FfiConverterBool.read(from: &buf),
                ownerLease: FfiConverterOptionDouble.read(from: &buf),
                entrypoint: FfiConverterBool.read(from: &buf),
                leastIsolation: FfiConverterOptionTypeIsolation.read(from: &buf),
                createTimeout: FfiConverterOptionDouble.read(from: &buf),
                idempotencyKey: FfiConverterOptionString.read(from: &buf),
                namespace: FfiConverterOptionTypeNamespaceOptions.read(from: &buf),
                docker: FfiConverterOptionTypeDockerOptions.read(from: &buf),
                host: FfiConverterOptionTypeHostOptions.read(from: &buf)
        )
    }

    public static func write(_ value: CreateOptions, into buf: inout [UInt8]) {
        FfiConverterOptionString.write(value.provider, into: &buf)
        FfiConverterOptionString.write(value.name, into: &buf)
        FfiConverterOptionString.write(value.image, into: &buf)
        FfiConverterOptionTypePullPolicy.write(value.pull, into: &buf)
        FfiConverterOptionString.write(value.platform, into: &buf)
        FfiConverterOptionTypeRegistryAuth.write(value.auth, into: &buf)
        FfiConverterOptionData.write(value.archiveBytes, into: &buf)
        FfiConverterOptionData.write(value.rootfsBytes, into: &buf)
        FfiConverterOptionString.write(value.snapshot, into: &buf)
        FfiConverterOptionData.write(value.workspaceBytes, into: &buf)
        FfiConverterDictionaryStringString.write(value.env, into: &buf)
        FfiConverterDictionaryStringString.write(value.labels, into: &buf)
        FfiConverterOptionString.write(value.user, into: &buf)
        FfiConverterOptionData.write(value.workdirBytes, into: &buf)
        FfiConverterOptionDouble.write(value.cpus, into: &buf)
        FfiConverterOptionTypeSize.write(value.memory, into: &buf)
        FfiConverterOptionTypeSize.write(value.disk, into: &buf)
        FfiConverterOptionUInt64.write(value.pids, into: &buf)
        FfiConverterOptionUInt32.write(value.gpus, into: &buf)
        FfiConverterSequenceTypeMount.write(value.mounts, into: &buf)
        FfiConverterSequenceTypeVolumeMount.write(value.volumes, into: &buf)
        FfiConverterSequenceTypeSecret.write(value.secrets, into: &buf)
        FfiConverterSequenceUInt16.write(value.ports, into: &buf)
        FfiConverterOptionTypeNetworkPolicy.write(value.network, into: &buf)
        FfiConverterOptionTypeLifetime.write(value.ttl, into: &buf)
        FfiConverterOptionTypeLifetime.write(value.idleTimeout, into: &buf)
        FfiConverterOptionTypeExpiry.write(value.onExpiry, into: &buf)
        FfiConverterOptionTypeExpiry.write(value.onIdle, into: &buf)
        FfiConverterBool.write(value.detached, into: &buf)
        FfiConverterOptionDouble.write(value.ownerLease, into: &buf)
        FfiConverterBool.write(value.entrypoint, into: &buf)
        FfiConverterOptionTypeIsolation.write(value.leastIsolation, into: &buf)
        FfiConverterOptionDouble.write(value.createTimeout, into: &buf)
        FfiConverterOptionString.write(value.idempotencyKey, into: &buf)
        FfiConverterOptionTypeNamespaceOptions.write(value.namespace, into: &buf)
        FfiConverterOptionTypeDockerOptions.write(value.docker, into: &buf)
        FfiConverterOptionTypeHostOptions.write(value.host, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeCreateOptions_lift(_ buf: RustBuffer) throws -> CreateOptions {
    return try FfiConverterTypeCreateOptions.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeCreateOptions_lower(_ value: CreateOptions) -> RustBuffer {
    return FfiConverterTypeCreateOptions.lower(value)
}


/**
 * A connection or name that the network policy refused.
 */
public struct Denial: Equatable, Hashable {
    /**
     * When.
     */
    public var at: Date
    /**
     * What was tried.
     */
    public var `protocol`: DeniedProtocol
    /**
     * The host name, when one was asked for.
     */
    public var host: String?
    /**
     * The address, when one was tried.
     */
    public var address: String?
    /**
     * The port.
     */
    public var port: UInt16?
    /**
     * Why.
     */
    public var reason: DenialReason

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * When.
         */at: Date,
        /**
         * What was tried.
         */`protocol`: DeniedProtocol,
        /**
         * The host name, when one was asked for.
         */host: String? = nil,
        /**
         * The address, when one was tried.
         */address: String? = nil,
        /**
         * The port.
         */port: UInt16? = nil,
        /**
         * Why.
         */reason: DenialReason) {
        self.at = at
        self.`protocol` = `protocol`
        self.host = host
        self.address = address
        self.port = port
        self.reason = reason
    }




}

#if compiler(>=6)
extension Denial: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeDenial: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> Denial {
        return
            try Denial(
                at: FfiConverterTimestamp.read(from: &buf),
                protocol: FfiConverterTypeDeniedProtocol.read(from: &buf),
                host: FfiConverterOptionString.read(from: &buf),
                address: FfiConverterOptionString.read(from: &buf),
                port: FfiConverterOptionUInt16.read(from: &buf),
                reason: FfiConverterTypeDenialReason.read(from: &buf)
        )
    }

    public static func write(_ value: Denial, into buf: inout [UInt8]) {
        FfiConverterTimestamp.write(value.at, into: &buf)
        FfiConverterTypeDeniedProtocol.write(value.`protocol`, into: &buf)
        FfiConverterOptionString.write(value.host, into: &buf)
        FfiConverterOptionString.write(value.address, into: &buf)
        FfiConverterOptionUInt16.write(value.port, into: &buf)
        FfiConverterTypeDenialReason.write(value.reason, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeDenial_lift(_ buf: RustBuffer) throws -> Denial {
    return try FfiConverterTypeDenial.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeDenial_lower(_ value: Denial) -> RustBuffer {
    return FfiConverterTypeDenial.lower(value)
}


/**
 * What only the Docker provider knows.
 */
public struct DockerOptions: Equatable, Hashable {
    /**
     * The runtime, such as `runsc` or `kata`.
     */
    public var runtime: String?
    /**
     * All privileges. Ends all isolation.
     */
    public var privileged: Bool
    /**
     * The machine's own network.
     */
    public var hostNetwork: Bool
    /**
     * A network that exists.
     */
    public var network: String?
    /**
     * Names and addresses for `/etc/hosts`.
     */
    public var extraHosts: [String: String]
    /**
     * The addresses of name servers.
     */
    public var dns: [String]
    /**
     * Capabilities to add.
     */
    public var capAdd: [String]
    /**
     * Capabilities to drop.
     */
    public var capDrop: [String]
    /**
     * Security options.
     */
    public var securityOpt: [String]
    /**
     * The size of `/dev/shm`.
     */
    public var shmSize: Size?
    /**
     * Limits as `name=soft:hard`.
     */
    public var ulimits: [String]
    /**
     * Devices as `host[:container[:rwm]]`.
     */
    public var devices: [String]
    /**
     * Kernel parameters.
     */
    public var sysctls: [String: String]
    /**
     * The host name inside.
     */
    public var hostname: String?
    /**
     * The working directory is a volume of the sandbox's own.
     */
    public var workspaceVolume: Bool
    /**
     * Containers beside it.
     */
    public var sidecars: [Sidecar]

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * The runtime, such as `runsc` or `kata`.
         */runtime: String? = nil,
        /**
         * All privileges. Ends all isolation.
         */privileged: Bool = false,
        /**
         * The machine's own network.
         */hostNetwork: Bool = false,
        /**
         * A network that exists.
         */network: String? = nil,
        /**
         * Names and addresses for `/etc/hosts`.
         */extraHosts: [String: String] = [:],
        /**
         * The addresses of name servers.
         */dns: [String] = [],
        /**
         * Capabilities to add.
         */capAdd: [String] = [],
        /**
         * Capabilities to drop.
         */capDrop: [String] = [],
        /**
         * Security options.
         */securityOpt: [String] = [],
        /**
         * The size of `/dev/shm`.
         */shmSize: Size? = nil,
        /**
         * Limits as `name=soft:hard`.
         */ulimits: [String] = [],
        /**
         * Devices as `host[:container[:rwm]]`.
         */devices: [String] = [],
        /**
         * Kernel parameters.
         */sysctls: [String: String] = [:],
        /**
         * The host name inside.
         */hostname: String? = nil,
        /**
         * The working directory is a volume of the sandbox's own.
         */workspaceVolume: Bool = false,
        /**
         * Containers beside it.
         */sidecars: [Sidecar] = []) {
        self.runtime = runtime
        self.privileged = privileged
        self.hostNetwork = hostNetwork
        self.network = network
        self.extraHosts = extraHosts
        self.dns = dns
        self.capAdd = capAdd
        self.capDrop = capDrop
        self.securityOpt = securityOpt
        self.shmSize = shmSize
        self.ulimits = ulimits
        self.devices = devices
        self.sysctls = sysctls
        self.hostname = hostname
        self.workspaceVolume = workspaceVolume
        self.sidecars = sidecars
    }




}

#if compiler(>=6)
extension DockerOptions: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeDockerOptions: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> DockerOptions {
        return
            try DockerOptions(
                runtime: FfiConverterOptionString.read(from: &buf),
                privileged: FfiConverterBool.read(from: &buf),
                hostNetwork: FfiConverterBool.read(from: &buf),
                network: FfiConverterOptionString.read(from: &buf),
                extraHosts: FfiConverterDictionaryStringString.read(from: &buf),
                dns: FfiConverterSequenceString.read(from: &buf),
                capAdd: FfiConverterSequenceString.read(from: &buf),
                capDrop: FfiConverterSequenceString.read(from: &buf),
                securityOpt: FfiConverterSequenceString.read(from: &buf),
                shmSize: FfiConverterOptionTypeSize.read(from: &buf),
                ulimits: FfiConverterSequenceString.read(from: &buf),
                devices: FfiConverterSequenceString.read(from: &buf),
                sysctls: FfiConverterDictionaryStringString.read(from: &buf),
                hostname: FfiConverterOptionString.read(from: &buf),
                workspaceVolume: FfiConverterBool.read(from: &buf),
                sidecars: FfiConverterSequenceTypeSidecar.read(from: &buf)
        )
    }

    public static func write(_ value: DockerOptions, into buf: inout [UInt8]) {
        FfiConverterOptionString.write(value.runtime, into: &buf)
        FfiConverterBool.write(value.privileged, into: &buf)
        FfiConverterBool.write(value.hostNetwork, into: &buf)
        FfiConverterOptionString.write(value.network, into: &buf)
        FfiConverterDictionaryStringString.write(value.extraHosts, into: &buf)
        FfiConverterSequenceString.write(value.dns, into: &buf)
        FfiConverterSequenceString.write(value.capAdd, into: &buf)
        FfiConverterSequenceString.write(value.capDrop, into: &buf)
        FfiConverterSequenceString.write(value.securityOpt, into: &buf)
        FfiConverterOptionTypeSize.write(value.shmSize, into: &buf)
        FfiConverterSequenceString.write(value.ulimits, into: &buf)
        FfiConverterSequenceString.write(value.devices, into: &buf)
        FfiConverterDictionaryStringString.write(value.sysctls, into: &buf)
        FfiConverterOptionString.write(value.hostname, into: &buf)
        FfiConverterBool.write(value.workspaceVolume, into: &buf)
        FfiConverterSequenceTypeSidecar.write(value.sidecars, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeDockerOptions_lift(_ buf: RustBuffer) throws -> DockerOptions {
    return try FfiConverterTypeDockerOptions.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeDockerOptions_lower(_ value: DockerOptions) -> RustBuffer {
    return FfiConverterTypeDockerOptions.lower(value)
}


/**
 * How files are copied out of a sandbox.
 */
public struct DownloadOptions: Equatable, Hashable {
    /**
     * Fail with `already_exists` where something is; by default files are replaced.
     */
    public var keepExisting: Bool
    /**
     * Names, or paths with `*` and `**` relative to the source, that are left out.
     */
    public var exclude: [String]
    /**
     * Copy links that point out of the tree as they are; by default they are left out and counted.
     */
    public var keepEscapingLinks: Bool
    /**
     * Files, directories and links at most; a million by default.
     */
    public var maxEntries: UInt64?
    /**
     * Bytes at most; 64 GiB by default.
     */
    public var maxBytes: UInt64?

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * Fail with `already_exists` where something is; by default files are replaced.
         */keepExisting: Bool = false,
        /**
         * Names, or paths with `*` and `**` relative to the source, that are left out.
         */exclude: [String] = [],
        /**
         * Copy links that point out of the tree as they are; by default they are left out and counted.
         */keepEscapingLinks: Bool = false,
        /**
         * Files, directories and links at most; a million by default.
         */maxEntries: UInt64? = nil,
        /**
         * Bytes at most; 64 GiB by default.
         */maxBytes: UInt64? = nil) {
        self.keepExisting = keepExisting
        self.exclude = exclude
        self.keepEscapingLinks = keepEscapingLinks
        self.maxEntries = maxEntries
        self.maxBytes = maxBytes
    }




}

#if compiler(>=6)
extension DownloadOptions: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeDownloadOptions: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> DownloadOptions {
        return
            try DownloadOptions(
                keepExisting: FfiConverterBool.read(from: &buf),
                exclude: FfiConverterSequenceString.read(from: &buf),
                keepEscapingLinks: FfiConverterBool.read(from: &buf),
                maxEntries: FfiConverterOptionUInt64.read(from: &buf),
                maxBytes: FfiConverterOptionUInt64.read(from: &buf)
        )
    }

    public static func write(_ value: DownloadOptions, into buf: inout [UInt8]) {
        FfiConverterBool.write(value.keepExisting, into: &buf)
        FfiConverterSequenceString.write(value.exclude, into: &buf)
        FfiConverterBool.write(value.keepEscapingLinks, into: &buf)
        FfiConverterOptionUInt64.write(value.maxEntries, into: &buf)
        FfiConverterOptionUInt64.write(value.maxBytes, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeDownloadOptions_lift(_ buf: RustBuffer) throws -> DownloadOptions {
    return try FfiConverterTypeDownloadOptions.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeDownloadOptions_lower(_ value: DownloadOptions) -> RustBuffer {
    return FfiConverterTypeDownloadOptions.lower(value)
}


/**
 * Where a port of a sandbox can be reached from this machine.
 */
public struct Endpoint: Equatable, Hashable {
    /**
     * The host, a name or an address.
     */
    public var host: String
    /**
     * The port.
     */
    public var port: UInt16
    /**
     * A URL with both.
     */
    public var url: String

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * The host, a name or an address.
         */host: String,
        /**
         * The port.
         */port: UInt16,
        /**
         * A URL with both.
         */url: String) {
        self.host = host
        self.port = port
        self.url = url
    }




}

#if compiler(>=6)
extension Endpoint: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeEndpoint: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> Endpoint {
        return
            try Endpoint(
                host: FfiConverterString.read(from: &buf),
                port: FfiConverterUInt16.read(from: &buf),
                url: FfiConverterString.read(from: &buf)
        )
    }

    public static func write(_ value: Endpoint, into buf: inout [UInt8]) {
        FfiConverterString.write(value.host, into: &buf)
        FfiConverterUInt16.write(value.port, into: &buf)
        FfiConverterString.write(value.url, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeEndpoint_lift(_ buf: RustBuffer) throws -> Endpoint {
    return try FfiConverterTypeEndpoint.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeEndpoint_lower(_ value: Endpoint) -> RustBuffer {
    return FfiConverterTypeEndpoint.lower(value)
}


/**
 * One row of a directory listing.
 */
public struct Entry: Equatable, Hashable {
    /**
     * Its path relative to the directory that was listed.
     */
    public var pathBytes: Data
    /**
     * What it is.
     */
    public var kind: FileKind
    /**
     * Its bytes.
     */
    public var size: UInt64
    /**
     * Its permission bits, when the provider knows.
     */
    public var mode: UInt32?
    /**
     * Its owner.
     */
    public var uid: UInt32?
    /**
     * Its group.
     */
    public var gid: UInt32?
    /**
     * When its contents changed.
     */
    public var modifiedAt: Date?
    /**
     * The text of a link.
     */
    public var linkTargetBytes: Data?

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * Its path relative to the directory that was listed.
         */pathBytes: Data,
        /**
         * What it is.
         */kind: FileKind,
        /**
         * Its bytes.
         */size: UInt64,
        /**
         * Its permission bits, when the provider knows.
         */mode: UInt32? = nil,
        /**
         * Its owner.
         */uid: UInt32? = nil,
        /**
         * Its group.
         */gid: UInt32? = nil,
        /**
         * When its contents changed.
         */modifiedAt: Date? = nil,
        /**
         * The text of a link.
         */linkTargetBytes: Data? = nil) {
        self.pathBytes = pathBytes
        self.kind = kind
        self.size = size
        self.mode = mode
        self.uid = uid
        self.gid = gid
        self.modifiedAt = modifiedAt
        self.linkTargetBytes = linkTargetBytes
    }




}

#if compiler(>=6)
extension Entry: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeEntry: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> Entry {
        return
            try Entry(
                pathBytes: FfiConverterData.read(from: &buf),
                kind: FfiConverterTypeFileKind.read(from: &buf),
                size: FfiConverterUInt64.read(from: &buf),
                mode: FfiConverterOptionUInt32.read(from: &buf),
                uid: FfiConverterOptionUInt32.read(from: &buf),
                gid: FfiConverterOptionUInt32.read(from: &buf),
                modifiedAt: FfiConverterOptionTimestamp.read(from: &buf),
                linkTargetBytes: FfiConverterOptionData.read(from: &buf)
        )
    }

    public static func write(_ value: Entry, into buf: inout [UInt8]) {
        FfiConverterData.write(value.pathBytes, into: &buf)
        FfiConverterTypeFileKind.write(value.kind, into: &buf)
        FfiConverterUInt64.write(value.size, into: &buf)
        FfiConverterOptionUInt32.write(value.mode, into: &buf)
        FfiConverterOptionUInt32.write(value.uid, into: &buf)
        FfiConverterOptionUInt32.write(value.gid, into: &buf)
        FfiConverterOptionTimestamp.write(value.modifiedAt, into: &buf)
        FfiConverterOptionData.write(value.linkTargetBytes, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeEntry_lift(_ buf: RustBuffer) throws -> Entry {
    return try FfiConverterTypeEntry.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeEntry_lower(_ value: Entry) -> RustBuffer {
    return FfiConverterTypeEntry.lower(value)
}


/**
 * One thing that happened.
 */
public struct Event: Equatable, Hashable {
    /**
     * Its place among all events, from 1, without gaps.
     */
    public var sequence: UInt64
    /**
     * When it happened; none for a gap.
     */
    public var at: Date?
    /**
     * The provider where it happened.
     */
    public var provider: String?
    /**
     * What it happened to: `provider`, `sandbox`, `snapshot`, `volume` or `image`.
     */
    public var subject: String
    /**
     * The id of that, or the reference of an image.
     */
    public var id: String?
    /**
     * The name of that.
     */
    public var name: String?
    /**
     * The operation that it belongs to.
     */
    public var operation: String?
    /**
     * What happened.
     */
    public var kind: EventKind

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * Its place among all events, from 1, without gaps.
         */sequence: UInt64,
        /**
         * When it happened; none for a gap.
         */at: Date? = nil,
        /**
         * The provider where it happened.
         */provider: String? = nil,
        /**
         * What it happened to: `provider`, `sandbox`, `snapshot`, `volume` or `image`.
         */subject: String,
        /**
         * The id of that, or the reference of an image.
         */id: String? = nil,
        /**
         * The name of that.
         */name: String? = nil,
        /**
         * The operation that it belongs to.
         */operation: String? = nil,
        /**
         * What happened.
         */kind: EventKind) {
        self.sequence = sequence
        self.at = at
        self.provider = provider
        self.subject = subject
        self.id = id
        self.name = name
        self.operation = operation
        self.kind = kind
    }




}

#if compiler(>=6)
extension Event: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeEvent: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> Event {
        return
            try Event(
                sequence: FfiConverterUInt64.read(from: &buf),
                at: FfiConverterOptionTimestamp.read(from: &buf),
                provider: FfiConverterOptionString.read(from: &buf),
                subject: FfiConverterString.read(from: &buf),
                id: FfiConverterOptionString.read(from: &buf),
                name: FfiConverterOptionString.read(from: &buf),
                operation: FfiConverterOptionString.read(from: &buf),
                kind: FfiConverterTypeEventKind.read(from: &buf)
        )
    }

    public static func write(_ value: Event, into buf: inout [UInt8]) {
        FfiConverterUInt64.write(value.sequence, into: &buf)
        FfiConverterOptionTimestamp.write(value.at, into: &buf)
        FfiConverterOptionString.write(value.provider, into: &buf)
        FfiConverterString.write(value.subject, into: &buf)
        FfiConverterOptionString.write(value.id, into: &buf)
        FfiConverterOptionString.write(value.name, into: &buf)
        FfiConverterOptionString.write(value.operation, into: &buf)
        FfiConverterTypeEventKind.write(value.kind, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeEvent_lift(_ buf: RustBuffer) throws -> Event {
    return try FfiConverterTypeEvent.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeEvent_lower(_ value: Event) -> RustBuffer {
    return FfiConverterTypeEvent.lower(value)
}


/**
 * Which events.
 */
public struct EventOptions: Equatable, Hashable {
    /**
     * Those behind this one, by its number; from now on by default. 0 begins with the oldest that is kept.
     */
    public var after: UInt64?
    /**
     * Of these sandboxes, by their ids; of everything by default.
     */
    public var sandboxes: [String]
    /**
     * Of these kinds, such as `exec_exited`; all by default.
     */
    public var kinds: [String]
    /**
     * End with the last one that there is; by default those to come are waited for.
     */
    public var noFollow: Bool

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * Those behind this one, by its number; from now on by default. 0 begins with the oldest that is kept.
         */after: UInt64? = nil,
        /**
         * Of these sandboxes, by their ids; of everything by default.
         */sandboxes: [String] = [],
        /**
         * Of these kinds, such as `exec_exited`; all by default.
         */kinds: [String] = [],
        /**
         * End with the last one that there is; by default those to come are waited for.
         */noFollow: Bool = false) {
        self.after = after
        self.sandboxes = sandboxes
        self.kinds = kinds
        self.noFollow = noFollow
    }




}

#if compiler(>=6)
extension EventOptions: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeEventOptions: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> EventOptions {
        return
            try EventOptions(
                after: FfiConverterOptionUInt64.read(from: &buf),
                sandboxes: FfiConverterSequenceString.read(from: &buf),
                kinds: FfiConverterSequenceString.read(from: &buf),
                noFollow: FfiConverterBool.read(from: &buf)
        )
    }

    public static func write(_ value: EventOptions, into buf: inout [UInt8]) {
        FfiConverterOptionUInt64.write(value.after, into: &buf)
        FfiConverterSequenceString.write(value.sandboxes, into: &buf)
        FfiConverterSequenceString.write(value.kinds, into: &buf)
        FfiConverterBool.write(value.noFollow, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeEventOptions_lift(_ buf: RustBuffer) throws -> EventOptions {
    return try FfiConverterTypeEventOptions.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeEventOptions_lower(_ value: EventOptions) -> RustBuffer {
    return FfiConverterTypeEventOptions.lower(value)
}


/**
 * How a command failed whose success was asked for.
 */
public struct ExecFailure: Equatable, Hashable {
    /**
     * The caller's name for it.
     */
    public var label: String?
    /**
     * What ended it.
     */
    public var termination: Termination
    /**
     * Its exit code, where it has one.
     */
    public var exitCode: Int32?
    /**
     * The signal that ended it.
     */
    public var signal: Int32?
    /**
     * How long it ran.
     */
    public var duration: Double
    /**
     * What may help.
     */
    public var hint: String?
    /**
     * What it wrote to stdout.
     */
    public var stdoutBytes: Data
    /**
     * What it wrote to stderr.
     */
    public var stderrBytes: Data
    /**
     * More about that stdout: what was omitted.
     */
    public var stdoutInfo: OutputStream
    /**
     * More about that stderr: what was omitted.
     */
    public var stderrInfo: OutputStream

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * The caller's name for it.
         */label: String? = nil,
        /**
         * What ended it.
         */termination: Termination,
        /**
         * Its exit code, where it has one.
         */exitCode: Int32? = nil,
        /**
         * The signal that ended it.
         */signal: Int32? = nil,
        /**
         * How long it ran.
         */duration: Double,
        /**
         * What may help.
         */hint: String? = nil,
        /**
         * What it wrote to stdout.
         */stdoutBytes: Data,
        /**
         * What it wrote to stderr.
         */stderrBytes: Data,
        /**
         * More about that stdout: what was omitted.
         */stdoutInfo: OutputStream,
        /**
         * More about that stderr: what was omitted.
         */stderrInfo: OutputStream) {
        self.label = label
        self.termination = termination
        self.exitCode = exitCode
        self.signal = signal
        self.duration = duration
        self.hint = hint
        self.stdoutBytes = stdoutBytes
        self.stderrBytes = stderrBytes
        self.stdoutInfo = stdoutInfo
        self.stderrInfo = stderrInfo
    }




}

#if compiler(>=6)
extension ExecFailure: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeExecFailure: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> ExecFailure {
        return
            try ExecFailure(
                label: FfiConverterOptionString.read(from: &buf),
                termination: FfiConverterTypeTermination.read(from: &buf),
                exitCode: FfiConverterOptionInt32.read(from: &buf),
                signal: FfiConverterOptionInt32.read(from: &buf),
                duration: FfiConverterDouble.read(from: &buf),
                hint: FfiConverterOptionString.read(from: &buf),
                stdoutBytes: FfiConverterData.read(from: &buf),
                stderrBytes: FfiConverterData.read(from: &buf),
                stdoutInfo: FfiConverterTypeOutputStream.read(from: &buf),
                stderrInfo: FfiConverterTypeOutputStream.read(from: &buf)
        )
    }

    public static func write(_ value: ExecFailure, into buf: inout [UInt8]) {
        FfiConverterOptionString.write(value.label, into: &buf)
        FfiConverterTypeTermination.write(value.termination, into: &buf)
        FfiConverterOptionInt32.write(value.exitCode, into: &buf)
        FfiConverterOptionInt32.write(value.signal, into: &buf)
        FfiConverterDouble.write(value.duration, into: &buf)
        FfiConverterOptionString.write(value.hint, into: &buf)
        FfiConverterData.write(value.stdoutBytes, into: &buf)
        FfiConverterData.write(value.stderrBytes, into: &buf)
        FfiConverterTypeOutputStream.write(value.stdoutInfo, into: &buf)
        FfiConverterTypeOutputStream.write(value.stderrInfo, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeExecFailure_lift(_ buf: RustBuffer) throws -> ExecFailure {
    return try FfiConverterTypeExecFailure.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeExecFailure_lower(_ value: ExecFailure) -> RustBuffer {
    return FfiConverterTypeExecFailure.lower(value)
}


/**
 * How to run a command to its end.
 */
public struct ExecOptions: Equatable, Hashable {
    /**
     * Variables beside those of the sandbox; of two values for one name this one holds.
     */
    public var envBytes: [String: Data]
    /**
     * Where to run, relative to the sandbox's working directory, which is also the default.
     */
    public var cwdBytes: Data?
    /**
     * A name, `uid`, `uid:gid` or `name:group`, looked up in the sandbox; the sandbox's user by default.
     */
    public var user: String?
    /**
     * Its input; `/dev/null` by default.
     */
    public var inputBytes: Data?
    /**
     * When its whole process tree is ended at the latest; never by default. The result then says that it timed out.
     */
    public var timeout: Double?
    /**
     * When it is stopped: TERM, this long, then KILL. KILL at once by default.
     */
    public var grace: Double?
    /**
     * Fail with `command_failed` when it does not exit with 0.
     */
    public var check: Bool
    /**
     * Send stderr where stdout goes, in the order of the writes.
     */
    public var mergeStderr: Bool
    /**
     * Bytes of each stream that are kept at most, half from the start and half from the end; 10 MiB by default.
     */
    public var maxOutput: UInt64?
    /**
     * Write everything to a file in the sandbox when more comes than is kept; the result names it.
     */
    public var spill: Bool
    /**
     * What is taken out of the output; nothing by default.
     */
    public var sanitize: Sanitize?
    /**
     * How long the call waits, after the command has exited and after each byte, for descendants that hold its output open; 0.2 seconds
     * by default.
     */
    public var drain: Double?
    /**
     * The caller's name for it, in listings, events and errors. Must hold no secrets.
     */
    public var label: String?

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * Variables beside those of the sandbox; of two values for one name this one holds.
         */envBytes: [String: Data] = [:],
        /**
         * Where to run, relative to the sandbox's working directory, which is also the default.
         */cwdBytes: Data? = nil,
        /**
         * A name, `uid`, `uid:gid` or `name:group`, looked up in the sandbox; the sandbox's user by default.
         */user: String? = nil,
        /**
         * Its input; `/dev/null` by default.
         */inputBytes: Data? = nil,
        /**
         * When its whole process tree is ended at the latest; never by default. The result then says that it timed out.
         */timeout: Double? = nil,
        /**
         * When it is stopped: TERM, this long, then KILL. KILL at once by default.
         */grace: Double? = nil,
        /**
         * Fail with `command_failed` when it does not exit with 0.
         */check: Bool = false,
        /**
         * Send stderr where stdout goes, in the order of the writes.
         */mergeStderr: Bool = false,
        /**
         * Bytes of each stream that are kept at most, half from the start and half from the end; 10 MiB by default.
         */maxOutput: UInt64? = nil,
        /**
         * Write everything to a file in the sandbox when more comes than is kept; the result names it.
         */spill: Bool = false,
        /**
         * What is taken out of the output; nothing by default.
         */sanitize: Sanitize? = nil,
        /**
         * How long the call waits, after the command has exited and after each byte, for descendants that hold its output open; 0.2 seconds
         * by default.
         */drain: Double? = nil,
        /**
         * The caller's name for it, in listings, events and errors. Must hold no secrets.
         */label: String? = nil) {
        self.envBytes = envBytes
        self.cwdBytes = cwdBytes
        self.user = user
        self.inputBytes = inputBytes
        self.timeout = timeout
        self.grace = grace
        self.check = check
        self.mergeStderr = mergeStderr
        self.maxOutput = maxOutput
        self.spill = spill
        self.sanitize = sanitize
        self.drain = drain
        self.label = label
    }




}

#if compiler(>=6)
extension ExecOptions: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeExecOptions: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> ExecOptions {
        return
            try ExecOptions(
                envBytes: FfiConverterDictionaryStringData.read(from: &buf),
                cwdBytes: FfiConverterOptionData.read(from: &buf),
                user: FfiConverterOptionString.read(from: &buf),
                inputBytes: FfiConverterOptionData.read(from: &buf),
                timeout: FfiConverterOptionDouble.read(from: &buf),
                grace: FfiConverterOptionDouble.read(from: &buf),
                check: FfiConverterBool.read(from: &buf),
                mergeStderr: FfiConverterBool.read(from: &buf),
                maxOutput: FfiConverterOptionUInt64.read(from: &buf),
                spill: FfiConverterBool.read(from: &buf),
                sanitize: FfiConverterOptionTypeSanitize.read(from: &buf),
                drain: FfiConverterOptionDouble.read(from: &buf),
                label: FfiConverterOptionString.read(from: &buf)
        )
    }

    public static func write(_ value: ExecOptions, into buf: inout [UInt8]) {
        FfiConverterDictionaryStringData.write(value.envBytes, into: &buf)
        FfiConverterOptionData.write(value.cwdBytes, into: &buf)
        FfiConverterOptionString.write(value.user, into: &buf)
        FfiConverterOptionData.write(value.inputBytes, into: &buf)
        FfiConverterOptionDouble.write(value.timeout, into: &buf)
        FfiConverterOptionDouble.write(value.grace, into: &buf)
        FfiConverterBool.write(value.check, into: &buf)
        FfiConverterBool.write(value.mergeStderr, into: &buf)
        FfiConverterOptionUInt64.write(value.maxOutput, into: &buf)
        FfiConverterBool.write(value.spill, into: &buf)
        FfiConverterOptionTypeSanitize.write(value.sanitize, into: &buf)
        FfiConverterOptionDouble.write(value.drain, into: &buf)
        FfiConverterOptionString.write(value.label, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeExecOptions_lift(_ buf: RustBuffer) throws -> ExecOptions {
    return try FfiConverterTypeExecOptions.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeExecOptions_lower(_ value: ExecOptions) -> RustBuffer {
    return FfiConverterTypeExecOptions.lower(value)
}


/**
 * How a command ended and what it wrote. A command that fails, is killed or runs into its timeout has a result like any other.
 */
public struct ExecResult: Equatable, Hashable {
    /**
     * The exit code; 128 and the number of the signal after a signal; -1 when neither is known.
     */
    public var exitCode: Int32
    /**
     * The signal that ended it.
     */
    public var signal: Int32?
    /**
     * Whether it exited by itself, with 0.
     */
    public var ok: Bool
    /**
     * Whether it ran into its timeout.
     */
    public var timedOut: Bool
    /**
     * Whether the caller stopped it.
     */
    public var cancelled: Bool
    /**
     * Whether the memory limit killed something of it.
     */
    public var oomKilled: Bool
    /**
     * What ended it.
     */
    public var termination: Termination
    /**
     * What it wrote to stdout, or to its terminal.
     */
    public var stdoutBytes: Data
    /**
     * What it wrote to stderr.
     */
    public var stderrBytes: Data
    /**
     * Whether some of its output is not here.
     */
    public var truncated: Bool
    /**
     * What of its stdout is here.
     */
    public var stdoutInfo: OutputStream
    /**
     * What of its stderr is here.
     */
    public var stderrInfo: OutputStream
    /**
     * How long it ran.
     */
    public var duration: Double
    /**
     * Processor time of its whole process tree.
     */
    public var cpuTime: Double?
    /**
     * The most memory that its process tree used, in bytes.
     */
    public var peakMemory: UInt64?

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * The exit code; 128 and the number of the signal after a signal; -1 when neither is known.
         */exitCode: Int32,
        /**
         * The signal that ended it.
         */signal: Int32? = nil,
        /**
         * Whether it exited by itself, with 0.
         */ok: Bool = false,
        /**
         * Whether it ran into its timeout.
         */timedOut: Bool = false,
        /**
         * Whether the caller stopped it.
         */cancelled: Bool = false,
        /**
         * Whether the memory limit killed something of it.
         */oomKilled: Bool = false,
        /**
         * What ended it.
         */termination: Termination,
        /**
         * What it wrote to stdout, or to its terminal.
         */stdoutBytes: Data,
        /**
         * What it wrote to stderr.
         */stderrBytes: Data,
        /**
         * Whether some of its output is not here.
         */truncated: Bool = false,
        /**
         * What of its stdout is here.
         */stdoutInfo: OutputStream,
        /**
         * What of its stderr is here.
         */stderrInfo: OutputStream,
        /**
         * How long it ran.
         */duration: Double,
        /**
         * Processor time of its whole process tree.
         */cpuTime: Double? = nil,
        /**
         * The most memory that its process tree used, in bytes.
         */peakMemory: UInt64? = nil) {
        self.exitCode = exitCode
        self.signal = signal
        self.ok = ok
        self.timedOut = timedOut
        self.cancelled = cancelled
        self.oomKilled = oomKilled
        self.termination = termination
        self.stdoutBytes = stdoutBytes
        self.stderrBytes = stderrBytes
        self.truncated = truncated
        self.stdoutInfo = stdoutInfo
        self.stderrInfo = stderrInfo
        self.duration = duration
        self.cpuTime = cpuTime
        self.peakMemory = peakMemory
    }




}

#if compiler(>=6)
extension ExecResult: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeExecResult: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> ExecResult {
        return
            try ExecResult(
                exitCode: FfiConverterInt32.read(from: &buf),
                signal: FfiConverterOptionInt32.read(from: &buf),
                ok: FfiConverterBool.read(from: &buf),
                timedOut: FfiConverterBool.read(from: &buf),
                cancelled: FfiConverterBool.read(from: &buf),
                oomKilled: FfiConverterBool.read(from: &buf),
                termination: FfiConverterTypeTermination.read(from: &buf),
                stdoutBytes: FfiConverterData.read(from: &buf),
                stderrBytes: FfiConverterData.read(from: &buf),
                truncated: FfiConverterBool.read(from: &buf),
                stdoutInfo: FfiConverterTypeOutputStream.read(from: &buf),
                stderrInfo: FfiConverterTypeOutputStream.read(from: &buf),
                duration: FfiConverterDouble.read(from: &buf),
                cpuTime: FfiConverterOptionDouble.read(from: &buf),
                peakMemory: FfiConverterOptionUInt64.read(from: &buf)
        )
    }

    public static func write(_ value: ExecResult, into buf: inout [UInt8]) {
        FfiConverterInt32.write(value.exitCode, into: &buf)
        FfiConverterOptionInt32.write(value.signal, into: &buf)
        FfiConverterBool.write(value.ok, into: &buf)
        FfiConverterBool.write(value.timedOut, into: &buf)
        FfiConverterBool.write(value.cancelled, into: &buf)
        FfiConverterBool.write(value.oomKilled, into: &buf)
        FfiConverterTypeTermination.write(value.termination, into: &buf)
        FfiConverterData.write(value.stdoutBytes, into: &buf)
        FfiConverterData.write(value.stderrBytes, into: &buf)
        FfiConverterBool.write(value.truncated, into: &buf)
        FfiConverterTypeOutputStream.write(value.stdoutInfo, into: &buf)
        FfiConverterTypeOutputStream.write(value.stderrInfo, into: &buf)
        FfiConverterDouble.write(value.duration, into: &buf)
        FfiConverterOptionDouble.write(value.cpuTime, into: &buf)
        FfiConverterOptionUInt64.write(value.peakMemory, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeExecResult_lift(_ buf: RustBuffer) throws -> ExecResult {
    return try FfiConverterTypeExecResult.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeExecResult_lower(_ value: ExecResult) -> RustBuffer {
    return FfiConverterTypeExecResult.lower(value)
}


/**
 * The end of a command, without its output.
 */
public struct Exit: Equatable, Hashable {
    /**
     * The exit code; 128 and the number of the signal after a signal; -1 when neither is known.
     */
    public var exitCode: Int32
    /**
     * The signal that ended it.
     */
    public var signal: Int32?
    /**
     * What ended it.
     */
    public var termination: Termination
    /**
     * Whether the memory limit killed something of it.
     */
    public var oomKilled: Bool
    /**
     * How long it ran.
     */
    public var duration: Double
    /**
     * Processor time of its whole process tree.
     */
    public var cpuTime: Double?
    /**
     * The most memory that its process tree used, in bytes.
     */
    public var peakMemory: UInt64?

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * The exit code; 128 and the number of the signal after a signal; -1 when neither is known.
         */exitCode: Int32,
        /**
         * The signal that ended it.
         */signal: Int32? = nil,
        /**
         * What ended it.
         */termination: Termination,
        /**
         * Whether the memory limit killed something of it.
         */oomKilled: Bool = false,
        /**
         * How long it ran.
         */duration: Double,
        /**
         * Processor time of its whole process tree.
         */cpuTime: Double? = nil,
        /**
         * The most memory that its process tree used, in bytes.
         */peakMemory: UInt64? = nil) {
        self.exitCode = exitCode
        self.signal = signal
        self.termination = termination
        self.oomKilled = oomKilled
        self.duration = duration
        self.cpuTime = cpuTime
        self.peakMemory = peakMemory
    }




}

#if compiler(>=6)
extension Exit: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeExit: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> Exit {
        return
            try Exit(
                exitCode: FfiConverterInt32.read(from: &buf),
                signal: FfiConverterOptionInt32.read(from: &buf),
                termination: FfiConverterTypeTermination.read(from: &buf),
                oomKilled: FfiConverterBool.read(from: &buf),
                duration: FfiConverterDouble.read(from: &buf),
                cpuTime: FfiConverterOptionDouble.read(from: &buf),
                peakMemory: FfiConverterOptionUInt64.read(from: &buf)
        )
    }

    public static func write(_ value: Exit, into buf: inout [UInt8]) {
        FfiConverterInt32.write(value.exitCode, into: &buf)
        FfiConverterOptionInt32.write(value.signal, into: &buf)
        FfiConverterTypeTermination.write(value.termination, into: &buf)
        FfiConverterBool.write(value.oomKilled, into: &buf)
        FfiConverterDouble.write(value.duration, into: &buf)
        FfiConverterOptionDouble.write(value.cpuTime, into: &buf)
        FfiConverterOptionUInt64.write(value.peakMemory, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeExit_lift(_ buf: RustBuffer) throws -> Exit {
    return try FfiConverterTypeExit.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeExit_lower(_ value: Exit) -> RustBuffer {
    return FfiConverterTypeExit.lower(value)
}


/**
 * How a snapshot becomes an image.
 */
public struct ExportOptions: Equatable, Hashable {
    /**
     * The provider that has it; the first isolating one that works here by default.
     */
    public var provider: String?
    /**
     * The name of the image, with a tag; none by default.
     */
    public var reference: String?
    /**
     * Pack its layers with gzip.
     */
    public var compress: Bool

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * The provider that has it; the first isolating one that works here by default.
         */provider: String? = nil,
        /**
         * The name of the image, with a tag; none by default.
         */reference: String? = nil,
        /**
         * Pack its layers with gzip.
         */compress: Bool = false) {
        self.provider = provider
        self.reference = reference
        self.compress = compress
    }




}

#if compiler(>=6)
extension ExportOptions: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeExportOptions: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> ExportOptions {
        return
            try ExportOptions(
                provider: FfiConverterOptionString.read(from: &buf),
                reference: FfiConverterOptionString.read(from: &buf),
                compress: FfiConverterBool.read(from: &buf)
        )
    }

    public static func write(_ value: ExportOptions, into buf: inout [UInt8]) {
        FfiConverterOptionString.write(value.provider, into: &buf)
        FfiConverterOptionString.write(value.reference, into: &buf)
        FfiConverterBool.write(value.compress, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeExportOptions_lift(_ buf: RustBuffer) throws -> ExportOptions {
    return try FfiConverterTypeExportOptions.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeExportOptions_lower(_ value: ExportOptions) -> RustBuffer {
    return FfiConverterTypeExportOptions.lower(value)
}


/**
 * An image that was written.
 */
public struct ExportedImage: Equatable, Hashable {
    /**
     * The digest of its configuration, by which Docker knows it.
     */
    public var id: String
    /**
     * The digest of its manifest.
     */
    public var digest: String
    /**
     * Its name, whole.
     */
    public var reference: String?
    /**
     * The digests of its layers, uncompressed, the first at the bottom.
     */
    public var layers: [String]
    /**
     * Bytes of the archive.
     */
    public var size: UInt64

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * The digest of its configuration, by which Docker knows it.
         */id: String,
        /**
         * The digest of its manifest.
         */digest: String,
        /**
         * Its name, whole.
         */reference: String? = nil,
        /**
         * The digests of its layers, uncompressed, the first at the bottom.
         */layers: [String] = [],
        /**
         * Bytes of the archive.
         */size: UInt64) {
        self.id = id
        self.digest = digest
        self.reference = reference
        self.layers = layers
        self.size = size
    }




}

#if compiler(>=6)
extension ExportedImage: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeExportedImage: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> ExportedImage {
        return
            try ExportedImage(
                id: FfiConverterString.read(from: &buf),
                digest: FfiConverterString.read(from: &buf),
                reference: FfiConverterOptionString.read(from: &buf),
                layers: FfiConverterSequenceString.read(from: &buf),
                size: FfiConverterUInt64.read(from: &buf)
        )
    }

    public static func write(_ value: ExportedImage, into buf: inout [UInt8]) {
        FfiConverterString.write(value.id, into: &buf)
        FfiConverterString.write(value.digest, into: &buf)
        FfiConverterOptionString.write(value.reference, into: &buf)
        FfiConverterSequenceString.write(value.layers, into: &buf)
        FfiConverterUInt64.write(value.size, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeExportedImage_lift(_ buf: RustBuffer) throws -> ExportedImage {
    return try FfiConverterTypeExportedImage.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeExportedImage_lower(_ value: ExportedImage) -> RustBuffer {
    return FfiConverterTypeExportedImage.lower(value)
}


/**
 * One change of a file.
 */
public struct FileChange: Equatable, Hashable {
    /**
     * What happened.
     */
    public var kind: FileChangeKind
    /**
     * To what, relative to what is watched.
     */
    public var pathBytes: Data
    /**
     * Where it went, when it was renamed within what is watched.
     */
    public var renamedToBytes: Data?

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * What happened.
         */kind: FileChangeKind,
        /**
         * To what, relative to what is watched.
         */pathBytes: Data,
        /**
         * Where it went, when it was renamed within what is watched.
         */renamedToBytes: Data? = nil) {
        self.kind = kind
        self.pathBytes = pathBytes
        self.renamedToBytes = renamedToBytes
    }




}

#if compiler(>=6)
extension FileChange: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeFileChange: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> FileChange {
        return
            try FileChange(
                kind: FfiConverterTypeFileChangeKind.read(from: &buf),
                pathBytes: FfiConverterData.read(from: &buf),
                renamedToBytes: FfiConverterOptionData.read(from: &buf)
        )
    }

    public static func write(_ value: FileChange, into buf: inout [UInt8]) {
        FfiConverterTypeFileChangeKind.write(value.kind, into: &buf)
        FfiConverterData.write(value.pathBytes, into: &buf)
        FfiConverterOptionData.write(value.renamedToBytes, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeFileChange_lift(_ buf: RustBuffer) throws -> FileChange {
    return try FfiConverterTypeFileChange.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeFileChange_lower(_ value: FileChange) -> RustBuffer {
    return FfiConverterTypeFileChange.lower(value)
}


/**
 * How copies of a sandbox are made.
 */
public struct ForkOptions: Equatable, Hashable {
    /**
     * How many; one by default.
     */
    public var count: UInt32?
    /**
     * A name for a single copy.
     */
    public var name: String?
    /**
     * Labels instead of those it has.
     */
    public var labels: [String: String]?
    /**
     * With memory and processes; files alone by default.
     */
    public var includeMemory: Bool

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * How many; one by default.
         */count: UInt32? = nil,
        /**
         * A name for a single copy.
         */name: String? = nil,
        /**
         * Labels instead of those it has.
         */labels: [String: String]? = nil,
        /**
         * With memory and processes; files alone by default.
         */includeMemory: Bool = false) {
        self.count = count
        self.name = name
        self.labels = labels
        self.includeMemory = includeMemory
    }




}

#if compiler(>=6)
extension ForkOptions: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeForkOptions: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> ForkOptions {
        return
            try ForkOptions(
                count: FfiConverterOptionUInt32.read(from: &buf),
                name: FfiConverterOptionString.read(from: &buf),
                labels: FfiConverterOptionDictionaryStringString.read(from: &buf),
                includeMemory: FfiConverterBool.read(from: &buf)
        )
    }

    public static func write(_ value: ForkOptions, into buf: inout [UInt8]) {
        FfiConverterOptionUInt32.write(value.count, into: &buf)
        FfiConverterOptionString.write(value.name, into: &buf)
        FfiConverterOptionDictionaryStringString.write(value.labels, into: &buf)
        FfiConverterBool.write(value.includeMemory, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeForkOptions_lift(_ buf: RustBuffer) throws -> ForkOptions {
    return try FfiConverterTypeForkOptions.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeForkOptions_lower(_ value: ForkOptions) -> RustBuffer {
    return FfiConverterTypeForkOptions.lower(value)
}


/**
 * Something that nobody needs.
 */
public struct Garbage: Equatable, Hashable {
    /**
     * What it is, such as `sandbox` or `volume`.
     */
    public var kind: String
    /**
     * Its id.
     */
    public var id: String
    /**
     * Its name.
     */
    public var name: String?
    /**
     * The provider that has it.
     */
    public var provider: String?
    /**
     * Why nobody needs it.
     */
    public var reason: String

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * What it is, such as `sandbox` or `volume`.
         */kind: String,
        /**
         * Its id.
         */id: String,
        /**
         * Its name.
         */name: String? = nil,
        /**
         * The provider that has it.
         */provider: String? = nil,
        /**
         * Why nobody needs it.
         */reason: String) {
        self.kind = kind
        self.id = id
        self.name = name
        self.provider = provider
        self.reason = reason
    }




}

#if compiler(>=6)
extension Garbage: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeGarbage: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> Garbage {
        return
            try Garbage(
                kind: FfiConverterString.read(from: &buf),
                id: FfiConverterString.read(from: &buf),
                name: FfiConverterOptionString.read(from: &buf),
                provider: FfiConverterOptionString.read(from: &buf),
                reason: FfiConverterString.read(from: &buf)
        )
    }

    public static func write(_ value: Garbage, into buf: inout [UInt8]) {
        FfiConverterString.write(value.kind, into: &buf)
        FfiConverterString.write(value.id, into: &buf)
        FfiConverterOptionString.write(value.name, into: &buf)
        FfiConverterOptionString.write(value.provider, into: &buf)
        FfiConverterString.write(value.reason, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeGarbage_lift(_ buf: RustBuffer) throws -> Garbage {
    return try FfiConverterTypeGarbage.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeGarbage_lower(_ value: Garbage) -> RustBuffer {
    return FfiConverterTypeGarbage.lower(value)
}


/**
 * A branch.
 */
public struct GitBranch: Equatable, Hashable {
    /**
     * Its name.
     */
    public var name: String
    /**
     * Its last commit.
     */
    public var head: String
    /**
     * Whether it is checked out.
     */
    public var current: Bool
    /**
     * Whether it is a remote's.
     */
    public var remote: Bool

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * Its name.
         */name: String,
        /**
         * Its last commit.
         */head: String,
        /**
         * Whether it is checked out.
         */current: Bool = false,
        /**
         * Whether it is a remote's.
         */remote: Bool = false) {
        self.name = name
        self.head = head
        self.current = current
        self.remote = remote
    }




}

#if compiler(>=6)
extension GitBranch: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeGitBranch: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> GitBranch {
        return
            try GitBranch(
                name: FfiConverterString.read(from: &buf),
                head: FfiConverterString.read(from: &buf),
                current: FfiConverterBool.read(from: &buf),
                remote: FfiConverterBool.read(from: &buf)
        )
    }

    public static func write(_ value: GitBranch, into buf: inout [UInt8]) {
        FfiConverterString.write(value.name, into: &buf)
        FfiConverterString.write(value.head, into: &buf)
        FfiConverterBool.write(value.current, into: &buf)
        FfiConverterBool.write(value.remote, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeGitBranch_lift(_ buf: RustBuffer) throws -> GitBranch {
    return try FfiConverterTypeGitBranch.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeGitBranch_lower(_ value: GitBranch) -> RustBuffer {
    return FfiConverterTypeGitBranch.lower(value)
}


/**
 * What differs between two revisions.
 */
public struct GitChange: Equatable, Hashable {
    /**
     * Which path.
     */
    public var pathBytes: Data
    /**
     * What it was called before.
     */
    public var previousBytes: Data?
    /**
     * Git's letter for it.
     */
    public var status: String
    /**
     * Lines added, where they can be counted.
     */
    public var added: UInt64?
    /**
     * Lines removed, where they can be counted.
     */
    public var removed: UInt64?

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * Which path.
         */pathBytes: Data,
        /**
         * What it was called before.
         */previousBytes: Data? = nil,
        /**
         * Git's letter for it.
         */status: String,
        /**
         * Lines added, where they can be counted.
         */added: UInt64? = nil,
        /**
         * Lines removed, where they can be counted.
         */removed: UInt64? = nil) {
        self.pathBytes = pathBytes
        self.previousBytes = previousBytes
        self.status = status
        self.added = added
        self.removed = removed
    }




}

#if compiler(>=6)
extension GitChange: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeGitChange: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> GitChange {
        return
            try GitChange(
                pathBytes: FfiConverterData.read(from: &buf),
                previousBytes: FfiConverterOptionData.read(from: &buf),
                status: FfiConverterString.read(from: &buf),
                added: FfiConverterOptionUInt64.read(from: &buf),
                removed: FfiConverterOptionUInt64.read(from: &buf)
        )
    }

    public static func write(_ value: GitChange, into buf: inout [UInt8]) {
        FfiConverterData.write(value.pathBytes, into: &buf)
        FfiConverterOptionData.write(value.previousBytes, into: &buf)
        FfiConverterString.write(value.status, into: &buf)
        FfiConverterOptionUInt64.write(value.added, into: &buf)
        FfiConverterOptionUInt64.write(value.removed, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeGitChange_lift(_ buf: RustBuffer) throws -> GitChange {
    return try FfiConverterTypeGitChange.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeGitChange_lower(_ value: GitChange) -> RustBuffer {
    return FfiConverterTypeGitChange.lower(value)
}


/**
 * A commit.
 */
public struct GitCommit: Equatable, Hashable {
    /**
     * Its id.
     */
    public var id: String
    /**
     * The ids of those before it.
     */
    public var parents: [String]
    /**
     * The name of its author.
     */
    public var author: String
    /**
     * The address of its author.
     */
    public var email: String
    /**
     * When, as RFC 3339 has it.
     */
    public var date: String
    /**
     * What it says.
     */
    public var message: String

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * Its id.
         */id: String,
        /**
         * The ids of those before it.
         */parents: [String] = [],
        /**
         * The name of its author.
         */author: String,
        /**
         * The address of its author.
         */email: String,
        /**
         * When, as RFC 3339 has it.
         */date: String,
        /**
         * What it says.
         */message: String) {
        self.id = id
        self.parents = parents
        self.author = author
        self.email = email
        self.date = date
        self.message = message
    }




}

#if compiler(>=6)
extension GitCommit: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeGitCommit: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> GitCommit {
        return
            try GitCommit(
                id: FfiConverterString.read(from: &buf),
                parents: FfiConverterSequenceString.read(from: &buf),
                author: FfiConverterString.read(from: &buf),
                email: FfiConverterString.read(from: &buf),
                date: FfiConverterString.read(from: &buf),
                message: FfiConverterString.read(from: &buf)
        )
    }

    public static func write(_ value: GitCommit, into buf: inout [UInt8]) {
        FfiConverterString.write(value.id, into: &buf)
        FfiConverterSequenceString.write(value.parents, into: &buf)
        FfiConverterString.write(value.author, into: &buf)
        FfiConverterString.write(value.email, into: &buf)
        FfiConverterString.write(value.date, into: &buf)
        FfiConverterString.write(value.message, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeGitCommit_lift(_ buf: RustBuffer) throws -> GitCommit {
    return try FfiConverterTypeGitCommit.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeGitCommit_lower(_ value: GitCommit) -> RustBuffer {
    return FfiConverterTypeGitCommit.lower(value)
}


/**
 * What a repository is like.
 */
public struct GitStatus: Equatable, Hashable {
    /**
     * The branch; none when a commit is checked out by itself.
     */
    public var branch: String?
    /**
     * The commit; none before the first.
     */
    public var head: String?
    /**
     * The branch of a remote that it follows.
     */
    public var upstream: String?
    /**
     * Commits that the upstream does not have.
     */
    public var ahead: UInt64
    /**
     * Commits that it has and this does not.
     */
    public var behind: UInt64
    /**
     * What is not as in the last commit.
     */
    public var entries: [GitStatusEntry]

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * The branch; none when a commit is checked out by itself.
         */branch: String? = nil,
        /**
         * The commit; none before the first.
         */head: String? = nil,
        /**
         * The branch of a remote that it follows.
         */upstream: String? = nil,
        /**
         * Commits that the upstream does not have.
         */ahead: UInt64,
        /**
         * Commits that it has and this does not.
         */behind: UInt64,
        /**
         * What is not as in the last commit.
         */entries: [GitStatusEntry] = []) {
        self.branch = branch
        self.head = head
        self.upstream = upstream
        self.ahead = ahead
        self.behind = behind
        self.entries = entries
    }




}

#if compiler(>=6)
extension GitStatus: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeGitStatus: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> GitStatus {
        return
            try GitStatus(
                branch: FfiConverterOptionString.read(from: &buf),
                head: FfiConverterOptionString.read(from: &buf),
                upstream: FfiConverterOptionString.read(from: &buf),
                ahead: FfiConverterUInt64.read(from: &buf),
                behind: FfiConverterUInt64.read(from: &buf),
                entries: FfiConverterSequenceTypeGitStatusEntry.read(from: &buf)
        )
    }

    public static func write(_ value: GitStatus, into buf: inout [UInt8]) {
        FfiConverterOptionString.write(value.branch, into: &buf)
        FfiConverterOptionString.write(value.head, into: &buf)
        FfiConverterOptionString.write(value.upstream, into: &buf)
        FfiConverterUInt64.write(value.ahead, into: &buf)
        FfiConverterUInt64.write(value.behind, into: &buf)
        FfiConverterSequenceTypeGitStatusEntry.write(value.entries, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeGitStatus_lift(_ buf: RustBuffer) throws -> GitStatus {
    return try FfiConverterTypeGitStatus.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeGitStatus_lower(_ value: GitStatus) -> RustBuffer {
    return FfiConverterTypeGitStatus.lower(value)
}


/**
 * A path that is not as in the last commit.
 */
public struct GitStatusEntry: Equatable, Hashable {
    /**
     * Which.
     */
    public var pathBytes: Data
    /**
     * Git's letter for what is prepared for the next commit.
     */
    public var index: String
    /**
     * Git's letter for what is not.
     */
    public var worktree: String
    /**
     * What it was called before.
     */
    public var previousBytes: Data?

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * Which.
         */pathBytes: Data,
        /**
         * Git's letter for what is prepared for the next commit.
         */index: String,
        /**
         * Git's letter for what is not.
         */worktree: String,
        /**
         * What it was called before.
         */previousBytes: Data? = nil) {
        self.pathBytes = pathBytes
        self.index = index
        self.worktree = worktree
        self.previousBytes = previousBytes
    }




}

#if compiler(>=6)
extension GitStatusEntry: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeGitStatusEntry: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> GitStatusEntry {
        return
            try GitStatusEntry(
                pathBytes: FfiConverterData.read(from: &buf),
                index: FfiConverterString.read(from: &buf),
                worktree: FfiConverterString.read(from: &buf),
                previousBytes: FfiConverterOptionData.read(from: &buf)
        )
    }

    public static func write(_ value: GitStatusEntry, into buf: inout [UInt8]) {
        FfiConverterData.write(value.pathBytes, into: &buf)
        FfiConverterString.write(value.index, into: &buf)
        FfiConverterString.write(value.worktree, into: &buf)
        FfiConverterOptionData.write(value.previousBytes, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeGitStatusEntry_lift(_ buf: RustBuffer) throws -> GitStatusEntry {
    return try FfiConverterTypeGitStatusEntry.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeGitStatusEntry_lower(_ value: GitStatusEntry) -> RustBuffer {
    return FfiConverterTypeGitStatusEntry.lower(value)
}


/**
 * A line that matches.
 */
public struct GrepMatch: Equatable, Hashable {
    /**
     * In which file.
     */
    public var pathBytes: Data
    /**
     * Which line, from 1.
     */
    public var lineNumber: UInt64
    /**
     * The line, without its end.
     */
    public var lineBytes: Data

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * In which file.
         */pathBytes: Data,
        /**
         * Which line, from 1.
         */lineNumber: UInt64,
        /**
         * The line, without its end.
         */lineBytes: Data) {
        self.pathBytes = pathBytes
        self.lineNumber = lineNumber
        self.lineBytes = lineBytes
    }




}

#if compiler(>=6)
extension GrepMatch: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeGrepMatch: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> GrepMatch {
        return
            try GrepMatch(
                pathBytes: FfiConverterData.read(from: &buf),
                lineNumber: FfiConverterUInt64.read(from: &buf),
                lineBytes: FfiConverterData.read(from: &buf)
        )
    }

    public static func write(_ value: GrepMatch, into buf: inout [UInt8]) {
        FfiConverterData.write(value.pathBytes, into: &buf)
        FfiConverterUInt64.write(value.lineNumber, into: &buf)
        FfiConverterData.write(value.lineBytes, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeGrepMatch_lift(_ buf: RustBuffer) throws -> GrepMatch {
    return try FfiConverterTypeGrepMatch.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeGrepMatch_lower(_ value: GrepMatch) -> RustBuffer {
    return FfiConverterTypeGrepMatch.lower(value)
}


/**
 * Where a pattern is looked for.
 */
public struct GrepOptions: Equatable, Hashable {
    /**
     * A file or directory; the working directory by default.
     */
    public var pathBytes: Data?
    /**
     * Take large and small letters for the same.
     */
    public var ignoreCase: Bool
    /**
     * Only in files whose names match this pattern.
     */
    public var include: String?
    /**
     * The most matches; beyond a million, or 64 MiB of lines, it fails by default.
     */
    public var maxMatches: UInt64?

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * A file or directory; the working directory by default.
         */pathBytes: Data? = nil,
        /**
         * Take large and small letters for the same.
         */ignoreCase: Bool = false,
        /**
         * Only in files whose names match this pattern.
         */include: String? = nil,
        /**
         * The most matches; beyond a million, or 64 MiB of lines, it fails by default.
         */maxMatches: UInt64? = nil) {
        self.pathBytes = pathBytes
        self.ignoreCase = ignoreCase
        self.include = include
        self.maxMatches = maxMatches
    }




}

#if compiler(>=6)
extension GrepOptions: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeGrepOptions: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> GrepOptions {
        return
            try GrepOptions(
                pathBytes: FfiConverterOptionData.read(from: &buf),
                ignoreCase: FfiConverterBool.read(from: &buf),
                include: FfiConverterOptionString.read(from: &buf),
                maxMatches: FfiConverterOptionUInt64.read(from: &buf)
        )
    }

    public static func write(_ value: GrepOptions, into buf: inout [UInt8]) {
        FfiConverterOptionData.write(value.pathBytes, into: &buf)
        FfiConverterBool.write(value.ignoreCase, into: &buf)
        FfiConverterOptionString.write(value.include, into: &buf)
        FfiConverterOptionUInt64.write(value.maxMatches, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeGrepOptions_lift(_ buf: RustBuffer) throws -> GrepOptions {
    return try FfiConverterTypeGrepOptions.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeGrepOptions_lower(_ value: GrepOptions) -> RustBuffer {
    return FfiConverterTypeGrepOptions.lower(value)
}


/**
 * What only the host provider knows.
 */
public struct HostOptions: Equatable, Hashable {
    /**
     * Variables of this process that commands get beside the safe ones.
     */
    public var inheritEnv: [String]

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * Variables of this process that commands get beside the safe ones.
         */inheritEnv: [String] = []) {
        self.inheritEnv = inheritEnv
    }




}

#if compiler(>=6)
extension HostOptions: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeHostOptions: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> HostOptions {
        return
            try HostOptions(
                inheritEnv: FfiConverterSequenceString.read(from: &buf)
        )
    }

    public static func write(_ value: HostOptions, into buf: inout [UInt8]) {
        FfiConverterSequenceString.write(value.inheritEnv, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeHostOptions_lift(_ buf: RustBuffer) throws -> HostOptions {
    return try FfiConverterTypeHostOptions.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeHostOptions_lower(_ value: HostOptions) -> RustBuffer {
    return FfiConverterTypeHostOptions.lower(value)
}


/**
 * An image.
 */
public struct ImageInfo: Equatable, Hashable {
    /**
     * Its name.
     */
    public var reference: String
    /**
     * Its id.
     */
    public var id: String?
    /**
     * Its digest.
     */
    public var digest: String?
    /**
     * Its platform.
     */
    public var platform: String?
    /**
     * Its bytes.
     */
    public var size: UInt64?
    /**
     * When it was fetched.
     */
    public var fetchedAt: Date?

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * Its name.
         */reference: String,
        /**
         * Its id.
         */id: String? = nil,
        /**
         * Its digest.
         */digest: String? = nil,
        /**
         * Its platform.
         */platform: String? = nil,
        /**
         * Its bytes.
         */size: UInt64? = nil,
        /**
         * When it was fetched.
         */fetchedAt: Date? = nil) {
        self.reference = reference
        self.id = id
        self.digest = digest
        self.platform = platform
        self.size = size
        self.fetchedAt = fetchedAt
    }




}

#if compiler(>=6)
extension ImageInfo: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeImageInfo: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> ImageInfo {
        return
            try ImageInfo(
                reference: FfiConverterString.read(from: &buf),
                id: FfiConverterOptionString.read(from: &buf),
                digest: FfiConverterOptionString.read(from: &buf),
                platform: FfiConverterOptionString.read(from: &buf),
                size: FfiConverterOptionUInt64.read(from: &buf),
                fetchedAt: FfiConverterOptionTimestamp.read(from: &buf)
        )
    }

    public static func write(_ value: ImageInfo, into buf: inout [UInt8]) {
        FfiConverterString.write(value.reference, into: &buf)
        FfiConverterOptionString.write(value.id, into: &buf)
        FfiConverterOptionString.write(value.digest, into: &buf)
        FfiConverterOptionString.write(value.platform, into: &buf)
        FfiConverterOptionUInt64.write(value.size, into: &buf)
        FfiConverterOptionTimestamp.write(value.fetchedAt, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeImageInfo_lift(_ buf: RustBuffer) throws -> ImageInfo {
    return try FfiConverterTypeImageInfo.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeImageInfo_lower(_ value: ImageInfo) -> RustBuffer {
    return FfiConverterTypeImageInfo.lower(value)
}


/**
 * How an image becomes a snapshot.
 */
public struct ImportOptions: Equatable, Hashable {
    /**
     * The provider that takes it; the first isolating one that works here by default.
     */
    public var provider: String?
    /**
     * A name for the snapshot, unique for the provider.
     */
    public var name: String?
    /**
     * Its labels.
     */
    public var labels: [String: String]
    /**
     * The name of the image, which an archive with several needs.
     */
    public var image: String?

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * The provider that takes it; the first isolating one that works here by default.
         */provider: String? = nil,
        /**
         * A name for the snapshot, unique for the provider.
         */name: String? = nil,
        /**
         * Its labels.
         */labels: [String: String] = [:],
        /**
         * The name of the image, which an archive with several needs.
         */image: String? = nil) {
        self.provider = provider
        self.name = name
        self.labels = labels
        self.image = image
    }




}

#if compiler(>=6)
extension ImportOptions: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeImportOptions: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> ImportOptions {
        return
            try ImportOptions(
                provider: FfiConverterOptionString.read(from: &buf),
                name: FfiConverterOptionString.read(from: &buf),
                labels: FfiConverterDictionaryStringString.read(from: &buf),
                image: FfiConverterOptionString.read(from: &buf)
        )
    }

    public static func write(_ value: ImportOptions, into buf: inout [UInt8]) {
        FfiConverterOptionString.write(value.provider, into: &buf)
        FfiConverterOptionString.write(value.name, into: &buf)
        FfiConverterDictionaryStringString.write(value.labels, into: &buf)
        FfiConverterOptionString.write(value.image, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeImportOptions_lift(_ buf: RustBuffer) throws -> ImportOptions {
    return try FfiConverterTypeImportOptions.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeImportOptions_lower(_ value: ImportOptions) -> RustBuffer {
    return FfiConverterTypeImportOptions.lower(value)
}


/**
 * What one kind of thing takes of the disk.
 */
public struct KindUsage: Equatable, Hashable {
    /**
     * Which: `sandboxes`, `images`, `snapshots`, `volumes`, `database` or `other`.
     */
    public var kind: String
    /**
     * How many there are.
     */
    public var count: UInt64
    /**
     * Their bytes.
     */
    public var bytes: UInt64
    /**
     * Bytes that can be had back.
     */
    public var reclaimable: UInt64

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * Which: `sandboxes`, `images`, `snapshots`, `volumes`, `database` or `other`.
         */kind: String,
        /**
         * How many there are.
         */count: UInt64,
        /**
         * Their bytes.
         */bytes: UInt64,
        /**
         * Bytes that can be had back.
         */reclaimable: UInt64) {
        self.kind = kind
        self.count = count
        self.bytes = bytes
        self.reclaimable = reclaimable
    }




}

#if compiler(>=6)
extension KindUsage: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeKindUsage: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> KindUsage {
        return
            try KindUsage(
                kind: FfiConverterString.read(from: &buf),
                count: FfiConverterUInt64.read(from: &buf),
                bytes: FfiConverterUInt64.read(from: &buf),
                reclaimable: FfiConverterUInt64.read(from: &buf)
        )
    }

    public static func write(_ value: KindUsage, into buf: inout [UInt8]) {
        FfiConverterString.write(value.kind, into: &buf)
        FfiConverterUInt64.write(value.count, into: &buf)
        FfiConverterUInt64.write(value.bytes, into: &buf)
        FfiConverterUInt64.write(value.reclaimable, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeKindUsage_lift(_ buf: RustBuffer) throws -> KindUsage {
    return try FfiConverterTypeKindUsage.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeKindUsage_lower(_ value: KindUsage) -> RustBuffer {
    return FfiConverterTypeKindUsage.lower(value)
}


/**
 * What may be at once on this machine, whatever process makes it.
 */
public struct Limits: Equatable, Hashable {
    /**
     * Sandboxes that are made at once.
     */
    public var concurrentCreates: UInt64
    /**
     * Sandboxes that live at once; no limit when left out.
     */
    public var liveSandboxes: UInt64?
    /**
     * Creations that wait at most; more are refused as `overloaded`.
     */
    public var queueLength: UInt64
    /**
     * How long one waits at most.
     */
    public var queueWait: Double

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * Sandboxes that are made at once.
         */concurrentCreates: UInt64,
        /**
         * Sandboxes that live at once; no limit when left out.
         */liveSandboxes: UInt64? = nil,
        /**
         * Creations that wait at most; more are refused as `overloaded`.
         */queueLength: UInt64,
        /**
         * How long one waits at most.
         */queueWait: Double) {
        self.concurrentCreates = concurrentCreates
        self.liveSandboxes = liveSandboxes
        self.queueLength = queueLength
        self.queueWait = queueWait
    }




}

#if compiler(>=6)
extension Limits: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeLimits: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> Limits {
        return
            try Limits(
                concurrentCreates: FfiConverterUInt64.read(from: &buf),
                liveSandboxes: FfiConverterOptionUInt64.read(from: &buf),
                queueLength: FfiConverterUInt64.read(from: &buf),
                queueWait: FfiConverterDouble.read(from: &buf)
        )
    }

    public static func write(_ value: Limits, into buf: inout [UInt8]) {
        FfiConverterUInt64.write(value.concurrentCreates, into: &buf)
        FfiConverterOptionUInt64.write(value.liveSandboxes, into: &buf)
        FfiConverterUInt64.write(value.queueLength, into: &buf)
        FfiConverterDouble.write(value.queueWait, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeLimits_lift(_ buf: RustBuffer) throws -> Limits {
    return try FfiConverterTypeLimits.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeLimits_lower(_ value: Limits) -> RustBuffer {
    return FfiConverterTypeLimits.lower(value)
}


/**
 * New limits of this machine. What is left out stays as it is.
 */
public struct LimitsOptions: Equatable, Hashable {
    /**
     * Sandboxes that are made at once.
     */
    public var concurrentCreates: UInt64?
    /**
     * Sandboxes that live at once.
     */
    public var liveSandboxes: UInt64?
    /**
     * Let any number live at once.
     */
    public var unlimitedLiveSandboxes: Bool
    /**
     * Creations that wait at most.
     */
    public var queueLength: UInt64?
    /**
     * How long one waits at most.
     */
    public var queueWait: Double?

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * Sandboxes that are made at once.
         */concurrentCreates: UInt64? = nil,
        /**
         * Sandboxes that live at once.
         */liveSandboxes: UInt64? = nil,
        /**
         * Let any number live at once.
         */unlimitedLiveSandboxes: Bool = false,
        /**
         * Creations that wait at most.
         */queueLength: UInt64? = nil,
        /**
         * How long one waits at most.
         */queueWait: Double? = nil) {
        self.concurrentCreates = concurrentCreates
        self.liveSandboxes = liveSandboxes
        self.unlimitedLiveSandboxes = unlimitedLiveSandboxes
        self.queueLength = queueLength
        self.queueWait = queueWait
    }




}

#if compiler(>=6)
extension LimitsOptions: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeLimitsOptions: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> LimitsOptions {
        return
            try LimitsOptions(
                concurrentCreates: FfiConverterOptionUInt64.read(from: &buf),
                liveSandboxes: FfiConverterOptionUInt64.read(from: &buf),
                unlimitedLiveSandboxes: FfiConverterBool.read(from: &buf),
                queueLength: FfiConverterOptionUInt64.read(from: &buf),
                queueWait: FfiConverterOptionDouble.read(from: &buf)
        )
    }

    public static func write(_ value: LimitsOptions, into buf: inout [UInt8]) {
        FfiConverterOptionUInt64.write(value.concurrentCreates, into: &buf)
        FfiConverterOptionUInt64.write(value.liveSandboxes, into: &buf)
        FfiConverterBool.write(value.unlimitedLiveSandboxes, into: &buf)
        FfiConverterOptionUInt64.write(value.queueLength, into: &buf)
        FfiConverterOptionDouble.write(value.queueWait, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeLimitsOptions_lift(_ buf: RustBuffer) throws -> LimitsOptions {
    return try FfiConverterTypeLimitsOptions.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeLimitsOptions_lower(_ value: LimitsOptions) -> RustBuffer {
    return FfiConverterTypeLimitsOptions.lower(value)
}


/**
 * How a directory is listed.
 */
public struct ListDirectoryOptions: Equatable, Hashable {
    /**
     * How many levels deep; 1, its direct children, by default.
     */
    public var depth: UInt32?

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * How many levels deep; 1, its direct children, by default.
         */depth: UInt32? = nil) {
        self.depth = depth
    }




}

#if compiler(>=6)
extension ListDirectoryOptions: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeListDirectoryOptions: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> ListDirectoryOptions {
        return
            try ListDirectoryOptions(
                depth: FfiConverterOptionUInt32.read(from: &buf)
        )
    }

    public static func write(_ value: ListDirectoryOptions, into buf: inout [UInt8]) {
        FfiConverterOptionUInt32.write(value.depth, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeListDirectoryOptions_lift(_ buf: RustBuffer) throws -> ListDirectoryOptions {
    return try FfiConverterTypeListDirectoryOptions.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeListDirectoryOptions_lower(_ value: ListDirectoryOptions) -> RustBuffer {
    return FfiConverterTypeListDirectoryOptions.lower(value)
}


/**
 * Which sandboxes are listed.
 */
public struct ListOptions: Equatable, Hashable {
    /**
     * Labels that all must match.
     */
    public var labels: [String: String]
    /**
     * States of which one must match; all but `deleted` by default.
     */
    public var states: [SandboxState]
    /**
     * The provider.
     */
    public var provider: String?
    /**
     * Those too that are deleted, as far as they are remembered.
     */
    public var deleted: Bool

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * Labels that all must match.
         */labels: [String: String] = [:],
        /**
         * States of which one must match; all but `deleted` by default.
         */states: [SandboxState] = [],
        /**
         * The provider.
         */provider: String? = nil,
        /**
         * Those too that are deleted, as far as they are remembered.
         */deleted: Bool = false) {
        self.labels = labels
        self.states = states
        self.provider = provider
        self.deleted = deleted
    }




}

#if compiler(>=6)
extension ListOptions: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeListOptions: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> ListOptions {
        return
            try ListOptions(
                labels: FfiConverterDictionaryStringString.read(from: &buf),
                states: FfiConverterSequenceTypeSandboxState.read(from: &buf),
                provider: FfiConverterOptionString.read(from: &buf),
                deleted: FfiConverterBool.read(from: &buf)
        )
    }

    public static func write(_ value: ListOptions, into buf: inout [UInt8]) {
        FfiConverterDictionaryStringString.write(value.labels, into: &buf)
        FfiConverterSequenceTypeSandboxState.write(value.states, into: &buf)
        FfiConverterOptionString.write(value.provider, into: &buf)
        FfiConverterBool.write(value.deleted, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeListOptions_lift(_ buf: RustBuffer) throws -> ListOptions {
    return try FfiConverterTypeListOptions.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeListOptions_lower(_ value: ListOptions) -> RustBuffer {
    return FfiConverterTypeListOptions.lower(value)
}


/**
 * A port that something in a sandbox listens on.
 */
public struct ListeningPort: Equatable, Hashable {
    /**
     * The port.
     */
    public var port: UInt16
    /**
     * The address it is bound to.
     */
    public var address: String
    /**
     * The process that listens.
     */
    public var pid: UInt32?
    /**
     * The name of its program.
     */
    public var process: String?

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * The port.
         */port: UInt16,
        /**
         * The address it is bound to.
         */address: String,
        /**
         * The process that listens.
         */pid: UInt32? = nil,
        /**
         * The name of its program.
         */process: String? = nil) {
        self.port = port
        self.address = address
        self.pid = pid
        self.process = process
    }




}

#if compiler(>=6)
extension ListeningPort: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeListeningPort: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> ListeningPort {
        return
            try ListeningPort(
                port: FfiConverterUInt16.read(from: &buf),
                address: FfiConverterString.read(from: &buf),
                pid: FfiConverterOptionUInt32.read(from: &buf),
                process: FfiConverterOptionString.read(from: &buf)
        )
    }

    public static func write(_ value: ListeningPort, into buf: inout [UInt8]) {
        FfiConverterUInt16.write(value.port, into: &buf)
        FfiConverterString.write(value.address, into: &buf)
        FfiConverterOptionUInt32.write(value.pid, into: &buf)
        FfiConverterOptionString.write(value.process, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeListeningPort_lift(_ buf: RustBuffer) throws -> ListeningPort {
    return try FfiConverterTypeListeningPort.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeListeningPort_lower(_ value: ListeningPort) -> RustBuffer {
    return FfiConverterTypeListeningPort.lower(value)
}


/**
 * What is known about a path.
 */
public struct Metadata: Equatable, Hashable {
    /**
     * What it is.
     */
    public var kind: FileKind
    /**
     * Its bytes.
     */
    public var size: UInt64
    /**
     * Its permission bits, when the provider knows.
     */
    public var mode: UInt32?
    /**
     * Its owner.
     */
    public var uid: UInt32?
    /**
     * Its group.
     */
    public var gid: UInt32?
    /**
     * When its contents changed.
     */
    public var modifiedAt: Date?
    /**
     * The text of a link.
     */
    public var linkTargetBytes: Data?

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * What it is.
         */kind: FileKind,
        /**
         * Its bytes.
         */size: UInt64,
        /**
         * Its permission bits, when the provider knows.
         */mode: UInt32? = nil,
        /**
         * Its owner.
         */uid: UInt32? = nil,
        /**
         * Its group.
         */gid: UInt32? = nil,
        /**
         * When its contents changed.
         */modifiedAt: Date? = nil,
        /**
         * The text of a link.
         */linkTargetBytes: Data? = nil) {
        self.kind = kind
        self.size = size
        self.mode = mode
        self.uid = uid
        self.gid = gid
        self.modifiedAt = modifiedAt
        self.linkTargetBytes = linkTargetBytes
    }




}

#if compiler(>=6)
extension Metadata: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeMetadata: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> Metadata {
        return
            try Metadata(
                kind: FfiConverterTypeFileKind.read(from: &buf),
                size: FfiConverterUInt64.read(from: &buf),
                mode: FfiConverterOptionUInt32.read(from: &buf),
                uid: FfiConverterOptionUInt32.read(from: &buf),
                gid: FfiConverterOptionUInt32.read(from: &buf),
                modifiedAt: FfiConverterOptionTimestamp.read(from: &buf),
                linkTargetBytes: FfiConverterOptionData.read(from: &buf)
        )
    }

    public static func write(_ value: Metadata, into buf: inout [UInt8]) {
        FfiConverterTypeFileKind.write(value.kind, into: &buf)
        FfiConverterUInt64.write(value.size, into: &buf)
        FfiConverterOptionUInt32.write(value.mode, into: &buf)
        FfiConverterOptionUInt32.write(value.uid, into: &buf)
        FfiConverterOptionUInt32.write(value.gid, into: &buf)
        FfiConverterOptionTimestamp.write(value.modifiedAt, into: &buf)
        FfiConverterOptionData.write(value.linkTargetBytes, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeMetadata_lift(_ buf: RustBuffer) throws -> Metadata {
    return try FfiConverterTypeMetadata.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeMetadata_lower(_ value: Metadata) -> RustBuffer {
    return FfiConverterTypeMetadata.lower(value)
}


/**
 * What a sandbox uses at one moment. What cannot be measured is left out, never zero.
 */
public struct Metrics: Equatable, Hashable {
    /**
     * When.
     */
    public var at: Date
    /**
     * Processor time since its start.
     */
    public var cpuTime: Double?
    /**
     * The limit of processors.
     */
    public var cpuLimit: Double?
    /**
     * Bytes of memory.
     */
    public var memory: UInt64?
    /**
     * The most bytes of memory since its start.
     */
    public var peakMemory: UInt64?
    /**
     * The limit of memory.
     */
    public var memoryLimit: UInt64?
    /**
     * Bytes of disk that it wrote and keeps.
     */
    public var disk: UInt64?
    /**
     * The limit of disk.
     */
    public var diskLimit: UInt64?
    /**
     * Processes and threads.
     */
    public var pids: UInt64?
    /**
     * The limit of processes and threads.
     */
    public var pidsLimit: UInt64?
    /**
     * Bytes received from the network.
     */
    public var networkReceived: UInt64?
    /**
     * Bytes sent to the network.
     */
    public var networkSent: UInt64?

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * When.
         */at: Date,
        /**
         * Processor time since its start.
         */cpuTime: Double? = nil,
        /**
         * The limit of processors.
         */cpuLimit: Double? = nil,
        /**
         * Bytes of memory.
         */memory: UInt64? = nil,
        /**
         * The most bytes of memory since its start.
         */peakMemory: UInt64? = nil,
        /**
         * The limit of memory.
         */memoryLimit: UInt64? = nil,
        /**
         * Bytes of disk that it wrote and keeps.
         */disk: UInt64? = nil,
        /**
         * The limit of disk.
         */diskLimit: UInt64? = nil,
        /**
         * Processes and threads.
         */pids: UInt64? = nil,
        /**
         * The limit of processes and threads.
         */pidsLimit: UInt64? = nil,
        /**
         * Bytes received from the network.
         */networkReceived: UInt64? = nil,
        /**
         * Bytes sent to the network.
         */networkSent: UInt64? = nil) {
        self.at = at
        self.cpuTime = cpuTime
        self.cpuLimit = cpuLimit
        self.memory = memory
        self.peakMemory = peakMemory
        self.memoryLimit = memoryLimit
        self.disk = disk
        self.diskLimit = diskLimit
        self.pids = pids
        self.pidsLimit = pidsLimit
        self.networkReceived = networkReceived
        self.networkSent = networkSent
    }




}

#if compiler(>=6)
extension Metrics: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeMetrics: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> Metrics {
        return
            try Metrics(
                at: FfiConverterTimestamp.read(from: &buf),
                cpuTime: FfiConverterOptionDouble.read(from: &buf),
                cpuLimit: FfiConverterOptionDouble.read(from: &buf),
                memory: FfiConverterOptionUInt64.read(from: &buf),
                peakMemory: FfiConverterOptionUInt64.read(from: &buf),
                memoryLimit: FfiConverterOptionUInt64.read(from: &buf),
                disk: FfiConverterOptionUInt64.read(from: &buf),
                diskLimit: FfiConverterOptionUInt64.read(from: &buf),
                pids: FfiConverterOptionUInt64.read(from: &buf),
                pidsLimit: FfiConverterOptionUInt64.read(from: &buf),
                networkReceived: FfiConverterOptionUInt64.read(from: &buf),
                networkSent: FfiConverterOptionUInt64.read(from: &buf)
        )
    }

    public static func write(_ value: Metrics, into buf: inout [UInt8]) {
        FfiConverterTimestamp.write(value.at, into: &buf)
        FfiConverterOptionDouble.write(value.cpuTime, into: &buf)
        FfiConverterOptionDouble.write(value.cpuLimit, into: &buf)
        FfiConverterOptionUInt64.write(value.memory, into: &buf)
        FfiConverterOptionUInt64.write(value.peakMemory, into: &buf)
        FfiConverterOptionUInt64.write(value.memoryLimit, into: &buf)
        FfiConverterOptionUInt64.write(value.disk, into: &buf)
        FfiConverterOptionUInt64.write(value.diskLimit, into: &buf)
        FfiConverterOptionUInt64.write(value.pids, into: &buf)
        FfiConverterOptionUInt64.write(value.pidsLimit, into: &buf)
        FfiConverterOptionUInt64.write(value.networkReceived, into: &buf)
        FfiConverterOptionUInt64.write(value.networkSent, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeMetrics_lift(_ buf: RustBuffer) throws -> Metrics {
    return try FfiConverterTypeMetrics.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeMetrics_lower(_ value: Metrics) -> RustBuffer {
    return FfiConverterTypeMetrics.lower(value)
}


/**
 * What only the namespace provider knows.
 */
public struct NamespaceOptions: Equatable, Hashable {
    /**
     * The host name inside.
     */
    public var hostname: String?
    /**
     * The size of `/dev/shm`.
     */
    public var shmSize: Size?
    /**
     * Make the root filesystem read-only.
     */
    public var readOnlyRoot: Bool
    /**
     * Let processes make user namespaces, as a browser's or a container engine's own sandbox needs.
     */
    public var nestedUserNamespaces: Bool
    /**
     * Which users there can be beside its root.
     */
    public var users: NamespaceUsers?
    /**
     * What the limit of disk is enforced by; a quota by default.
     */
    public var diskBacking: DiskBacking?

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * The host name inside.
         */hostname: String? = nil,
        /**
         * The size of `/dev/shm`.
         */shmSize: Size? = nil,
        /**
         * Make the root filesystem read-only.
         */readOnlyRoot: Bool = false,
        /**
         * Let processes make user namespaces, as a browser's or a container engine's own sandbox needs.
         */nestedUserNamespaces: Bool = false,
        /**
         * Which users there can be beside its root.
         */users: NamespaceUsers? = nil,
        /**
         * What the limit of disk is enforced by; a quota by default.
         */diskBacking: DiskBacking? = nil) {
        self.hostname = hostname
        self.shmSize = shmSize
        self.readOnlyRoot = readOnlyRoot
        self.nestedUserNamespaces = nestedUserNamespaces
        self.users = users
        self.diskBacking = diskBacking
    }




}

#if compiler(>=6)
extension NamespaceOptions: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeNamespaceOptions: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> NamespaceOptions {
        return
            try NamespaceOptions(
                hostname: FfiConverterOptionString.read(from: &buf),
                shmSize: FfiConverterOptionTypeSize.read(from: &buf),
                readOnlyRoot: FfiConverterBool.read(from: &buf),
                nestedUserNamespaces: FfiConverterBool.read(from: &buf),
                users: FfiConverterOptionTypeNamespaceUsers.read(from: &buf),
                diskBacking: FfiConverterOptionTypeDiskBacking.read(from: &buf)
        )
    }

    public static func write(_ value: NamespaceOptions, into buf: inout [UInt8]) {
        FfiConverterOptionString.write(value.hostname, into: &buf)
        FfiConverterOptionTypeSize.write(value.shmSize, into: &buf)
        FfiConverterBool.write(value.readOnlyRoot, into: &buf)
        FfiConverterBool.write(value.nestedUserNamespaces, into: &buf)
        FfiConverterOptionTypeNamespaceUsers.write(value.users, into: &buf)
        FfiConverterOptionTypeDiskBacking.write(value.diskBacking, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeNamespaceOptions_lift(_ buf: RustBuffer) throws -> NamespaceOptions {
    return try FfiConverterTypeNamespaceOptions.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeNamespaceOptions_lower(_ value: NamespaceOptions) -> RustBuffer {
    return FfiConverterTypeNamespaceOptions.lower(value)
}


/**
 * Where the library is opened.
 */
public struct OpenOptions: Equatable, Hashable {
    /**
     * The directory of its books and files; by default that which `ISOBOX_HOME` names, or one of this user's.
     */
    public var homeBytes: Data?
    /**
     * The provider of sandboxes that name none; the first isolating one that works here by default.
     */
    public var defaultProvider: String?

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * The directory of its books and files; by default that which `ISOBOX_HOME` names, or one of this user's.
         */homeBytes: Data? = nil,
        /**
         * The provider of sandboxes that name none; the first isolating one that works here by default.
         */defaultProvider: String? = nil) {
        self.homeBytes = homeBytes
        self.defaultProvider = defaultProvider
    }




}

#if compiler(>=6)
extension OpenOptions: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeOpenOptions: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> OpenOptions {
        return
            try OpenOptions(
                homeBytes: FfiConverterOptionData.read(from: &buf),
                defaultProvider: FfiConverterOptionString.read(from: &buf)
        )
    }

    public static func write(_ value: OpenOptions, into buf: inout [UInt8]) {
        FfiConverterOptionData.write(value.homeBytes, into: &buf)
        FfiConverterOptionString.write(value.defaultProvider, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeOpenOptions_lift(_ buf: RustBuffer) throws -> OpenOptions {
    return try FfiConverterTypeOpenOptions.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeOpenOptions_lower(_ value: OpenOptions) -> RustBuffer {
    return FfiConverterTypeOpenOptions.lower(value)
}


/**
 * What of an output was kept: `observed` is always `retained` and `omitted` together.
 */
public struct OutputStream: Equatable, Hashable {
    /**
     * Bytes that the command wrote.
     */
    public var observed: UInt64
    /**
     * Bytes that are here.
     */
    public var retained: UInt64
    /**
     * Bytes that are not.
     */
    public var omitted: UInt64
    /**
     * Where in what is here the omitted ones were.
     */
    public var omittedAt: UInt64
    /**
     * Bytes that a backend's transport lost before they were counted.
     */
    public var lost: UInt64
    /**
     * The file in the sandbox that has everything.
     */
    public var spillBytes: Data?

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * Bytes that the command wrote.
         */observed: UInt64,
        /**
         * Bytes that are here.
         */retained: UInt64,
        /**
         * Bytes that are not.
         */omitted: UInt64,
        /**
         * Where in what is here the omitted ones were.
         */omittedAt: UInt64,
        /**
         * Bytes that a backend's transport lost before they were counted.
         */lost: UInt64,
        /**
         * The file in the sandbox that has everything.
         */spillBytes: Data? = nil) {
        self.observed = observed
        self.retained = retained
        self.omitted = omitted
        self.omittedAt = omittedAt
        self.lost = lost
        self.spillBytes = spillBytes
    }




}

#if compiler(>=6)
extension OutputStream: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeOutputStream: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> OutputStream {
        return
            try OutputStream(
                observed: FfiConverterUInt64.read(from: &buf),
                retained: FfiConverterUInt64.read(from: &buf),
                omitted: FfiConverterUInt64.read(from: &buf),
                omittedAt: FfiConverterUInt64.read(from: &buf),
                lost: FfiConverterUInt64.read(from: &buf),
                spillBytes: FfiConverterOptionData.read(from: &buf)
        )
    }

    public static func write(_ value: OutputStream, into buf: inout [UInt8]) {
        FfiConverterUInt64.write(value.observed, into: &buf)
        FfiConverterUInt64.write(value.retained, into: &buf)
        FfiConverterUInt64.write(value.omitted, into: &buf)
        FfiConverterUInt64.write(value.omittedAt, into: &buf)
        FfiConverterUInt64.write(value.lost, into: &buf)
        FfiConverterOptionData.write(value.spillBytes, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeOutputStream_lift(_ buf: RustBuffer) throws -> OutputStream {
    return try FfiConverterTypeOutputStream.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeOutputStream_lower(_ value: OutputStream) -> RustBuffer {
    return FfiConverterTypeOutputStream.lower(value)
}


/**
 * What a pool keeps ready.
 */
public struct PoolOptions: Equatable, Hashable {
    /**
     * What its sandboxes are made from and like; the default of everything by default.
     */
    public var sandbox: CreateOptions?
    /**
     * How many must be ready before it is open; none by default.
     */
    public var minReady: UInt32?
    /**
     * How many are made at once to refill it; one for each processor by default.
     */
    public var refillsAtOnce: UInt32?
    /**
     * How long one is kept before another is made in its place; for ever by default.
     */
    public var maxAge: Double?
    /**
     * A name, for people.
     */
    public var name: String?
    /**
     * A name by which other processes take from it.
     */
    public var sharedAs: String?

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * What its sandboxes are made from and like; the default of everything by default.
         */sandbox: CreateOptions? = nil,
        /**
         * How many must be ready before it is open; none by default.
         */minReady: UInt32? = nil,
        /**
         * How many are made at once to refill it; one for each processor by default.
         */refillsAtOnce: UInt32? = nil,
        /**
         * How long one is kept before another is made in its place; for ever by default.
         */maxAge: Double? = nil,
        /**
         * A name, for people.
         */name: String? = nil,
        /**
         * A name by which other processes take from it.
         */sharedAs: String? = nil) {
        self.sandbox = sandbox
        self.minReady = minReady
        self.refillsAtOnce = refillsAtOnce
        self.maxAge = maxAge
        self.name = name
        self.sharedAs = sharedAs
    }




}

#if compiler(>=6)
extension PoolOptions: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypePoolOptions: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> PoolOptions {
        return
            try PoolOptions(
                sandbox: FfiConverterOptionTypeCreateOptions.read(from: &buf),
                minReady: FfiConverterOptionUInt32.read(from: &buf),
                refillsAtOnce: FfiConverterOptionUInt32.read(from: &buf),
                maxAge: FfiConverterOptionDouble.read(from: &buf),
                name: FfiConverterOptionString.read(from: &buf),
                sharedAs: FfiConverterOptionString.read(from: &buf)
        )
    }

    public static func write(_ value: PoolOptions, into buf: inout [UInt8]) {
        FfiConverterOptionTypeCreateOptions.write(value.sandbox, into: &buf)
        FfiConverterOptionUInt32.write(value.minReady, into: &buf)
        FfiConverterOptionUInt32.write(value.refillsAtOnce, into: &buf)
        FfiConverterOptionDouble.write(value.maxAge, into: &buf)
        FfiConverterOptionString.write(value.name, into: &buf)
        FfiConverterOptionString.write(value.sharedAs, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypePoolOptions_lift(_ buf: RustBuffer) throws -> PoolOptions {
    return try FfiConverterTypePoolOptions.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypePoolOptions_lower(_ value: PoolOptions) -> RustBuffer {
    return FfiConverterTypePoolOptions.lower(value)
}


/**
 * How a pool is doing.
 */
public struct PoolStatus: Equatable, Hashable {
    /**
     * How many it keeps.
     */
    public var size: UInt64
    /**
     * How many are ready.
     */
    public var ready: UInt64
    /**
     * How many are being made.
     */
    public var making: UInt64
    /**
     * How many were ready when they were taken.
     */
    public var taken: UInt64
    /**
     * How many were made when they were asked for, because none was ready.
     */
    public var madeDirectly: UInt64
    /**
     * Why the last refill failed, until one succeeds.
     */
    public var failure: String?

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * How many it keeps.
         */size: UInt64,
        /**
         * How many are ready.
         */ready: UInt64,
        /**
         * How many are being made.
         */making: UInt64,
        /**
         * How many were ready when they were taken.
         */taken: UInt64,
        /**
         * How many were made when they were asked for, because none was ready.
         */madeDirectly: UInt64,
        /**
         * Why the last refill failed, until one succeeds.
         */failure: String? = nil) {
        self.size = size
        self.ready = ready
        self.making = making
        self.taken = taken
        self.madeDirectly = madeDirectly
        self.failure = failure
    }




}

#if compiler(>=6)
extension PoolStatus: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypePoolStatus: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> PoolStatus {
        return
            try PoolStatus(
                size: FfiConverterUInt64.read(from: &buf),
                ready: FfiConverterUInt64.read(from: &buf),
                making: FfiConverterUInt64.read(from: &buf),
                taken: FfiConverterUInt64.read(from: &buf),
                madeDirectly: FfiConverterUInt64.read(from: &buf),
                failure: FfiConverterOptionString.read(from: &buf)
        )
    }

    public static func write(_ value: PoolStatus, into buf: inout [UInt8]) {
        FfiConverterUInt64.write(value.size, into: &buf)
        FfiConverterUInt64.write(value.ready, into: &buf)
        FfiConverterUInt64.write(value.making, into: &buf)
        FfiConverterUInt64.write(value.taken, into: &buf)
        FfiConverterUInt64.write(value.madeDirectly, into: &buf)
        FfiConverterOptionString.write(value.failure, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypePoolStatus_lift(_ buf: RustBuffer) throws -> PoolStatus {
    return try FfiConverterTypePoolStatus.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypePoolStatus_lower(_ value: PoolStatus) -> RustBuffer {
    return FfiConverterTypePoolStatus.lower(value)
}


/**
 * What is known about the end of a sandbox that nobody asked for. It is kept after the sandbox is gone.
 */
public struct PostMortem: Equatable, Hashable {
    /**
     * The sandbox.
     */
    public var sandbox: String
    /**
     * Why it ended.
     */
    public var cause: DeathCause
    /**
     * When it ended, or when that was noticed.
     */
    public var at: Date
    /**
     * More words of the provider, such as an eviction message.
     */
    public var reason: String?
    /**
     * The exit code of the sandbox's main process.
     */
    public var exitCode: Int32?
    /**
     * The signal that ended the main process.
     */
    public var signal: Int32?
    /**
     * The memory limit, in bytes.
     */
    public var memoryLimit: UInt64?
    /**
     * The most memory used, in bytes.
     */
    public var peakMemory: UInt64?
    /**
     * The ids of the commands that ran.
     */
    public var running: [String]
    /**
     * The last output, at most 8 KiB.
     */
    public var lastOutputBytes: Data
    /**
     * The last connections that the policy refused, oldest first, at most 32.
     */
    public var denials: [Denial]

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * The sandbox.
         */sandbox: String,
        /**
         * Why it ended.
         */cause: DeathCause,
        /**
         * When it ended, or when that was noticed.
         */at: Date,
        /**
         * More words of the provider, such as an eviction message.
         */reason: String? = nil,
        /**
         * The exit code of the sandbox's main process.
         */exitCode: Int32? = nil,
        /**
         * The signal that ended the main process.
         */signal: Int32? = nil,
        /**
         * The memory limit, in bytes.
         */memoryLimit: UInt64? = nil,
        /**
         * The most memory used, in bytes.
         */peakMemory: UInt64? = nil,
        /**
         * The ids of the commands that ran.
         */running: [String] = [],
        /**
         * The last output, at most 8 KiB.
         */lastOutputBytes: Data,
        /**
         * The last connections that the policy refused, oldest first, at most 32.
         */denials: [Denial] = []) {
        self.sandbox = sandbox
        self.cause = cause
        self.at = at
        self.reason = reason
        self.exitCode = exitCode
        self.signal = signal
        self.memoryLimit = memoryLimit
        self.peakMemory = peakMemory
        self.running = running
        self.lastOutputBytes = lastOutputBytes
        self.denials = denials
    }




}

#if compiler(>=6)
extension PostMortem: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypePostMortem: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> PostMortem {
        return
            try PostMortem(
                sandbox: FfiConverterString.read(from: &buf),
                cause: FfiConverterTypeDeathCause.read(from: &buf),
                at: FfiConverterTimestamp.read(from: &buf),
                reason: FfiConverterOptionString.read(from: &buf),
                exitCode: FfiConverterOptionInt32.read(from: &buf),
                signal: FfiConverterOptionInt32.read(from: &buf),
                memoryLimit: FfiConverterOptionUInt64.read(from: &buf),
                peakMemory: FfiConverterOptionUInt64.read(from: &buf),
                running: FfiConverterSequenceString.read(from: &buf),
                lastOutputBytes: FfiConverterData.read(from: &buf),
                denials: FfiConverterSequenceTypeDenial.read(from: &buf)
        )
    }

    public static func write(_ value: PostMortem, into buf: inout [UInt8]) {
        FfiConverterString.write(value.sandbox, into: &buf)
        FfiConverterTypeDeathCause.write(value.cause, into: &buf)
        FfiConverterTimestamp.write(value.at, into: &buf)
        FfiConverterOptionString.write(value.reason, into: &buf)
        FfiConverterOptionInt32.write(value.exitCode, into: &buf)
        FfiConverterOptionInt32.write(value.signal, into: &buf)
        FfiConverterOptionUInt64.write(value.memoryLimit, into: &buf)
        FfiConverterOptionUInt64.write(value.peakMemory, into: &buf)
        FfiConverterSequenceString.write(value.running, into: &buf)
        FfiConverterData.write(value.lastOutputBytes, into: &buf)
        FfiConverterSequenceTypeDenial.write(value.denials, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypePostMortem_lift(_ buf: RustBuffer) throws -> PostMortem {
    return try FfiConverterTypePostMortem.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypePostMortem_lower(_ value: PostMortem) -> RustBuffer {
    return FfiConverterTypePostMortem.lower(value)
}


/**
 * What a provider is.
 */
public struct ProviderInfo: Equatable, Hashable {
    /**
     * Its kind, by which it is named.
     */
    public var kind: String
    /**
     * Whether it works here.
     */
    public var works: Bool
    /**
     * What separates its sandboxes from the machine.
     */
    public var isolation: Isolation?
    /**
     * What it can do, by dotted names.
     */
    public var capabilities: [String]
    /**
     * Why it does not work.
     */
    public var problem: String?

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * Its kind, by which it is named.
         */kind: String,
        /**
         * Whether it works here.
         */works: Bool = false,
        /**
         * What separates its sandboxes from the machine.
         */isolation: Isolation? = nil,
        /**
         * What it can do, by dotted names.
         */capabilities: [String] = [],
        /**
         * Why it does not work.
         */problem: String? = nil) {
        self.kind = kind
        self.works = works
        self.isolation = isolation
        self.capabilities = capabilities
        self.problem = problem
    }




}

#if compiler(>=6)
extension ProviderInfo: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeProviderInfo: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> ProviderInfo {
        return
            try ProviderInfo(
                kind: FfiConverterString.read(from: &buf),
                works: FfiConverterBool.read(from: &buf),
                isolation: FfiConverterOptionTypeIsolation.read(from: &buf),
                capabilities: FfiConverterSequenceString.read(from: &buf),
                problem: FfiConverterOptionString.read(from: &buf)
        )
    }

    public static func write(_ value: ProviderInfo, into buf: inout [UInt8]) {
        FfiConverterString.write(value.kind, into: &buf)
        FfiConverterBool.write(value.works, into: &buf)
        FfiConverterOptionTypeIsolation.write(value.isolation, into: &buf)
        FfiConverterSequenceString.write(value.capabilities, into: &buf)
        FfiConverterOptionString.write(value.problem, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeProviderInfo_lift(_ buf: RustBuffer) throws -> ProviderInfo {
    return try FfiConverterTypeProviderInfo.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeProviderInfo_lower(_ value: ProviderInfo) -> RustBuffer {
    return FfiConverterTypeProviderInfo.lower(value)
}


/**
 * What was removed, and what is left.
 */
public struct PrunedImages: Equatable, Hashable {
    /**
     * The names of the images that are gone.
     */
    public var images: [String]
    /**
     * Bytes that are free now.
     */
    public var freed: UInt64
    /**
     * Bytes that are left.
     */
    public var left: UInt64

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * The names of the images that are gone.
         */images: [String] = [],
        /**
         * Bytes that are free now.
         */freed: UInt64,
        /**
         * Bytes that are left.
         */left: UInt64) {
        self.images = images
        self.freed = freed
        self.left = left
    }




}

#if compiler(>=6)
extension PrunedImages: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypePrunedImages: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> PrunedImages {
        return
            try PrunedImages(
                images: FfiConverterSequenceString.read(from: &buf),
                freed: FfiConverterUInt64.read(from: &buf),
                left: FfiConverterUInt64.read(from: &buf)
        )
    }

    public static func write(_ value: PrunedImages, into buf: inout [UInt8]) {
        FfiConverterSequenceString.write(value.images, into: &buf)
        FfiConverterUInt64.write(value.freed, into: &buf)
        FfiConverterUInt64.write(value.left, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypePrunedImages_lift(_ buf: RustBuffer) throws -> PrunedImages {
    return try FfiConverterTypePrunedImages.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypePrunedImages_lower(_ value: PrunedImages) -> RustBuffer {
    return FfiConverterTypePrunedImages.lower(value)
}


/**
 * How an image is fetched.
 */
public struct PullOptions: Equatable, Hashable {
    /**
     * When it is fetched; when it is missing by default.
     */
    public var pull: PullPolicy?
    /**
     * Its platform, such as `linux/arm64`; this machine's by default.
     */
    public var platform: String?
    /**
     * The credential for its registry.
     */
    public var auth: RegistryAuth?

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * When it is fetched; when it is missing by default.
         */pull: PullPolicy? = nil,
        /**
         * Its platform, such as `linux/arm64`; this machine's by default.
         */platform: String? = nil,
        /**
         * The credential for its registry.
         */auth: RegistryAuth? = nil) {
        self.pull = pull
        self.platform = platform
        self.auth = auth
    }




}

#if compiler(>=6)
extension PullOptions: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypePullOptions: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> PullOptions {
        return
            try PullOptions(
                pull: FfiConverterOptionTypePullPolicy.read(from: &buf),
                platform: FfiConverterOptionString.read(from: &buf),
                auth: FfiConverterOptionTypeRegistryAuth.read(from: &buf)
        )
    }

    public static func write(_ value: PullOptions, into buf: inout [UInt8]) {
        FfiConverterOptionTypePullPolicy.write(value.pull, into: &buf)
        FfiConverterOptionString.write(value.platform, into: &buf)
        FfiConverterOptionTypeRegistryAuth.write(value.auth, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypePullOptions_lift(_ buf: RustBuffer) throws -> PullOptions {
    return try FfiConverterTypePullOptions.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypePullOptions_lower(_ value: PullOptions) -> RustBuffer {
    return FfiConverterTypePullOptions.lower(value)
}


/**
 * What is made at once on this machine, and who waits.
 */
public struct Queue: Equatable, Hashable {
    /**
     * What may be at once.
     */
    public var limits: Limits
    /**
     * How many sandboxes live.
     */
    public var live: UInt64
    /**
     * What is being made.
     */
    public var making: [QueueEntry]
    /**
     * What waits, the next first.
     */
    public var waiting: [QueueEntry]

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * What may be at once.
         */limits: Limits,
        /**
         * How many sandboxes live.
         */live: UInt64,
        /**
         * What is being made.
         */making: [QueueEntry] = [],
        /**
         * What waits, the next first.
         */waiting: [QueueEntry] = []) {
        self.limits = limits
        self.live = live
        self.making = making
        self.waiting = waiting
    }




}

#if compiler(>=6)
extension Queue: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeQueue: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> Queue {
        return
            try Queue(
                limits: FfiConverterTypeLimits.read(from: &buf),
                live: FfiConverterUInt64.read(from: &buf),
                making: FfiConverterSequenceTypeQueueEntry.read(from: &buf),
                waiting: FfiConverterSequenceTypeQueueEntry.read(from: &buf)
        )
    }

    public static func write(_ value: Queue, into buf: inout [UInt8]) {
        FfiConverterTypeLimits.write(value.limits, into: &buf)
        FfiConverterUInt64.write(value.live, into: &buf)
        FfiConverterSequenceTypeQueueEntry.write(value.making, into: &buf)
        FfiConverterSequenceTypeQueueEntry.write(value.waiting, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeQueue_lift(_ buf: RustBuffer) throws -> Queue {
    return try FfiConverterTypeQueue.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeQueue_lower(_ value: Queue) -> RustBuffer {
    return FfiConverterTypeQueue.lower(value)
}


/**
 * A creation that is under way or waits.
 */
public struct QueueEntry: Equatable, Hashable {
    /**
     * The sandbox that it makes.
     */
    public var sandbox: String
    /**
     * The name of that.
     */
    public var name: String?
    /**
     * The provider that makes it.
     */
    public var provider: String
    /**
     * The process that asked for it.
     */
    public var pid: UInt32?
    /**
     * The program of that process.
     */
    public var program: String?
    /**
     * Since when.
     */
    public var since: Date
    /**
     * How many are before it; none once it is being made.
     */
    public var position: UInt64?

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * The sandbox that it makes.
         */sandbox: String,
        /**
         * The name of that.
         */name: String? = nil,
        /**
         * The provider that makes it.
         */provider: String,
        /**
         * The process that asked for it.
         */pid: UInt32? = nil,
        /**
         * The program of that process.
         */program: String? = nil,
        /**
         * Since when.
         */since: Date,
        /**
         * How many are before it; none once it is being made.
         */position: UInt64? = nil) {
        self.sandbox = sandbox
        self.name = name
        self.provider = provider
        self.pid = pid
        self.program = program
        self.since = since
        self.position = position
    }




}

#if compiler(>=6)
extension QueueEntry: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeQueueEntry: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> QueueEntry {
        return
            try QueueEntry(
                sandbox: FfiConverterString.read(from: &buf),
                name: FfiConverterOptionString.read(from: &buf),
                provider: FfiConverterString.read(from: &buf),
                pid: FfiConverterOptionUInt32.read(from: &buf),
                program: FfiConverterOptionString.read(from: &buf),
                since: FfiConverterTimestamp.read(from: &buf),
                position: FfiConverterOptionUInt64.read(from: &buf)
        )
    }

    public static func write(_ value: QueueEntry, into buf: inout [UInt8]) {
        FfiConverterString.write(value.sandbox, into: &buf)
        FfiConverterOptionString.write(value.name, into: &buf)
        FfiConverterString.write(value.provider, into: &buf)
        FfiConverterOptionUInt32.write(value.pid, into: &buf)
        FfiConverterOptionString.write(value.program, into: &buf)
        FfiConverterTimestamp.write(value.since, into: &buf)
        FfiConverterOptionUInt64.write(value.position, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeQueueEntry_lift(_ buf: RustBuffer) throws -> QueueEntry {
    return try FfiConverterTypeQueueEntry.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeQueueEntry_lower(_ value: QueueEntry) -> RustBuffer {
    return FfiConverterTypeQueueEntry.lower(value)
}


/**
 * Which part of a file is read.
 */
public struct ReadOptions: Equatable, Hashable {
    /**
     * Bytes to skip.
     */
    public var offset: UInt64
    /**
     * Bytes to read; to the end by default.
     */
    public var length: UInt64?
    /**
     * Bytes that are accepted at most, beyond which it fails with `limit_exceeded`; 64 MiB by default. A stream has no such limit.
     */
    public var limit: UInt64?

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * Bytes to skip.
         */offset: UInt64,
        /**
         * Bytes to read; to the end by default.
         */length: UInt64? = nil,
        /**
         * Bytes that are accepted at most, beyond which it fails with `limit_exceeded`; 64 MiB by default. A stream has no such limit.
         */limit: UInt64? = nil) {
        self.offset = offset
        self.length = length
        self.limit = limit
    }




}

#if compiler(>=6)
extension ReadOptions: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeReadOptions: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> ReadOptions {
        return
            try ReadOptions(
                offset: FfiConverterUInt64.read(from: &buf),
                length: FfiConverterOptionUInt64.read(from: &buf),
                limit: FfiConverterOptionUInt64.read(from: &buf)
        )
    }

    public static func write(_ value: ReadOptions, into buf: inout [UInt8]) {
        FfiConverterUInt64.write(value.offset, into: &buf)
        FfiConverterOptionUInt64.write(value.length, into: &buf)
        FfiConverterOptionUInt64.write(value.limit, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeReadOptions_lift(_ buf: RustBuffer) throws -> ReadOptions {
    return try FfiConverterTypeReadOptions.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeReadOptions_lower(_ value: ReadOptions) -> RustBuffer {
    return FfiConverterTypeReadOptions.lower(value)
}


/**
 * A credential for a registry.
 */
public struct RegistryAuth: Equatable, Hashable {
    /**
     * The user.
     */
    public var username: String
    /**
     * The password or token.
     */
    public var password: String
    /**
     * The registry's host; that of the image by default.
     */
    public var server: String?

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * The user.
         */username: String,
        /**
         * The password or token.
         */password: String,
        /**
         * The registry's host; that of the image by default.
         */server: String? = nil) {
        self.username = username
        self.password = password
        self.server = server
    }




}

#if compiler(>=6)
extension RegistryAuth: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeRegistryAuth: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> RegistryAuth {
        return
            try RegistryAuth(
                username: FfiConverterString.read(from: &buf),
                password: FfiConverterString.read(from: &buf),
                server: FfiConverterOptionString.read(from: &buf)
        )
    }

    public static func write(_ value: RegistryAuth, into buf: inout [UInt8]) {
        FfiConverterString.write(value.username, into: &buf)
        FfiConverterString.write(value.password, into: &buf)
        FfiConverterOptionString.write(value.server, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeRegistryAuth_lift(_ buf: RustBuffer) throws -> RegistryAuth {
    return try FfiConverterTypeRegistryAuth.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeRegistryAuth_lower(_ value: RegistryAuth) -> RustBuffer {
    return FfiConverterTypeRegistryAuth.lower(value)
}


/**
 * Who asks a remote, and how often. Without credentials those that the repository keeps are used.
 */
public struct RemoteOptions: Equatable, Hashable {
    /**
     * The name of the remote; that of the branch, or `origin`, by default.
     */
    public var remote: String?
    /**
     * The branch; the current one by default.
     */
    public var branch: String?
    /**
     * Let the branch follow that of the remote from now on.
     */
    public var setUpstream: Bool
    /**
     * The user, for this call alone.
     */
    public var username: String?
    /**
     * The password or token, for this call alone.
     */
    public var password: String?
    /**
     * How often it is tried when the remote cannot be reached; once by default.
     */
    public var attempts: UInt32?
    /**
     * How long is waited between two attempts.
     */
    public var wait: Double?

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * The name of the remote; that of the branch, or `origin`, by default.
         */remote: String? = nil,
        /**
         * The branch; the current one by default.
         */branch: String? = nil,
        /**
         * Let the branch follow that of the remote from now on.
         */setUpstream: Bool = false,
        /**
         * The user, for this call alone.
         */username: String? = nil,
        /**
         * The password or token, for this call alone.
         */password: String? = nil,
        /**
         * How often it is tried when the remote cannot be reached; once by default.
         */attempts: UInt32? = nil,
        /**
         * How long is waited between two attempts.
         */wait: Double? = nil) {
        self.remote = remote
        self.branch = branch
        self.setUpstream = setUpstream
        self.username = username
        self.password = password
        self.attempts = attempts
        self.wait = wait
    }




}

#if compiler(>=6)
extension RemoteOptions: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeRemoteOptions: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> RemoteOptions {
        return
            try RemoteOptions(
                remote: FfiConverterOptionString.read(from: &buf),
                branch: FfiConverterOptionString.read(from: &buf),
                setUpstream: FfiConverterBool.read(from: &buf),
                username: FfiConverterOptionString.read(from: &buf),
                password: FfiConverterOptionString.read(from: &buf),
                attempts: FfiConverterOptionUInt32.read(from: &buf),
                wait: FfiConverterOptionDouble.read(from: &buf)
        )
    }

    public static func write(_ value: RemoteOptions, into buf: inout [UInt8]) {
        FfiConverterOptionString.write(value.remote, into: &buf)
        FfiConverterOptionString.write(value.branch, into: &buf)
        FfiConverterBool.write(value.setUpstream, into: &buf)
        FfiConverterOptionString.write(value.username, into: &buf)
        FfiConverterOptionString.write(value.password, into: &buf)
        FfiConverterOptionUInt32.write(value.attempts, into: &buf)
        FfiConverterOptionDouble.write(value.wait, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeRemoteOptions_lift(_ buf: RustBuffer) throws -> RemoteOptions {
    return try FfiConverterTypeRemoteOptions.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeRemoteOptions_lower(_ value: RemoteOptions) -> RustBuffer {
    return FfiConverterTypeRemoteOptions.lower(value)
}


/**
 * An error that is part of an event or a state.
 */
public struct Report: Equatable, Hashable {
    /**
     * What happened.
     */
    public var code: ErrorCode
    /**
     * What happened, to what, and what to do about it.
     */
    public var message: String
    /**
     * Whether the same may succeed later.
     */
    public var retryable: Bool
    /**
     * Whether it is a failure of the infrastructure.
     */
    public var infrastructure: Bool
    /**
     * What caused it, from the nearest to the farthest.
     */
    public var causes: [String]

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * What happened.
         */code: ErrorCode,
        /**
         * What happened, to what, and what to do about it.
         */message: String,
        /**
         * Whether the same may succeed later.
         */retryable: Bool = false,
        /**
         * Whether it is a failure of the infrastructure.
         */infrastructure: Bool = false,
        /**
         * What caused it, from the nearest to the farthest.
         */causes: [String] = []) {
        self.code = code
        self.message = message
        self.retryable = retryable
        self.infrastructure = infrastructure
        self.causes = causes
    }




}

#if compiler(>=6)
extension Report: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeReport: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> Report {
        return
            try Report(
                code: FfiConverterTypeErrorCode.read(from: &buf),
                message: FfiConverterString.read(from: &buf),
                retryable: FfiConverterBool.read(from: &buf),
                infrastructure: FfiConverterBool.read(from: &buf),
                causes: FfiConverterSequenceString.read(from: &buf)
        )
    }

    public static func write(_ value: Report, into buf: inout [UInt8]) {
        FfiConverterTypeErrorCode.write(value.code, into: &buf)
        FfiConverterString.write(value.message, into: &buf)
        FfiConverterBool.write(value.retryable, into: &buf)
        FfiConverterBool.write(value.infrastructure, into: &buf)
        FfiConverterSequenceString.write(value.causes, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeReport_lift(_ buf: RustBuffer) throws -> Report {
    return try FfiConverterTypeReport.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeReport_lower(_ value: Report) -> RustBuffer {
    return FfiConverterTypeReport.lower(value)
}


/**
 * New limits of a sandbox. What is left out stays as it is.
 */
public struct ResizeOptions: Equatable, Hashable {
    /**
     * Processors; fractions are fine.
     */
    public var cpus: Double?
    /**
     * Memory.
     */
    public var memory: Size?
    /**
     * Disk.
     */
    public var disk: Size?
    /**
     * Processes and threads.
     */
    public var pids: UInt64?

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * Processors; fractions are fine.
         */cpus: Double? = nil,
        /**
         * Memory.
         */memory: Size? = nil,
        /**
         * Disk.
         */disk: Size? = nil,
        /**
         * Processes and threads.
         */pids: UInt64? = nil) {
        self.cpus = cpus
        self.memory = memory
        self.disk = disk
        self.pids = pids
    }




}

#if compiler(>=6)
extension ResizeOptions: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeResizeOptions: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> ResizeOptions {
        return
            try ResizeOptions(
                cpus: FfiConverterOptionDouble.read(from: &buf),
                memory: FfiConverterOptionTypeSize.read(from: &buf),
                disk: FfiConverterOptionTypeSize.read(from: &buf),
                pids: FfiConverterOptionUInt64.read(from: &buf)
        )
    }

    public static func write(_ value: ResizeOptions, into buf: inout [UInt8]) {
        FfiConverterOptionDouble.write(value.cpus, into: &buf)
        FfiConverterOptionTypeSize.write(value.memory, into: &buf)
        FfiConverterOptionTypeSize.write(value.disk, into: &buf)
        FfiConverterOptionUInt64.write(value.pids, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeResizeOptions_lift(_ buf: RustBuffer) throws -> ResizeOptions {
    return try FfiConverterTypeResizeOptions.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeResizeOptions_lower(_ value: ResizeOptions) -> RustBuffer {
    return FfiConverterTypeResizeOptions.lower(value)
}


/**
 * The error of every call, with all that is known. Neither it nor its message holds a command, its output, a value of the
 * environment, a token or what is in a file; those are only in the detail.
 */
public struct SandboxError: Equatable, Hashable {
    /**
     * What happened. The words are the same in every language, and never change.
     */
    public var code: ErrorCode
    /**
     * What happened, to what, and what to do about it.
     */
    public var message: String
    /**
     * Whether the same call may succeed later.
     */
    public var retryable: Bool
    /**
     * When to try again, in seconds, where that is known.
     */
    public var retryAfter: Double?
    /**
     * Whose failure it is.
     */
    public var fault: Fault
    /**
     * The provider that it comes from.
     */
    public var provider: String?
    /**
     * The sandbox that it is about.
     */
    public var sandbox: String?
    /**
     * The call that failed.
     */
    public var operation: String?
    /**
     * The typed facts, where there are some.
     */
    public var detail: Detail?

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * What happened. The words are the same in every language, and never change.
         */code: ErrorCode,
        /**
         * What happened, to what, and what to do about it.
         */message: String,
        /**
         * Whether the same call may succeed later.
         */retryable: Bool,
        /**
         * When to try again, in seconds, where that is known.
         */retryAfter: Double?,
        /**
         * Whose failure it is.
         */fault: Fault,
        /**
         * The provider that it comes from.
         */provider: String?,
        /**
         * The sandbox that it is about.
         */sandbox: String?,
        /**
         * The call that failed.
         */operation: String?,
        /**
         * The typed facts, where there are some.
         */detail: Detail?) {
        self.code = code
        self.message = message
        self.retryable = retryable
        self.retryAfter = retryAfter
        self.fault = fault
        self.provider = provider
        self.sandbox = sandbox
        self.operation = operation
        self.detail = detail
    }




}

#if compiler(>=6)
extension SandboxError: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeSandboxError: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> SandboxError {
        return
            try SandboxError(
                code: FfiConverterTypeErrorCode.read(from: &buf),
                message: FfiConverterString.read(from: &buf),
                retryable: FfiConverterBool.read(from: &buf),
                retryAfter: FfiConverterOptionDouble.read(from: &buf),
                fault: FfiConverterTypeFault.read(from: &buf),
                provider: FfiConverterOptionString.read(from: &buf),
                sandbox: FfiConverterOptionString.read(from: &buf),
                operation: FfiConverterOptionString.read(from: &buf),
                detail: FfiConverterOptionTypeDetail.read(from: &buf)
        )
    }

    public static func write(_ value: SandboxError, into buf: inout [UInt8]) {
        FfiConverterTypeErrorCode.write(value.code, into: &buf)
        FfiConverterString.write(value.message, into: &buf)
        FfiConverterBool.write(value.retryable, into: &buf)
        FfiConverterOptionDouble.write(value.retryAfter, into: &buf)
        FfiConverterTypeFault.write(value.fault, into: &buf)
        FfiConverterOptionString.write(value.provider, into: &buf)
        FfiConverterOptionString.write(value.sandbox, into: &buf)
        FfiConverterOptionString.write(value.operation, into: &buf)
        FfiConverterOptionTypeDetail.write(value.detail, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeSandboxError_lift(_ buf: RustBuffer) throws -> SandboxError {
    return try FfiConverterTypeSandboxError.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeSandboxError_lower(_ value: SandboxError) -> RustBuffer {
    return FfiConverterTypeSandboxError.lower(value)
}


/**
 * The image that a sandbox was made from.
 */
public struct SandboxImage: Equatable, Hashable {
    /**
     * The reference that was asked for.
     */
    public var reference: String
    /**
     * Its id.
     */
    public var id: String
    /**
     * Its digest.
     */
    public var digest: String?
    /**
     * Its entrypoint.
     */
    public var entrypoint: [String]
    /**
     * Its command.
     */
    public var command: [String]

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * The reference that was asked for.
         */reference: String,
        /**
         * Its id.
         */id: String,
        /**
         * Its digest.
         */digest: String? = nil,
        /**
         * Its entrypoint.
         */entrypoint: [String] = [],
        /**
         * Its command.
         */command: [String] = []) {
        self.reference = reference
        self.id = id
        self.digest = digest
        self.entrypoint = entrypoint
        self.command = command
    }




}

#if compiler(>=6)
extension SandboxImage: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeSandboxImage: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> SandboxImage {
        return
            try SandboxImage(
                reference: FfiConverterString.read(from: &buf),
                id: FfiConverterString.read(from: &buf),
                digest: FfiConverterOptionString.read(from: &buf),
                entrypoint: FfiConverterSequenceString.read(from: &buf),
                command: FfiConverterSequenceString.read(from: &buf)
        )
    }

    public static func write(_ value: SandboxImage, into buf: inout [UInt8]) {
        FfiConverterString.write(value.reference, into: &buf)
        FfiConverterString.write(value.id, into: &buf)
        FfiConverterOptionString.write(value.digest, into: &buf)
        FfiConverterSequenceString.write(value.entrypoint, into: &buf)
        FfiConverterSequenceString.write(value.command, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeSandboxImage_lift(_ buf: RustBuffer) throws -> SandboxImage {
    return try FfiConverterTypeSandboxImage.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeSandboxImage_lower(_ value: SandboxImage) -> RustBuffer {
    return FfiConverterTypeSandboxImage.lower(value)
}


/**
 * What is written down about a sandbox.
 */
public struct SandboxInfo: Equatable, Hashable {
    /**
     * Its id.
     */
    public var id: String
    /**
     * Its name.
     */
    public var name: String?
    /**
     * The provider that made it.
     */
    public var provider: String
    /**
     * What it is doing.
     */
    public var state: SandboxState
    /**
     * Since when.
     */
    public var stateSince: Date
    /**
     * Its labels.
     */
    public var labels: [String: String]
    /**
     * The image that it was made from.
     */
    public var image: String?
    /**
     * Whether it lives on without the process that made it.
     */
    public var detached: Bool
    /**
     * When its time to live ends.
     */
    public var expiresAt: Date?
    /**
     * Why it is in error.
     */
    public var error: Report?
    /**
     * The pool that keeps it ready.
     */
    public var pool: String?
    /**
     * When it was begun.
     */
    public var createdAt: Date
    /**
     * When it was deleted or found gone.
     */
    public var endedAt: Date?

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * Its id.
         */id: String,
        /**
         * Its name.
         */name: String? = nil,
        /**
         * The provider that made it.
         */provider: String,
        /**
         * What it is doing.
         */state: SandboxState,
        /**
         * Since when.
         */stateSince: Date,
        /**
         * Its labels.
         */labels: [String: String] = [:],
        /**
         * The image that it was made from.
         */image: String? = nil,
        /**
         * Whether it lives on without the process that made it.
         */detached: Bool = false,
        /**
         * When its time to live ends.
         */expiresAt: Date? = nil,
        /**
         * Why it is in error.
         */error: Report? = nil,
        /**
         * The pool that keeps it ready.
         */pool: String? = nil,
        /**
         * When it was begun.
         */createdAt: Date,
        /**
         * When it was deleted or found gone.
         */endedAt: Date? = nil) {
        self.id = id
        self.name = name
        self.provider = provider
        self.state = state
        self.stateSince = stateSince
        self.labels = labels
        self.image = image
        self.detached = detached
        self.expiresAt = expiresAt
        self.error = error
        self.pool = pool
        self.createdAt = createdAt
        self.endedAt = endedAt
    }




}

#if compiler(>=6)
extension SandboxInfo: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeSandboxInfo: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> SandboxInfo {
        return
            try SandboxInfo(
                id: FfiConverterString.read(from: &buf),
                name: FfiConverterOptionString.read(from: &buf),
                provider: FfiConverterString.read(from: &buf),
                state: FfiConverterTypeSandboxState.read(from: &buf),
                stateSince: FfiConverterTimestamp.read(from: &buf),
                labels: FfiConverterDictionaryStringString.read(from: &buf),
                image: FfiConverterOptionString.read(from: &buf),
                detached: FfiConverterBool.read(from: &buf),
                expiresAt: FfiConverterOptionTimestamp.read(from: &buf),
                error: FfiConverterOptionTypeReport.read(from: &buf),
                pool: FfiConverterOptionString.read(from: &buf),
                createdAt: FfiConverterTimestamp.read(from: &buf),
                endedAt: FfiConverterOptionTimestamp.read(from: &buf)
        )
    }

    public static func write(_ value: SandboxInfo, into buf: inout [UInt8]) {
        FfiConverterString.write(value.id, into: &buf)
        FfiConverterOptionString.write(value.name, into: &buf)
        FfiConverterString.write(value.provider, into: &buf)
        FfiConverterTypeSandboxState.write(value.state, into: &buf)
        FfiConverterTimestamp.write(value.stateSince, into: &buf)
        FfiConverterDictionaryStringString.write(value.labels, into: &buf)
        FfiConverterOptionString.write(value.image, into: &buf)
        FfiConverterBool.write(value.detached, into: &buf)
        FfiConverterOptionTimestamp.write(value.expiresAt, into: &buf)
        FfiConverterOptionTypeReport.write(value.error, into: &buf)
        FfiConverterOptionString.write(value.pool, into: &buf)
        FfiConverterTimestamp.write(value.createdAt, into: &buf)
        FfiConverterOptionTimestamp.write(value.endedAt, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeSandboxInfo_lift(_ buf: RustBuffer) throws -> SandboxInfo {
    return try FfiConverterTypeSandboxInfo.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeSandboxInfo_lower(_ value: SandboxInfo) -> RustBuffer {
    return FfiConverterTypeSandboxInfo.lower(value)
}


/**
 * A command of a sandbox, as a list of them shows it.
 */
public struct SandboxProcessInfo: Equatable, Hashable {
    /**
     * Its id.
     */
    public var id: String
    /**
     * Its process id as seen in the sandbox.
     */
    public var pid: UInt32?
    /**
     * What runs; it may hold secrets.
     */
    public var argvBytes: [Data]
    /**
     * The caller's name for it.
     */
    public var label: String?
    /**
     * The user it runs as.
     */
    public var user: String?
    /**
     * Whether it has a terminal.
     */
    public var pty: Bool
    /**
     * Whether it goes on without its caller.
     */
    public var detached: Bool
    /**
     * When it started.
     */
    public var startedAt: Date
    /**
     * Bytes written to stdout so far.
     */
    public var stdoutBytes: UInt64
    /**
     * Bytes written to stderr so far.
     */
    public var stderrBytes: UInt64
    /**
     * Processor time so far, where it is counted.
     */
    public var cpuTime: Double?
    /**
     * Bytes of memory now, where they are counted.
     */
    public var memory: UInt64?
    /**
     * How it ended; none while it runs.
     */
    public var exit: Exit?

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * Its id.
         */id: String,
        /**
         * Its process id as seen in the sandbox.
         */pid: UInt32? = nil,
        /**
         * What runs; it may hold secrets.
         */argvBytes: [Data] = [],
        /**
         * The caller's name for it.
         */label: String? = nil,
        /**
         * The user it runs as.
         */user: String? = nil,
        /**
         * Whether it has a terminal.
         */pty: Bool = false,
        /**
         * Whether it goes on without its caller.
         */detached: Bool = false,
        /**
         * When it started.
         */startedAt: Date,
        /**
         * Bytes written to stdout so far.
         */stdoutBytes: UInt64,
        /**
         * Bytes written to stderr so far.
         */stderrBytes: UInt64,
        /**
         * Processor time so far, where it is counted.
         */cpuTime: Double? = nil,
        /**
         * Bytes of memory now, where they are counted.
         */memory: UInt64? = nil,
        /**
         * How it ended; none while it runs.
         */exit: Exit? = nil) {
        self.id = id
        self.pid = pid
        self.argvBytes = argvBytes
        self.label = label
        self.user = user
        self.pty = pty
        self.detached = detached
        self.startedAt = startedAt
        self.stdoutBytes = stdoutBytes
        self.stderrBytes = stderrBytes
        self.cpuTime = cpuTime
        self.memory = memory
        self.exit = exit
    }




}

#if compiler(>=6)
extension SandboxProcessInfo: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeSandboxProcessInfo: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> SandboxProcessInfo {
        return
            try SandboxProcessInfo(
                id: FfiConverterString.read(from: &buf),
                pid: FfiConverterOptionUInt32.read(from: &buf),
                argvBytes: FfiConverterSequenceData.read(from: &buf),
                label: FfiConverterOptionString.read(from: &buf),
                user: FfiConverterOptionString.read(from: &buf),
                pty: FfiConverterBool.read(from: &buf),
                detached: FfiConverterBool.read(from: &buf),
                startedAt: FfiConverterTimestamp.read(from: &buf),
                stdoutBytes: FfiConverterUInt64.read(from: &buf),
                stderrBytes: FfiConverterUInt64.read(from: &buf),
                cpuTime: FfiConverterOptionDouble.read(from: &buf),
                memory: FfiConverterOptionUInt64.read(from: &buf),
                exit: FfiConverterOptionTypeExit.read(from: &buf)
        )
    }

    public static func write(_ value: SandboxProcessInfo, into buf: inout [UInt8]) {
        FfiConverterString.write(value.id, into: &buf)
        FfiConverterOptionUInt32.write(value.pid, into: &buf)
        FfiConverterSequenceData.write(value.argvBytes, into: &buf)
        FfiConverterOptionString.write(value.label, into: &buf)
        FfiConverterOptionString.write(value.user, into: &buf)
        FfiConverterBool.write(value.pty, into: &buf)
        FfiConverterBool.write(value.detached, into: &buf)
        FfiConverterTimestamp.write(value.startedAt, into: &buf)
        FfiConverterUInt64.write(value.stdoutBytes, into: &buf)
        FfiConverterUInt64.write(value.stderrBytes, into: &buf)
        FfiConverterOptionDouble.write(value.cpuTime, into: &buf)
        FfiConverterOptionUInt64.write(value.memory, into: &buf)
        FfiConverterOptionTypeExit.write(value.exit, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeSandboxProcessInfo_lift(_ buf: RustBuffer) throws -> SandboxProcessInfo {
    return try FfiConverterTypeSandboxProcessInfo.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeSandboxProcessInfo_lower(_ value: SandboxProcessInfo) -> RustBuffer {
    return FfiConverterTypeSandboxProcessInfo.lower(value)
}


/**
 * How far an operation is.
 */
public struct SandboxProgress: Equatable, Hashable {
    /**
     * A stable word for the step, such as `image.pull`.
     */
    public var code: String
    /**
     * A sentence.
     */
    public var message: String?
    /**
     * How much is done.
     */
    public var completed: UInt64?
    /**
     * How much there is.
     */
    public var total: UInt64?
    /**
     * Of what.
     */
    public var unit: ProgressUnit?

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * A stable word for the step, such as `image.pull`.
         */code: String,
        /**
         * A sentence.
         */message: String? = nil,
        /**
         * How much is done.
         */completed: UInt64? = nil,
        /**
         * How much there is.
         */total: UInt64? = nil,
        /**
         * Of what.
         */unit: ProgressUnit? = nil) {
        self.code = code
        self.message = message
        self.completed = completed
        self.total = total
        self.unit = unit
    }




}

#if compiler(>=6)
extension SandboxProgress: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeSandboxProgress: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> SandboxProgress {
        return
            try SandboxProgress(
                code: FfiConverterString.read(from: &buf),
                message: FfiConverterOptionString.read(from: &buf),
                completed: FfiConverterOptionUInt64.read(from: &buf),
                total: FfiConverterOptionUInt64.read(from: &buf),
                unit: FfiConverterOptionTypeProgressUnit.read(from: &buf)
        )
    }

    public static func write(_ value: SandboxProgress, into buf: inout [UInt8]) {
        FfiConverterString.write(value.code, into: &buf)
        FfiConverterOptionString.write(value.message, into: &buf)
        FfiConverterOptionUInt64.write(value.completed, into: &buf)
        FfiConverterOptionUInt64.write(value.total, into: &buf)
        FfiConverterOptionTypeProgressUnit.write(value.unit, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeSandboxProgress_lift(_ buf: RustBuffer) throws -> SandboxProgress {
    return try FfiConverterTypeSandboxProgress.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeSandboxProgress_lower(_ value: SandboxProgress) -> RustBuffer {
    return FfiConverterTypeSandboxProgress.lower(value)
}


/**
 * A secret for a sandbox. No text form of it shows the value.
 */
public struct Secret: Equatable, Hashable {
    /**
     * The environment variable that holds the placeholder, the value, or the path of the file.
     */
    public var env: String
    /**
     * The value.
     */
    public var value: String
    /**
     * How it gets there.
     */
    public var delivery: SecretDelivery

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * The environment variable that holds the placeholder, the value, or the path of the file.
         */env: String,
        /**
         * The value.
         */value: String,
        /**
         * How it gets there.
         */delivery: SecretDelivery) {
        self.env = env
        self.value = value
        self.delivery = delivery
    }




}

#if compiler(>=6)
extension Secret: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeSecret: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> Secret {
        return
            try Secret(
                env: FfiConverterString.read(from: &buf),
                value: FfiConverterString.read(from: &buf),
                delivery: FfiConverterTypeSecretDelivery.read(from: &buf)
        )
    }

    public static func write(_ value: Secret, into buf: inout [UInt8]) {
        FfiConverterString.write(value.env, into: &buf)
        FfiConverterString.write(value.value, into: &buf)
        FfiConverterTypeSecretDelivery.write(value.delivery, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeSecret_lift(_ buf: RustBuffer) throws -> Secret {
    return try FfiConverterTypeSecret.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeSecret_lower(_ value: Secret) -> RustBuffer {
    return FfiConverterTypeSecret.lower(value)
}


/**
 * How a service is started, and when it is ready. It is ready at once when nothing is said.
 */
public struct ServiceOptions: Equatable, Hashable {
    /**
     * Variables beside those of the sandbox.
     */
    public var envBytes: [String: Data]
    /**
     * Where to run, relative to the sandbox's working directory, which is also the default.
     */
    public var cwdBytes: Data?
    /**
     * Its user; that of the sandbox by default.
     */
    public var user: String?
    /**
     * It is ready when something listens on this port.
     */
    public var readyPort: UInt16?
    /**
     * It is ready when its output has this in it.
     */
    public var readyOutputBytes: Data?
    /**
     * It is ready when this script exits with 0.
     */
    public var readyCommandBytes: Data?
    /**
     * How long that may take; 30 seconds by default.
     */
    public var readyTimeout: Double?

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * Variables beside those of the sandbox.
         */envBytes: [String: Data] = [:],
        /**
         * Where to run, relative to the sandbox's working directory, which is also the default.
         */cwdBytes: Data? = nil,
        /**
         * Its user; that of the sandbox by default.
         */user: String? = nil,
        /**
         * It is ready when something listens on this port.
         */readyPort: UInt16? = nil,
        /**
         * It is ready when its output has this in it.
         */readyOutputBytes: Data? = nil,
        /**
         * It is ready when this script exits with 0.
         */readyCommandBytes: Data? = nil,
        /**
         * How long that may take; 30 seconds by default.
         */readyTimeout: Double? = nil) {
        self.envBytes = envBytes
        self.cwdBytes = cwdBytes
        self.user = user
        self.readyPort = readyPort
        self.readyOutputBytes = readyOutputBytes
        self.readyCommandBytes = readyCommandBytes
        self.readyTimeout = readyTimeout
    }




}

#if compiler(>=6)
extension ServiceOptions: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeServiceOptions: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> ServiceOptions {
        return
            try ServiceOptions(
                envBytes: FfiConverterDictionaryStringData.read(from: &buf),
                cwdBytes: FfiConverterOptionData.read(from: &buf),
                user: FfiConverterOptionString.read(from: &buf),
                readyPort: FfiConverterOptionUInt16.read(from: &buf),
                readyOutputBytes: FfiConverterOptionData.read(from: &buf),
                readyCommandBytes: FfiConverterOptionData.read(from: &buf),
                readyTimeout: FfiConverterOptionDouble.read(from: &buf)
        )
    }

    public static func write(_ value: ServiceOptions, into buf: inout [UInt8]) {
        FfiConverterDictionaryStringData.write(value.envBytes, into: &buf)
        FfiConverterOptionData.write(value.cwdBytes, into: &buf)
        FfiConverterOptionString.write(value.user, into: &buf)
        FfiConverterOptionUInt16.write(value.readyPort, into: &buf)
        FfiConverterOptionData.write(value.readyOutputBytes, into: &buf)
        FfiConverterOptionData.write(value.readyCommandBytes, into: &buf)
        FfiConverterOptionDouble.write(value.readyTimeout, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeServiceOptions_lift(_ buf: RustBuffer) throws -> ServiceOptions {
    return try FfiConverterTypeServiceOptions.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeServiceOptions_lower(_ value: ServiceOptions) -> RustBuffer {
    return FfiConverterTypeServiceOptions.lower(value)
}


/**
 * Whether a service runs.
 */
public struct ServiceStatus: Equatable, Hashable {
    /**
     * Whether it does.
     */
    public var running: Bool
    /**
     * How it ended.
     */
    public var exitCode: Int32?

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * Whether it does.
         */running: Bool = false,
        /**
         * How it ended.
         */exitCode: Int32? = nil) {
        self.running = running
        self.exitCode = exitCode
    }




}

#if compiler(>=6)
extension ServiceStatus: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeServiceStatus: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> ServiceStatus {
        return
            try ServiceStatus(
                running: FfiConverterBool.read(from: &buf),
                exitCode: FfiConverterOptionInt32.read(from: &buf)
        )
    }

    public static func write(_ value: ServiceStatus, into buf: inout [UInt8]) {
        FfiConverterBool.write(value.running, into: &buf)
        FfiConverterOptionInt32.write(value.exitCode, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeServiceStatus_lift(_ buf: RustBuffer) throws -> ServiceStatus {
    return try FfiConverterTypeServiceStatus.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeServiceStatus_lower(_ value: ServiceStatus) -> RustBuffer {
    return FfiConverterTypeServiceStatus.lower(value)
}


/**
 * How a session is opened.
 */
public struct SessionOptions: Equatable, Hashable {
    /**
     * The shell; `bash` where it is there, `sh` otherwise, by default.
     */
    public var shell: String?
    /**
     * Variables.
     */
    public var envBytes: [String: Data]
    /**
     * Where it begins.
     */
    public var cwdBytes: Data?
    /**
     * Its user.
     */
    public var user: String?
    /**
     * Lines of its terminal; 24 by default.
     */
    public var rows: UInt16?
    /**
     * Characters of a line of its terminal; 80 by default.
     */
    public var cols: UInt16?

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * The shell; `bash` where it is there, `sh` otherwise, by default.
         */shell: String? = nil,
        /**
         * Variables.
         */envBytes: [String: Data] = [:],
        /**
         * Where it begins.
         */cwdBytes: Data? = nil,
        /**
         * Its user.
         */user: String? = nil,
        /**
         * Lines of its terminal; 24 by default.
         */rows: UInt16? = nil,
        /**
         * Characters of a line of its terminal; 80 by default.
         */cols: UInt16? = nil) {
        self.shell = shell
        self.envBytes = envBytes
        self.cwdBytes = cwdBytes
        self.user = user
        self.rows = rows
        self.cols = cols
    }




}

#if compiler(>=6)
extension SessionOptions: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeSessionOptions: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> SessionOptions {
        return
            try SessionOptions(
                shell: FfiConverterOptionString.read(from: &buf),
                envBytes: FfiConverterDictionaryStringData.read(from: &buf),
                cwdBytes: FfiConverterOptionData.read(from: &buf),
                user: FfiConverterOptionString.read(from: &buf),
                rows: FfiConverterOptionUInt16.read(from: &buf),
                cols: FfiConverterOptionUInt16.read(from: &buf)
        )
    }

    public static func write(_ value: SessionOptions, into buf: inout [UInt8]) {
        FfiConverterOptionString.write(value.shell, into: &buf)
        FfiConverterDictionaryStringData.write(value.envBytes, into: &buf)
        FfiConverterOptionData.write(value.cwdBytes, into: &buf)
        FfiConverterOptionString.write(value.user, into: &buf)
        FfiConverterOptionUInt16.write(value.rows, into: &buf)
        FfiConverterOptionUInt16.write(value.cols, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeSessionOptions_lift(_ buf: RustBuffer) throws -> SessionOptions {
    return try FfiConverterTypeSessionOptions.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeSessionOptions_lower(_ value: SessionOptions) -> RustBuffer {
    return FfiConverterTypeSessionOptions.lower(value)
}


/**
 * What a script of a session wrote and how it ended.
 */
public struct SessionOutput: Equatable, Hashable {
    /**
     * What it wrote to the terminal.
     */
    public var outputBytes: Data
    /**
     * Bytes that are not here, because they were too many.
     */
    public var omitted: UInt64
    /**
     * Its exit code; none when it was not known in time.
     */
    public var exitCode: Int32?
    /**
     * Whether it ran into its timeout.
     */
    public var timedOut: Bool
    /**
     * Whether it ended the shell.
     */
    public var closed: Bool

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * What it wrote to the terminal.
         */outputBytes: Data,
        /**
         * Bytes that are not here, because they were too many.
         */omitted: UInt64,
        /**
         * Its exit code; none when it was not known in time.
         */exitCode: Int32? = nil,
        /**
         * Whether it ran into its timeout.
         */timedOut: Bool = false,
        /**
         * Whether it ended the shell.
         */closed: Bool = false) {
        self.outputBytes = outputBytes
        self.omitted = omitted
        self.exitCode = exitCode
        self.timedOut = timedOut
        self.closed = closed
    }




}

#if compiler(>=6)
extension SessionOutput: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeSessionOutput: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> SessionOutput {
        return
            try SessionOutput(
                outputBytes: FfiConverterData.read(from: &buf),
                omitted: FfiConverterUInt64.read(from: &buf),
                exitCode: FfiConverterOptionInt32.read(from: &buf),
                timedOut: FfiConverterBool.read(from: &buf),
                closed: FfiConverterBool.read(from: &buf)
        )
    }

    public static func write(_ value: SessionOutput, into buf: inout [UInt8]) {
        FfiConverterData.write(value.outputBytes, into: &buf)
        FfiConverterUInt64.write(value.omitted, into: &buf)
        FfiConverterOptionInt32.write(value.exitCode, into: &buf)
        FfiConverterBool.write(value.timedOut, into: &buf)
        FfiConverterBool.write(value.closed, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeSessionOutput_lift(_ buf: RustBuffer) throws -> SessionOutput {
    return try FfiConverterTypeSessionOutput.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeSessionOutput_lower(_ value: SessionOutput) -> RustBuffer {
    return FfiConverterTypeSessionOutput.lower(value)
}


/**
 * A container beside a sandbox, reachable from it by its name.
 */
public struct Sidecar: Equatable, Hashable {
    /**
     * Its name, and its host name for the sandbox.
     */
    public var name: String
    /**
     * Its image.
     */
    public var image: String
    /**
     * The credential for its registry.
     */
    public var auth: RegistryAuth?
    /**
     * Its environment.
     */
    public var env: [String: String]
    /**
     * Its program; that of the image by default.
     */
    public var entrypoint: [String]
    /**
     * Its arguments; those of the image by default.
     */
    public var command: [String]
    /**
     * Its user.
     */
    public var user: String?
    /**
     * When it counts as ready; at once by default.
     */
    public var health: SidecarHealth?

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * Its name, and its host name for the sandbox.
         */name: String,
        /**
         * Its image.
         */image: String,
        /**
         * The credential for its registry.
         */auth: RegistryAuth? = nil,
        /**
         * Its environment.
         */env: [String: String] = [:],
        /**
         * Its program; that of the image by default.
         */entrypoint: [String] = [],
        /**
         * Its arguments; those of the image by default.
         */command: [String] = [],
        /**
         * Its user.
         */user: String? = nil,
        /**
         * When it counts as ready; at once by default.
         */health: SidecarHealth? = nil) {
        self.name = name
        self.image = image
        self.auth = auth
        self.env = env
        self.entrypoint = entrypoint
        self.command = command
        self.user = user
        self.health = health
    }




}

#if compiler(>=6)
extension Sidecar: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeSidecar: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> Sidecar {
        return
            try Sidecar(
                name: FfiConverterString.read(from: &buf),
                image: FfiConverterString.read(from: &buf),
                auth: FfiConverterOptionTypeRegistryAuth.read(from: &buf),
                env: FfiConverterDictionaryStringString.read(from: &buf),
                entrypoint: FfiConverterSequenceString.read(from: &buf),
                command: FfiConverterSequenceString.read(from: &buf),
                user: FfiConverterOptionString.read(from: &buf),
                health: FfiConverterOptionTypeSidecarHealth.read(from: &buf)
        )
    }

    public static func write(_ value: Sidecar, into buf: inout [UInt8]) {
        FfiConverterString.write(value.name, into: &buf)
        FfiConverterString.write(value.image, into: &buf)
        FfiConverterOptionTypeRegistryAuth.write(value.auth, into: &buf)
        FfiConverterDictionaryStringString.write(value.env, into: &buf)
        FfiConverterSequenceString.write(value.entrypoint, into: &buf)
        FfiConverterSequenceString.write(value.command, into: &buf)
        FfiConverterOptionString.write(value.user, into: &buf)
        FfiConverterOptionTypeSidecarHealth.write(value.health, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeSidecar_lift(_ buf: RustBuffer) throws -> Sidecar {
    return try FfiConverterTypeSidecar.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeSidecar_lower(_ value: Sidecar) -> RustBuffer {
    return FfiConverterTypeSidecar.lower(value)
}


/**
 * When a sidecar counts as ready; the meaning of the fields is Docker's.
 */
public struct SidecarHealth: Equatable, Hashable {
    /**
     * The command that succeeds then.
     */
    public var command: [String]
    /**
     * How often it is run.
     */
    public var interval: Double?
    /**
     * How long it may take.
     */
    public var timeout: Double?
    /**
     * How often it may fail.
     */
    public var retries: UInt32?
    /**
     * How long failures do not count.
     */
    public var startPeriod: Double?

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * The command that succeeds then.
         */command: [String] = [],
        /**
         * How often it is run.
         */interval: Double? = nil,
        /**
         * How long it may take.
         */timeout: Double? = nil,
        /**
         * How often it may fail.
         */retries: UInt32? = nil,
        /**
         * How long failures do not count.
         */startPeriod: Double? = nil) {
        self.command = command
        self.interval = interval
        self.timeout = timeout
        self.retries = retries
        self.startPeriod = startPeriod
    }




}

#if compiler(>=6)
extension SidecarHealth: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeSidecarHealth: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> SidecarHealth {
        return
            try SidecarHealth(
                command: FfiConverterSequenceString.read(from: &buf),
                interval: FfiConverterOptionDouble.read(from: &buf),
                timeout: FfiConverterOptionDouble.read(from: &buf),
                retries: FfiConverterOptionUInt32.read(from: &buf),
                startPeriod: FfiConverterOptionDouble.read(from: &buf)
        )
    }

    public static func write(_ value: SidecarHealth, into buf: inout [UInt8]) {
        FfiConverterSequenceString.write(value.command, into: &buf)
        FfiConverterOptionDouble.write(value.interval, into: &buf)
        FfiConverterOptionDouble.write(value.timeout, into: &buf)
        FfiConverterOptionUInt32.write(value.retries, into: &buf)
        FfiConverterOptionDouble.write(value.startPeriod, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeSidecarHealth_lift(_ buf: RustBuffer) throws -> SidecarHealth {
    return try FfiConverterTypeSidecarHealth.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeSidecarHealth_lower(_ value: SidecarHealth) -> RustBuffer {
    return FfiConverterTypeSidecarHealth.lower(value)
}


/**
 * A snapshot of a sandbox's files.
 */
public struct Snapshot: Equatable, Hashable {
    /**
     * Its id.
     */
    public var id: String
    /**
     * Its name.
     */
    public var name: String?
    /**
     * The provider that has it.
     */
    public var provider: String
    /**
     * The sandbox that it was taken of.
     */
    public var sandbox: String?
    /**
     * What it is doing.
     */
    public var state: SnapshotState
    /**
     * Its labels.
     */
    public var labels: [String: String]
    /**
     * Its bytes.
     */
    public var size: UInt64?
    /**
     * Why making it failed.
     */
    public var error: Report?
    /**
     * When it was begun.
     */
    public var createdAt: Date

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * Its id.
         */id: String,
        /**
         * Its name.
         */name: String? = nil,
        /**
         * The provider that has it.
         */provider: String,
        /**
         * The sandbox that it was taken of.
         */sandbox: String? = nil,
        /**
         * What it is doing.
         */state: SnapshotState,
        /**
         * Its labels.
         */labels: [String: String] = [:],
        /**
         * Its bytes.
         */size: UInt64? = nil,
        /**
         * Why making it failed.
         */error: Report? = nil,
        /**
         * When it was begun.
         */createdAt: Date) {
        self.id = id
        self.name = name
        self.provider = provider
        self.sandbox = sandbox
        self.state = state
        self.labels = labels
        self.size = size
        self.error = error
        self.createdAt = createdAt
    }




}

#if compiler(>=6)
extension Snapshot: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeSnapshot: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> Snapshot {
        return
            try Snapshot(
                id: FfiConverterString.read(from: &buf),
                name: FfiConverterOptionString.read(from: &buf),
                provider: FfiConverterString.read(from: &buf),
                sandbox: FfiConverterOptionString.read(from: &buf),
                state: FfiConverterTypeSnapshotState.read(from: &buf),
                labels: FfiConverterDictionaryStringString.read(from: &buf),
                size: FfiConverterOptionUInt64.read(from: &buf),
                error: FfiConverterOptionTypeReport.read(from: &buf),
                createdAt: FfiConverterTimestamp.read(from: &buf)
        )
    }

    public static func write(_ value: Snapshot, into buf: inout [UInt8]) {
        FfiConverterString.write(value.id, into: &buf)
        FfiConverterOptionString.write(value.name, into: &buf)
        FfiConverterString.write(value.provider, into: &buf)
        FfiConverterOptionString.write(value.sandbox, into: &buf)
        FfiConverterTypeSnapshotState.write(value.state, into: &buf)
        FfiConverterDictionaryStringString.write(value.labels, into: &buf)
        FfiConverterOptionUInt64.write(value.size, into: &buf)
        FfiConverterOptionTypeReport.write(value.error, into: &buf)
        FfiConverterTimestamp.write(value.createdAt, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeSnapshot_lift(_ buf: RustBuffer) throws -> Snapshot {
    return try FfiConverterTypeSnapshot.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeSnapshot_lower(_ value: Snapshot) -> RustBuffer {
    return FfiConverterTypeSnapshot.lower(value)
}


/**
 * What a snapshot has in it.
 */
public struct SnapshotOptions: Equatable, Hashable {
    /**
     * A name, unique for the provider.
     */
    public var name: String?
    /**
     * Labels.
     */
    public var labels: [String: String]
    /**
     * With memory and processes; files alone by default.
     */
    public var includeMemory: Bool

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * A name, unique for the provider.
         */name: String? = nil,
        /**
         * Labels.
         */labels: [String: String] = [:],
        /**
         * With memory and processes; files alone by default.
         */includeMemory: Bool = false) {
        self.name = name
        self.labels = labels
        self.includeMemory = includeMemory
    }




}

#if compiler(>=6)
extension SnapshotOptions: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeSnapshotOptions: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> SnapshotOptions {
        return
            try SnapshotOptions(
                name: FfiConverterOptionString.read(from: &buf),
                labels: FfiConverterDictionaryStringString.read(from: &buf),
                includeMemory: FfiConverterBool.read(from: &buf)
        )
    }

    public static func write(_ value: SnapshotOptions, into buf: inout [UInt8]) {
        FfiConverterOptionString.write(value.name, into: &buf)
        FfiConverterDictionaryStringString.write(value.labels, into: &buf)
        FfiConverterBool.write(value.includeMemory, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeSnapshotOptions_lift(_ buf: RustBuffer) throws -> SnapshotOptions {
    return try FfiConverterTypeSnapshotOptions.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeSnapshotOptions_lower(_ value: SnapshotOptions) -> RustBuffer {
    return FfiConverterTypeSnapshotOptions.lower(value)
}


/**
 * How to start a command and go on.
 */
public struct SpawnOptions: Equatable, Hashable {
    /**
     * Variables beside those of the sandbox; of two values for one name this one holds.
     */
    public var envBytes: [String: Data]
    /**
     * Where to run, relative to the sandbox's working directory, which is also the default.
     */
    public var cwdBytes: Data?
    /**
     * A name, `uid`, `uid:gid` or `name:group`, looked up in the sandbox; the sandbox's user by default.
     */
    public var user: String?
    /**
     * Its whole input; `/dev/null` by default.
     */
    public var inputBytes: Data?
    /**
     * Keep its input open, for writing to it while it runs.
     */
    public var stdin: Bool
    /**
     * When its whole process tree is ended at the latest; never by default.
     */
    public var timeout: Double?
    /**
     * When it is stopped: TERM, this long, then KILL. KILL at once by default.
     */
    public var grace: Double?
    /**
     * Run it in a terminal; its output is one stream, stdout.
     */
    public var pty: Bool
    /**
     * Lines of the terminal; 24 by default.
     */
    public var rows: UInt16?
    /**
     * Characters of a line of the terminal; 80 by default.
     */
    public var cols: UInt16?
    /**
     * Send stderr where stdout goes, in the order of the writes.
     */
    public var mergeStderr: Bool
    /**
     * Bytes of each stream that the result keeps at most; 10 MiB by default. What is read as it comes is whole in any case.
     */
    public var maxOutput: UInt64?
    /**
     * Write everything to a file in the sandbox when more comes than is kept; the result names it.
     */
    public var spill: Bool
    /**
     * What is taken out of the output; nothing by default.
     */
    public var sanitize: Sanitize?
    /**
     * How long its end waits for descendants that hold its output open; 0.2 seconds by default.
     */
    public var drain: Double?
    /**
     * Let it go on when this process is gone, until the sandbox ends.
     */
    public var detached: Bool
    /**
     * The caller's name for it, in listings, events and errors. Must hold no secrets.
     */
    public var label: String?

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * Variables beside those of the sandbox; of two values for one name this one holds.
         */envBytes: [String: Data] = [:],
        /**
         * Where to run, relative to the sandbox's working directory, which is also the default.
         */cwdBytes: Data? = nil,
        /**
         * A name, `uid`, `uid:gid` or `name:group`, looked up in the sandbox; the sandbox's user by default.
         */user: String? = nil,
        /**
         * Its whole input; `/dev/null` by default.
         */inputBytes: Data? = nil,
        /**
         * Keep its input open, for writing to it while it runs.
         */stdin: Bool = false,
        /**
         * When its whole process tree is ended at the latest; never by default.
         */timeout: Double? = nil,
        /**
         * When it is stopped: TERM, this long, then KILL. KILL at once by default.
         */grace: Double? = nil,
        /**
         * Run it in a terminal; its output is one stream, stdout.
         */pty: Bool = false,
        /**
         * Lines of the terminal; 24 by default.
         */rows: UInt16? = nil,
        /**
         * Characters of a line of the terminal; 80 by default.
         */cols: UInt16? = nil,
        /**
         * Send stderr where stdout goes, in the order of the writes.
         */mergeStderr: Bool = false,
        /**
         * Bytes of each stream that the result keeps at most; 10 MiB by default. What is read as it comes is whole in any case.
         */maxOutput: UInt64? = nil,
        /**
         * Write everything to a file in the sandbox when more comes than is kept; the result names it.
         */spill: Bool = false,
        /**
         * What is taken out of the output; nothing by default.
         */sanitize: Sanitize? = nil,
        /**
         * How long its end waits for descendants that hold its output open; 0.2 seconds by default.
         */drain: Double? = nil,
        /**
         * Let it go on when this process is gone, until the sandbox ends.
         */detached: Bool = false,
        /**
         * The caller's name for it, in listings, events and errors. Must hold no secrets.
         */label: String? = nil) {
        self.envBytes = envBytes
        self.cwdBytes = cwdBytes
        self.user = user
        self.inputBytes = inputBytes
        self.stdin = stdin
        self.timeout = timeout
        self.grace = grace
        self.pty = pty
        self.rows = rows
        self.cols = cols
        self.mergeStderr = mergeStderr
        self.maxOutput = maxOutput
        self.spill = spill
        self.sanitize = sanitize
        self.drain = drain
        self.detached = detached
        self.label = label
    }




}

#if compiler(>=6)
extension SpawnOptions: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeSpawnOptions: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> SpawnOptions {
        return
            try SpawnOptions(
                envBytes: FfiConverterDictionaryStringData.read(from: &buf),
                cwdBytes: FfiConverterOptionData.read(from: &buf),
                user: FfiConverterOptionString.read(from: &buf),
                inputBytes: FfiConverterOptionData.read(from: &buf),
                stdin: FfiConverterBool.read(from: &buf),
                timeout: FfiConverterOptionDouble.read(from: &buf),
                grace: FfiConverterOptionDouble.read(from: &buf),
                pty: FfiConverterBool.read(from: &buf),
                rows: FfiConverterOptionUInt16.read(from: &buf),
                cols: FfiConverterOptionUInt16.read(from: &buf),
                mergeStderr: FfiConverterBool.read(from: &buf),
                maxOutput: FfiConverterOptionUInt64.read(from: &buf),
                spill: FfiConverterBool.read(from: &buf),
                sanitize: FfiConverterOptionTypeSanitize.read(from: &buf),
                drain: FfiConverterOptionDouble.read(from: &buf),
                detached: FfiConverterBool.read(from: &buf),
                label: FfiConverterOptionString.read(from: &buf)
        )
    }

    public static func write(_ value: SpawnOptions, into buf: inout [UInt8]) {
        FfiConverterDictionaryStringData.write(value.envBytes, into: &buf)
        FfiConverterOptionData.write(value.cwdBytes, into: &buf)
        FfiConverterOptionString.write(value.user, into: &buf)
        FfiConverterOptionData.write(value.inputBytes, into: &buf)
        FfiConverterBool.write(value.stdin, into: &buf)
        FfiConverterOptionDouble.write(value.timeout, into: &buf)
        FfiConverterOptionDouble.write(value.grace, into: &buf)
        FfiConverterBool.write(value.pty, into: &buf)
        FfiConverterOptionUInt16.write(value.rows, into: &buf)
        FfiConverterOptionUInt16.write(value.cols, into: &buf)
        FfiConverterBool.write(value.mergeStderr, into: &buf)
        FfiConverterOptionUInt64.write(value.maxOutput, into: &buf)
        FfiConverterBool.write(value.spill, into: &buf)
        FfiConverterOptionTypeSanitize.write(value.sanitize, into: &buf)
        FfiConverterOptionDouble.write(value.drain, into: &buf)
        FfiConverterBool.write(value.detached, into: &buf)
        FfiConverterOptionString.write(value.label, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeSpawnOptions_lift(_ buf: RustBuffer) throws -> SpawnOptions {
    return try FfiConverterTypeSpawnOptions.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeSpawnOptions_lower(_ value: SpawnOptions) -> RustBuffer {
    return FfiConverterTypeSpawnOptions.lower(value)
}


/**
 * What a sandbox is doing, as its backend says.
 */
public struct Status: Equatable, Hashable {
    /**
     * What it is doing.
     */
    public var state: SandboxState
    /**
     * The backend's own word for that.
     */
    public var providerState: String
    /**
     * Its name.
     */
    public var name: String?
    /**
     * Why it is in error.
     */
    public var error: Report?
    /**
     * How it died.
     */
    public var postMortem: PostMortem?
    /**
     * Its labels.
     */
    public var labels: [String: String]

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * What it is doing.
         */state: SandboxState,
        /**
         * The backend's own word for that.
         */providerState: String,
        /**
         * Its name.
         */name: String? = nil,
        /**
         * Why it is in error.
         */error: Report? = nil,
        /**
         * How it died.
         */postMortem: PostMortem? = nil,
        /**
         * Its labels.
         */labels: [String: String] = [:]) {
        self.state = state
        self.providerState = providerState
        self.name = name
        self.error = error
        self.postMortem = postMortem
        self.labels = labels
    }




}

#if compiler(>=6)
extension Status: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeStatus: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> Status {
        return
            try Status(
                state: FfiConverterTypeSandboxState.read(from: &buf),
                providerState: FfiConverterString.read(from: &buf),
                name: FfiConverterOptionString.read(from: &buf),
                error: FfiConverterOptionTypeReport.read(from: &buf),
                postMortem: FfiConverterOptionTypePostMortem.read(from: &buf),
                labels: FfiConverterDictionaryStringString.read(from: &buf)
        )
    }

    public static func write(_ value: Status, into buf: inout [UInt8]) {
        FfiConverterTypeSandboxState.write(value.state, into: &buf)
        FfiConverterString.write(value.providerState, into: &buf)
        FfiConverterOptionString.write(value.name, into: &buf)
        FfiConverterOptionTypeReport.write(value.error, into: &buf)
        FfiConverterOptionTypePostMortem.write(value.postMortem, into: &buf)
        FfiConverterDictionaryStringString.write(value.labels, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeStatus_lift(_ buf: RustBuffer) throws -> Status {
    return try FfiConverterTypeStatus.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeStatus_lower(_ value: Status) -> RustBuffer {
    return FfiConverterTypeStatus.lower(value)
}


/**
 * What a sandbox of a pool becomes when it is taken.
 */
public struct TakeOptions: Equatable, Hashable {
    /**
     * A name, unique among live sandboxes.
     */
    public var name: String?
    /**
     * Labels beside those it has.
     */
    public var labels: [String: String]
    /**
     * How long it exists from now on.
     */
    public var ttl: Lifetime?
    /**
     * Let it live on without this process.
     */
    public var detached: Bool
    /**
     * How long taking it may take.
     */
    public var timeout: Double?

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * A name, unique among live sandboxes.
         */name: String? = nil,
        /**
         * Labels beside those it has.
         */labels: [String: String] = [:],
        /**
         * How long it exists from now on.
         */ttl: Lifetime? = nil,
        /**
         * Let it live on without this process.
         */detached: Bool = false,
        /**
         * How long taking it may take.
         */timeout: Double? = nil) {
        self.name = name
        self.labels = labels
        self.ttl = ttl
        self.detached = detached
        self.timeout = timeout
    }




}

#if compiler(>=6)
extension TakeOptions: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeTakeOptions: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> TakeOptions {
        return
            try TakeOptions(
                name: FfiConverterOptionString.read(from: &buf),
                labels: FfiConverterDictionaryStringString.read(from: &buf),
                ttl: FfiConverterOptionTypeLifetime.read(from: &buf),
                detached: FfiConverterBool.read(from: &buf),
                timeout: FfiConverterOptionDouble.read(from: &buf)
        )
    }

    public static func write(_ value: TakeOptions, into buf: inout [UInt8]) {
        FfiConverterOptionString.write(value.name, into: &buf)
        FfiConverterDictionaryStringString.write(value.labels, into: &buf)
        FfiConverterOptionTypeLifetime.write(value.ttl, into: &buf)
        FfiConverterBool.write(value.detached, into: &buf)
        FfiConverterOptionDouble.write(value.timeout, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeTakeOptions_lift(_ buf: RustBuffer) throws -> TakeOptions {
    return try FfiConverterTypeTakeOptions.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeTakeOptions_lower(_ value: TakeOptions) -> RustBuffer {
    return FfiConverterTypeTakeOptions.lower(value)
}


/**
 * What was copied.
 */
public struct TransferReport: Equatable, Hashable {
    /**
     * Regular files.
     */
    public var files: UInt64
    /**
     * Directories.
     */
    public var directories: UInt64
    /**
     * Links.
     */
    public var links: UInt64
    /**
     * Bytes of contents.
     */
    public var bytes: UInt64
    /**
     * Sockets, pipes, devices and refused links that were left out.
     */
    public var skipped: UInt64

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * Regular files.
         */files: UInt64,
        /**
         * Directories.
         */directories: UInt64,
        /**
         * Links.
         */links: UInt64,
        /**
         * Bytes of contents.
         */bytes: UInt64,
        /**
         * Sockets, pipes, devices and refused links that were left out.
         */skipped: UInt64) {
        self.files = files
        self.directories = directories
        self.links = links
        self.bytes = bytes
        self.skipped = skipped
    }




}

#if compiler(>=6)
extension TransferReport: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeTransferReport: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> TransferReport {
        return
            try TransferReport(
                files: FfiConverterUInt64.read(from: &buf),
                directories: FfiConverterUInt64.read(from: &buf),
                links: FfiConverterUInt64.read(from: &buf),
                bytes: FfiConverterUInt64.read(from: &buf),
                skipped: FfiConverterUInt64.read(from: &buf)
        )
    }

    public static func write(_ value: TransferReport, into buf: inout [UInt8]) {
        FfiConverterUInt64.write(value.files, into: &buf)
        FfiConverterUInt64.write(value.directories, into: &buf)
        FfiConverterUInt64.write(value.links, into: &buf)
        FfiConverterUInt64.write(value.bytes, into: &buf)
        FfiConverterUInt64.write(value.skipped, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeTransferReport_lift(_ buf: RustBuffer) throws -> TransferReport {
    return try FfiConverterTypeTransferReport.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeTransferReport_lower(_ value: TransferReport) -> RustBuffer {
    return FfiConverterTypeTransferReport.lower(value)
}


/**
 * How files are copied into a sandbox.
 */
public struct UploadOptions: Equatable, Hashable {
    /**
     * Who owns everything there; by default the user that commands run as.
     */
    public var owner: String?
    /**
     * Permission bits of files instead of those they have.
     */
    public var fileMode: UInt32?
    /**
     * Permission bits of directories instead of those they have.
     */
    public var directoryMode: UInt32?
    /**
     * Names, or paths with `*` and `**` relative to the source, that are left out.
     */
    public var exclude: [String]
    /**
     * Files, directories and links at most; a million by default.
     */
    public var maxEntries: UInt64?
    /**
     * Bytes at most; 64 GiB by default.
     */
    public var maxBytes: UInt64?

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * Who owns everything there; by default the user that commands run as.
         */owner: String? = nil,
        /**
         * Permission bits of files instead of those they have.
         */fileMode: UInt32? = nil,
        /**
         * Permission bits of directories instead of those they have.
         */directoryMode: UInt32? = nil,
        /**
         * Names, or paths with `*` and `**` relative to the source, that are left out.
         */exclude: [String] = [],
        /**
         * Files, directories and links at most; a million by default.
         */maxEntries: UInt64? = nil,
        /**
         * Bytes at most; 64 GiB by default.
         */maxBytes: UInt64? = nil) {
        self.owner = owner
        self.fileMode = fileMode
        self.directoryMode = directoryMode
        self.exclude = exclude
        self.maxEntries = maxEntries
        self.maxBytes = maxBytes
    }




}

#if compiler(>=6)
extension UploadOptions: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeUploadOptions: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> UploadOptions {
        return
            try UploadOptions(
                owner: FfiConverterOptionString.read(from: &buf),
                fileMode: FfiConverterOptionUInt32.read(from: &buf),
                directoryMode: FfiConverterOptionUInt32.read(from: &buf),
                exclude: FfiConverterSequenceString.read(from: &buf),
                maxEntries: FfiConverterOptionUInt64.read(from: &buf),
                maxBytes: FfiConverterOptionUInt64.read(from: &buf)
        )
    }

    public static func write(_ value: UploadOptions, into buf: inout [UInt8]) {
        FfiConverterOptionString.write(value.owner, into: &buf)
        FfiConverterOptionUInt32.write(value.fileMode, into: &buf)
        FfiConverterOptionUInt32.write(value.directoryMode, into: &buf)
        FfiConverterSequenceString.write(value.exclude, into: &buf)
        FfiConverterOptionUInt64.write(value.maxEntries, into: &buf)
        FfiConverterOptionUInt64.write(value.maxBytes, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeUploadOptions_lift(_ buf: RustBuffer) throws -> UploadOptions {
    return try FfiConverterTypeUploadOptions.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeUploadOptions_lower(_ value: UploadOptions) -> RustBuffer {
    return FfiConverterTypeUploadOptions.lower(value)
}


/**
 * A directory with a life of its own, which any number of sandboxes share.
 */
public struct Volume: Equatable, Hashable {
    /**
     * Its id.
     */
    public var id: String
    /**
     * Its name.
     */
    public var name: String
    /**
     * The provider that has it.
     */
    public var provider: String
    /**
     * What it is doing.
     */
    public var state: VolumeState
    /**
     * Its labels.
     */
    public var labels: [String: String]
    /**
     * Its bytes at most, where it has a limit.
     */
    public var size: UInt64?
    /**
     * When it was begun.
     */
    public var createdAt: Date
    /**
     * How many sandboxes have it.
     */
    public var attached: UInt64

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * Its id.
         */id: String,
        /**
         * Its name.
         */name: String,
        /**
         * The provider that has it.
         */provider: String,
        /**
         * What it is doing.
         */state: VolumeState,
        /**
         * Its labels.
         */labels: [String: String] = [:],
        /**
         * Its bytes at most, where it has a limit.
         */size: UInt64? = nil,
        /**
         * When it was begun.
         */createdAt: Date,
        /**
         * How many sandboxes have it.
         */attached: UInt64) {
        self.id = id
        self.name = name
        self.provider = provider
        self.state = state
        self.labels = labels
        self.size = size
        self.createdAt = createdAt
        self.attached = attached
    }




}

#if compiler(>=6)
extension Volume: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeVolume: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> Volume {
        return
            try Volume(
                id: FfiConverterString.read(from: &buf),
                name: FfiConverterString.read(from: &buf),
                provider: FfiConverterString.read(from: &buf),
                state: FfiConverterTypeVolumeState.read(from: &buf),
                labels: FfiConverterDictionaryStringString.read(from: &buf),
                size: FfiConverterOptionUInt64.read(from: &buf),
                createdAt: FfiConverterTimestamp.read(from: &buf),
                attached: FfiConverterUInt64.read(from: &buf)
        )
    }

    public static func write(_ value: Volume, into buf: inout [UInt8]) {
        FfiConverterString.write(value.id, into: &buf)
        FfiConverterString.write(value.name, into: &buf)
        FfiConverterString.write(value.provider, into: &buf)
        FfiConverterTypeVolumeState.write(value.state, into: &buf)
        FfiConverterDictionaryStringString.write(value.labels, into: &buf)
        FfiConverterOptionUInt64.write(value.size, into: &buf)
        FfiConverterTimestamp.write(value.createdAt, into: &buf)
        FfiConverterUInt64.write(value.attached, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeVolume_lift(_ buf: RustBuffer) throws -> Volume {
    return try FfiConverterTypeVolume.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeVolume_lower(_ value: Volume) -> RustBuffer {
    return FfiConverterTypeVolume.lower(value)
}


/**
 * A volume in a sandbox.
 */
public struct VolumeMount: Equatable, Hashable {
    /**
     * Its name or id.
     */
    public var volume: String
    /**
     * Where in the sandbox, absolute.
     */
    public var targetBytes: Data
    /**
     * Which part of it, relative; all by default.
     */
    public var subpathBytes: Data?
    /**
     * Whether nothing can be written.
     */
    public var readOnly: Bool

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * Its name or id.
         */volume: String,
        /**
         * Where in the sandbox, absolute.
         */targetBytes: Data,
        /**
         * Which part of it, relative; all by default.
         */subpathBytes: Data? = nil,
        /**
         * Whether nothing can be written.
         */readOnly: Bool = false) {
        self.volume = volume
        self.targetBytes = targetBytes
        self.subpathBytes = subpathBytes
        self.readOnly = readOnly
    }




}

#if compiler(>=6)
extension VolumeMount: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeVolumeMount: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> VolumeMount {
        return
            try VolumeMount(
                volume: FfiConverterString.read(from: &buf),
                targetBytes: FfiConverterData.read(from: &buf),
                subpathBytes: FfiConverterOptionData.read(from: &buf),
                readOnly: FfiConverterBool.read(from: &buf)
        )
    }

    public static func write(_ value: VolumeMount, into buf: inout [UInt8]) {
        FfiConverterString.write(value.volume, into: &buf)
        FfiConverterData.write(value.targetBytes, into: &buf)
        FfiConverterOptionData.write(value.subpathBytes, into: &buf)
        FfiConverterBool.write(value.readOnly, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeVolumeMount_lift(_ buf: RustBuffer) throws -> VolumeMount {
    return try FfiConverterTypeVolumeMount.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeVolumeMount_lower(_ value: VolumeMount) -> RustBuffer {
    return FfiConverterTypeVolumeMount.lower(value)
}


/**
 * What volume to make.
 */
public struct VolumeOptions: Equatable, Hashable {
    /**
     * Its size at most; no limit by default.
     */
    public var size: Size?
    /**
     * Its labels.
     */
    public var labels: [String: String]
    /**
     * The provider that makes it; the first isolating one that works here by default.
     */
    public var provider: String?

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * Its size at most; no limit by default.
         */size: Size? = nil,
        /**
         * Its labels.
         */labels: [String: String] = [:],
        /**
         * The provider that makes it; the first isolating one that works here by default.
         */provider: String? = nil) {
        self.size = size
        self.labels = labels
        self.provider = provider
    }




}

#if compiler(>=6)
extension VolumeOptions: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeVolumeOptions: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> VolumeOptions {
        return
            try VolumeOptions(
                size: FfiConverterOptionTypeSize.read(from: &buf),
                labels: FfiConverterDictionaryStringString.read(from: &buf),
                provider: FfiConverterOptionString.read(from: &buf)
        )
    }

    public static func write(_ value: VolumeOptions, into buf: inout [UInt8]) {
        FfiConverterOptionTypeSize.write(value.size, into: &buf)
        FfiConverterDictionaryStringString.write(value.labels, into: &buf)
        FfiConverterOptionString.write(value.provider, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeVolumeOptions_lift(_ buf: RustBuffer) throws -> VolumeOptions {
    return try FfiConverterTypeVolumeOptions.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeVolumeOptions_lower(_ value: VolumeOptions) -> RustBuffer {
    return FfiConverterTypeVolumeOptions.lower(value)
}


/**
 * What a walk comes by.
 */
public struct WalkEntry: Equatable, Hashable {
    /**
     * Where it is, relative to where the walk began.
     */
    public var pathBytes: Data
    /**
     * Its bytes; none for what is no file.
     */
    public var size: UInt64?

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * Where it is, relative to where the walk began.
         */pathBytes: Data,
        /**
         * Its bytes; none for what is no file.
         */size: UInt64? = nil) {
        self.pathBytes = pathBytes
        self.size = size
    }




}

#if compiler(>=6)
extension WalkEntry: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeWalkEntry: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> WalkEntry {
        return
            try WalkEntry(
                pathBytes: FfiConverterData.read(from: &buf),
                size: FfiConverterOptionUInt64.read(from: &buf)
        )
    }

    public static func write(_ value: WalkEntry, into buf: inout [UInt8]) {
        FfiConverterData.write(value.pathBytes, into: &buf)
        FfiConverterOptionUInt64.write(value.size, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeWalkEntry_lift(_ buf: RustBuffer) throws -> WalkEntry {
    return try FfiConverterTypeWalkEntry.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeWalkEntry_lower(_ value: WalkEntry) -> RustBuffer {
    return FfiConverterTypeWalkEntry.lower(value)
}


/**
 * How a tree is walked.
 */
public struct WalkOptions: Equatable, Hashable {
    /**
     * How many levels deep; all by default.
     */
    public var maxDepth: UInt32?
    /**
     * Names that are left out, with everything below.
     */
    public var exclude: [String]

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * How many levels deep; all by default.
         */maxDepth: UInt32? = nil,
        /**
         * Names that are left out, with everything below.
         */exclude: [String] = []) {
        self.maxDepth = maxDepth
        self.exclude = exclude
    }




}

#if compiler(>=6)
extension WalkOptions: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeWalkOptions: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> WalkOptions {
        return
            try WalkOptions(
                maxDepth: FfiConverterOptionUInt32.read(from: &buf),
                exclude: FfiConverterSequenceString.read(from: &buf)
        )
    }

    public static func write(_ value: WalkOptions, into buf: inout [UInt8]) {
        FfiConverterOptionUInt32.write(value.maxDepth, into: &buf)
        FfiConverterSequenceString.write(value.exclude, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeWalkOptions_lift(_ buf: RustBuffer) throws -> WalkOptions {
    return try FfiConverterTypeWalkOptions.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeWalkOptions_lower(_ value: WalkOptions) -> RustBuffer {
    return FfiConverterTypeWalkOptions.lower(value)
}


/**
 * How changes are watched.
 */
public struct WatchOptions: Equatable, Hashable {
    /**
     * Also below directories.
     */
    public var recursive: Bool

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * Also below directories.
         */recursive: Bool = false) {
        self.recursive = recursive
    }




}

#if compiler(>=6)
extension WatchOptions: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeWatchOptions: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> WatchOptions {
        return
            try WatchOptions(
                recursive: FfiConverterBool.read(from: &buf)
        )
    }

    public static func write(_ value: WatchOptions, into buf: inout [UInt8]) {
        FfiConverterBool.write(value.recursive, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeWatchOptions_lift(_ buf: RustBuffer) throws -> WatchOptions {
    return try FfiConverterTypeWatchOptions.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeWatchOptions_lower(_ value: WatchOptions) -> RustBuffer {
    return FfiConverterTypeWatchOptions.lower(value)
}


/**
 * How a file or directory is made.
 */
public struct WriteOptions: Equatable, Hashable {
    /**
     * Its permission bits, such as 0o755; those of a file that exists stay as they are by default, a new one has 0o644 and a directory
     * 0o755.
     */
    public var mode: UInt32?
    /**
     * Its owner: a name, `uid`, `uid:gid` or `name:group`; by default the user that commands run as.
     */
    public var owner: String?
    /**
     * Fail where a directory on the way is missing; by default it is made.
     */
    public var noParents: Bool
    /**
     * Fail with `already_exists` where something is.
     */
    public var exclusive: Bool
    /**
     * Write beside it and rename, so that readers see the old or the new file and nothing between.
     */
    public var atomic: Bool

    // Default memberwise initializers are never public by default, so we
    // declare one manually.
    public init(
        /**
         * Its permission bits, such as 0o755; those of a file that exists stay as they are by default, a new one has 0o644 and a directory
         * 0o755.
         */mode: UInt32? = nil,
        /**
         * Its owner: a name, `uid`, `uid:gid` or `name:group`; by default the user that commands run as.
         */owner: String? = nil,
        /**
         * Fail where a directory on the way is missing; by default it is made.
         */noParents: Bool = false,
        /**
         * Fail with `already_exists` where something is.
         */exclusive: Bool = false,
        /**
         * Write beside it and rename, so that readers see the old or the new file and nothing between.
         */atomic: Bool = false) {
        self.mode = mode
        self.owner = owner
        self.noParents = noParents
        self.exclusive = exclusive
        self.atomic = atomic
    }




}

#if compiler(>=6)
extension WriteOptions: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeWriteOptions: FfiConverterRustBuffer {
    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> WriteOptions {
        return
            try WriteOptions(
                mode: FfiConverterOptionUInt32.read(from: &buf),
                owner: FfiConverterOptionString.read(from: &buf),
                noParents: FfiConverterBool.read(from: &buf),
                exclusive: FfiConverterBool.read(from: &buf),
                atomic: FfiConverterBool.read(from: &buf)
        )
    }

    public static func write(_ value: WriteOptions, into buf: inout [UInt8]) {
        FfiConverterOptionUInt32.write(value.mode, into: &buf)
        FfiConverterOptionString.write(value.owner, into: &buf)
        FfiConverterBool.write(value.noParents, into: &buf)
        FfiConverterBool.write(value.exclusive, into: &buf)
        FfiConverterBool.write(value.atomic, into: &buf)
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeWriteOptions_lift(_ buf: RustBuffer) throws -> WriteOptions {
    return try FfiConverterTypeWriteOptions.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeWriteOptions_lower(_ value: WriteOptions) -> RustBuffer {
    return FfiConverterTypeWriteOptions.lower(value)
}


/**
 * What is done to a sandbox.
 */

public enum Action: Equatable, Hashable {

    /**
     * It is made.
     */
    case create
    /**
     * A handle of it is made.
     */
    case attach
    /**
     * It is started.
     */
    case start
    /**
     * It is stopped.
     */
    case stop
    /**
     * It is removed.
     */
    case delete
    /**
     * It is made usable.
     */
    case activate
    /**
     * It is put aside.
     */
    case deactivate
    /**
     * It is frozen.
     */
    case pause
    /**
     * It is thawed.
     */
    case resume
    /**
     * It is archived.
     */
    case archive
    /**
     * It is copied.
     */
    case fork
    /**
     * Its limits are changed.
     */
    case resize
    /**
     * A snapshot of it is taken.
     */
    case snapshot
    /**
     * It is brought back from an error.
     */
    case recover
    /**
     * Its removal is taken back.
     */
    case undelete
    /**
     * It counts as used.
     */
    case refreshActivity
    /**
     * Its lifetimes are changed.
     */
    case setLifetimes
    /**
     * Its labels are changed.
     */
    case setLabels
    /**
     * What it may reach is changed.
     */
    case updateNetwork
    /**
     * It lives on without its process.
     */
    case detach
    /**
     * A command is run.
     */
    case exec
    /**
     * Its files are used.
     */
    case files
    /**
     * It is reached from outside.
     */
    case access
    /**
     * An image is fetched.
     */
    case pull
    /**
     * An image is built.
     */
    case build
    /**
     * Something else.
     */
    case unknown





}

#if compiler(>=6)
extension Action: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeAction: FfiConverterRustBuffer {
    typealias SwiftType = Action

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> Action {
        let variant: Int32 = try readInt(&buf)
        switch variant {

        case 1: return .create

        case 2: return .attach

        case 3: return .start

        case 4: return .stop

        case 5: return .delete

        case 6: return .activate

        case 7: return .deactivate

        case 8: return .pause

        case 9: return .resume

        case 10: return .archive

        case 11: return .fork

        case 12: return .resize

        case 13: return .snapshot

        case 14: return .recover

        case 15: return .undelete

        case 16: return .refreshActivity

        case 17: return .setLifetimes

        case 18: return .setLabels

        case 19: return .updateNetwork

        case 20: return .detach

        case 21: return .exec

        case 22: return .files

        case 23: return .access

        case 24: return .pull

        case 25: return .build

        case 26: return .unknown

        default: throw UniffiInternalError.unexpectedEnumCase
        }
    }

    public static func write(_ value: Action, into buf: inout [UInt8]) {
        switch value {


        case .create:
            writeInt(&buf, Int32(1))


        case .attach:
            writeInt(&buf, Int32(2))


        case .start:
            writeInt(&buf, Int32(3))


        case .stop:
            writeInt(&buf, Int32(4))


        case .delete:
            writeInt(&buf, Int32(5))


        case .activate:
            writeInt(&buf, Int32(6))


        case .deactivate:
            writeInt(&buf, Int32(7))


        case .pause:
            writeInt(&buf, Int32(8))


        case .resume:
            writeInt(&buf, Int32(9))


        case .archive:
            writeInt(&buf, Int32(10))


        case .fork:
            writeInt(&buf, Int32(11))


        case .resize:
            writeInt(&buf, Int32(12))


        case .snapshot:
            writeInt(&buf, Int32(13))


        case .recover:
            writeInt(&buf, Int32(14))


        case .undelete:
            writeInt(&buf, Int32(15))


        case .refreshActivity:
            writeInt(&buf, Int32(16))


        case .setLifetimes:
            writeInt(&buf, Int32(17))


        case .setLabels:
            writeInt(&buf, Int32(18))


        case .updateNetwork:
            writeInt(&buf, Int32(19))


        case .detach:
            writeInt(&buf, Int32(20))


        case .exec:
            writeInt(&buf, Int32(21))


        case .files:
            writeInt(&buf, Int32(22))


        case .access:
            writeInt(&buf, Int32(23))


        case .pull:
            writeInt(&buf, Int32(24))


        case .build:
            writeInt(&buf, Int32(25))


        case .unknown:
            writeInt(&buf, Int32(26))

        }
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeAction_lift(_ buf: RustBuffer) throws -> Action {
    return try FfiConverterTypeAction.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeAction_lower(_ value: Action) -> RustBuffer {
    return FfiConverterTypeAction.lower(value)
}



/**
 * Why a sandbox ended when nobody asked it to.
 */

public enum DeathCause: Equatable, Hashable {

    /**
     * It reached its memory limit.
     */
    case oom
    /**
     * The machine or cluster took its place away.
     */
    case evicted
    /**
     * Somebody removed it from outside.
     */
    case removedExternally
    /**
     * Its engine went away and took it along.
     */
    case engineDown
    /**
     * The agent in it ended without reason.
     */
    case agentCrashed
    /**
     * A lifetime ran out.
     */
    case expired
    /**
     * The process that owned it ended.
     */
    case ownerLost
    /**
     * The main program of its image ended.
     */
    case exited
    /**
     * Its disk was full, and it could not go on.
     */
    case outOfDisk
    /**
     * Nothing says why.
     */
    case unknown





}

#if compiler(>=6)
extension DeathCause: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeDeathCause: FfiConverterRustBuffer {
    typealias SwiftType = DeathCause

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> DeathCause {
        let variant: Int32 = try readInt(&buf)
        switch variant {

        case 1: return .oom

        case 2: return .evicted

        case 3: return .removedExternally

        case 4: return .engineDown

        case 5: return .agentCrashed

        case 6: return .expired

        case 7: return .ownerLost

        case 8: return .exited

        case 9: return .outOfDisk

        case 10: return .unknown

        default: throw UniffiInternalError.unexpectedEnumCase
        }
    }

    public static func write(_ value: DeathCause, into buf: inout [UInt8]) {
        switch value {


        case .oom:
            writeInt(&buf, Int32(1))


        case .evicted:
            writeInt(&buf, Int32(2))


        case .removedExternally:
            writeInt(&buf, Int32(3))


        case .engineDown:
            writeInt(&buf, Int32(4))


        case .agentCrashed:
            writeInt(&buf, Int32(5))


        case .expired:
            writeInt(&buf, Int32(6))


        case .ownerLost:
            writeInt(&buf, Int32(7))


        case .exited:
            writeInt(&buf, Int32(8))


        case .outOfDisk:
            writeInt(&buf, Int32(9))


        case .unknown:
            writeInt(&buf, Int32(10))

        }
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeDeathCause_lift(_ buf: RustBuffer) throws -> DeathCause {
    return try FfiConverterTypeDeathCause.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeDeathCause_lower(_ value: DeathCause) -> RustBuffer {
    return FfiConverterTypeDeathCause.lower(value)
}



/**
 * Why something was denied.
 */

public enum DenialReason: Equatable, Hashable {

    /**
     * Nothing in the policy allows it.
     */
    case notAllowed
    /**
     * The policy denies it by name.
     */
    case denied
    /**
     * The name is allowed and led to an address of a private or local network.
     */
    case privateAddress
    /**
     * A secret would have gone to a host it is not bound to.
     */
    case secretHost
    /**
     * Something of a newer version.
     */
    case unknown





}

#if compiler(>=6)
extension DenialReason: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeDenialReason: FfiConverterRustBuffer {
    typealias SwiftType = DenialReason

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> DenialReason {
        let variant: Int32 = try readInt(&buf)
        switch variant {

        case 1: return .notAllowed

        case 2: return .denied

        case 3: return .privateAddress

        case 4: return .secretHost

        case 5: return .unknown

        default: throw UniffiInternalError.unexpectedEnumCase
        }
    }

    public static func write(_ value: DenialReason, into buf: inout [UInt8]) {
        switch value {


        case .notAllowed:
            writeInt(&buf, Int32(1))


        case .denied:
            writeInt(&buf, Int32(2))


        case .privateAddress:
            writeInt(&buf, Int32(3))


        case .secretHost:
            writeInt(&buf, Int32(4))


        case .unknown:
            writeInt(&buf, Int32(5))

        }
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeDenialReason_lift(_ buf: RustBuffer) throws -> DenialReason {
    return try FfiConverterTypeDenialReason.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeDenialReason_lower(_ value: DenialReason) -> RustBuffer {
    return FfiConverterTypeDenialReason.lower(value)
}



/**
 * What a denied program tried.
 */

public enum DeniedProtocol: Equatable, Hashable {

    /**
     * Looking up a name.
     */
    case dns
    /**
     * A TCP connection.
     */
    case tcp
    /**
     * A UDP packet.
     */
    case udp
    /**
     * Another protocol.
     */
    case other





}

#if compiler(>=6)
extension DeniedProtocol: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeDeniedProtocol: FfiConverterRustBuffer {
    typealias SwiftType = DeniedProtocol

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> DeniedProtocol {
        let variant: Int32 = try readInt(&buf)
        switch variant {

        case 1: return .dns

        case 2: return .tcp

        case 3: return .udp

        case 4: return .other

        default: throw UniffiInternalError.unexpectedEnumCase
        }
    }

    public static func write(_ value: DeniedProtocol, into buf: inout [UInt8]) {
        switch value {


        case .dns:
            writeInt(&buf, Int32(1))


        case .tcp:
            writeInt(&buf, Int32(2))


        case .udp:
            writeInt(&buf, Int32(3))


        case .other:
            writeInt(&buf, Int32(4))

        }
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeDeniedProtocol_lift(_ buf: RustBuffer) throws -> DeniedProtocol {
    return try FfiConverterTypeDeniedProtocol.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeDeniedProtocol_lower(_ value: DeniedProtocol) -> RustBuffer {
    return FfiConverterTypeDeniedProtocol.lower(value)
}



/**
 * The typed facts of an error.
 */

public enum Detail: Equatable, Hashable {

    /**
     * A field of the request is wrong.
     */
    case invalidSpec(
        /**
         * Which, as a dotted path.
         */field: String,
        /**
         * What is wrong with it, and the way out.
         */reason: String
    )
    /**
     * A capability is missing.
     */
    case unsupported(
        /**
         * Its dotted name.
         */capability: String
    )
    /**
     * The sandbox is in another state.
     */
    case invalidState(
        /**
         * In which.
         */state: SandboxState,
        /**
         * What was tried.
         */action: Action
    )
    /**
     * Something took too long.
     */
    case timeout(
        /**
         * What.
         */operation: String,
        /**
         * How long it was waited for.
         */elapsed: Double
    )
    /**
     * How far something came whose end is not known.
     */
    case incomplete(
        /**
         * Whether output was given up.
         */outputAbandoned: Bool,
        /**
         * Whether the stop was heard.
         */stopAcknowledged: Bool,
        /**
         * Whether nothing runs any more.
         */terminationConfirmed: Bool,
        /**
         * Whether nothing is left.
         */cleanupConfirmed: Bool
    )
    /**
     * Something is wrong with a file.
     */
    case file(
        /**
         * Which.
         */path: String,
        /**
         * Which.
         */pathBytes: Data,
        /**
         * What.
         */kind: FileErrorKind
    )
    /**
     * A sandbox or command could not be started.
     */
    case launch(
        /**
         * The step that failed, such as `namespaces`, `mounts` or `exec`.
         */step: String,
        /**
         * The number of the system's error.
         */errno: Int32?,
        /**
         * What may help.
         */hint: String?
    )
    /**
     * A thing is missing, is there, or belongs to somebody else.
     */
    case resource(
        /**
         * What it is, such as `sandbox` or `snapshot`.
         */resource: String,
        /**
         * Its id or name.
         */id: String
    )
    /**
     * A limit is reached.
     */
    case limit(
        /**
         * Which.
         */limit: String,
        /**
         * What it is.
         */max: UInt64?
    )
    /**
     * How the sandbox died.
     */
    case died(
        /**
         * What is known.
         */postMortem: PostMortem
    )
    /**
     * How the command failed.
     */
    case exec(
        /**
         * What is known.
         */failure: ExecFailure
    )
    /**
     * How git failed.
     */
    case git(
        /**
         * What it was to do.
         */operation: String,
        /**
         * What went wrong, such as `auth_rejected` or `ref_not_found`.
         */kind: String
    )
    /**
     * What a provider says in its own words.
     */
    case provider(
        /**
         * Its code.
         */code: String?,
        /**
         * All of it, as JSON.
         */json: String
    )





}

#if compiler(>=6)
extension Detail: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeDetail: FfiConverterRustBuffer {
    typealias SwiftType = Detail

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> Detail {
        let variant: Int32 = try readInt(&buf)
        switch variant {

        case 1: return .invalidSpec(field: try FfiConverterString.read(from: &buf), reason: try FfiConverterString.read(from: &buf)
        )

        case 2: return .unsupported(capability: try FfiConverterString.read(from: &buf)
        )

        case 3: return .invalidState(state: try FfiConverterTypeSandboxState.read(from: &buf), action: try FfiConverterTypeAction.read(from: &buf)
        )

        case 4: return .timeout(operation: try FfiConverterString.read(from: &buf), elapsed: try FfiConverterDouble.read(from: &buf)
        )

        case 5: return .incomplete(outputAbandoned: try FfiConverterBool.read(from: &buf), stopAcknowledged: try FfiConverterBool.read(from: &buf), terminationConfirmed: try FfiConverterBool.read(from: &buf), cleanupConfirmed: try FfiConverterBool.read(from: &buf)
        )

        case 6: return .file(path: try FfiConverterString.read(from: &buf), pathBytes: try FfiConverterData.read(from: &buf), kind: try FfiConverterTypeFileErrorKind.read(from: &buf)
        )

        case 7: return .launch(step: try FfiConverterString.read(from: &buf), errno: try FfiConverterOptionInt32.read(from: &buf), hint: try FfiConverterOptionString.read(from: &buf)
        )

        case 8: return .resource(resource: try FfiConverterString.read(from: &buf), id: try FfiConverterString.read(from: &buf)
        )

        case 9: return .limit(limit: try FfiConverterString.read(from: &buf), max: try FfiConverterOptionUInt64.read(from: &buf)
        )

        case 10: return .died(postMortem: try FfiConverterTypePostMortem.read(from: &buf)
        )

        case 11: return .exec(failure: try FfiConverterTypeExecFailure.read(from: &buf)
        )

        case 12: return .git(operation: try FfiConverterString.read(from: &buf), kind: try FfiConverterString.read(from: &buf)
        )

        case 13: return .provider(code: try FfiConverterOptionString.read(from: &buf), json: try FfiConverterString.read(from: &buf)
        )

        default: throw UniffiInternalError.unexpectedEnumCase
        }
    }

    public static func write(_ value: Detail, into buf: inout [UInt8]) {
        switch value {


        case let .invalidSpec(field,reason):
            writeInt(&buf, Int32(1))
            FfiConverterString.write(field, into: &buf)
            FfiConverterString.write(reason, into: &buf)


        case let .unsupported(capability):
            writeInt(&buf, Int32(2))
            FfiConverterString.write(capability, into: &buf)


        case let .invalidState(state,action):
            writeInt(&buf, Int32(3))
            FfiConverterTypeSandboxState.write(state, into: &buf)
            FfiConverterTypeAction.write(action, into: &buf)


        case let .timeout(operation,elapsed):
            writeInt(&buf, Int32(4))
            FfiConverterString.write(operation, into: &buf)
            FfiConverterDouble.write(elapsed, into: &buf)


        case let .incomplete(outputAbandoned,stopAcknowledged,terminationConfirmed,cleanupConfirmed):
            writeInt(&buf, Int32(5))
            FfiConverterBool.write(outputAbandoned, into: &buf)
            FfiConverterBool.write(stopAcknowledged, into: &buf)
            FfiConverterBool.write(terminationConfirmed, into: &buf)
            FfiConverterBool.write(cleanupConfirmed, into: &buf)


        case let .file(path,pathBytes,kind):
            writeInt(&buf, Int32(6))
            FfiConverterString.write(path, into: &buf)
            FfiConverterData.write(pathBytes, into: &buf)
            FfiConverterTypeFileErrorKind.write(kind, into: &buf)


        case let .launch(step,errno,hint):
            writeInt(&buf, Int32(7))
            FfiConverterString.write(step, into: &buf)
            FfiConverterOptionInt32.write(errno, into: &buf)
            FfiConverterOptionString.write(hint, into: &buf)


        case let .resource(resource,id):
            writeInt(&buf, Int32(8))
            FfiConverterString.write(resource, into: &buf)
            FfiConverterString.write(id, into: &buf)


        case let .limit(limit,max):
            writeInt(&buf, Int32(9))
            FfiConverterString.write(limit, into: &buf)
            FfiConverterOptionUInt64.write(max, into: &buf)


        case let .died(postMortem):
            writeInt(&buf, Int32(10))
            FfiConverterTypePostMortem.write(postMortem, into: &buf)


        case let .exec(failure):
            writeInt(&buf, Int32(11))
            FfiConverterTypeExecFailure.write(failure, into: &buf)


        case let .git(operation,kind):
            writeInt(&buf, Int32(12))
            FfiConverterString.write(operation, into: &buf)
            FfiConverterString.write(kind, into: &buf)


        case let .provider(code,json):
            writeInt(&buf, Int32(13))
            FfiConverterOptionString.write(code, into: &buf)
            FfiConverterString.write(json, into: &buf)

        }
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeDetail_lift(_ buf: RustBuffer) throws -> Detail {
    return try FfiConverterTypeDetail.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeDetail_lower(_ value: Detail) -> RustBuffer {
    return FfiConverterTypeDetail.lower(value)
}



/**
 * What enforces a limit of disk.
 */

public enum DiskBacking: Equatable, Hashable {

    /**
     * A filesystem in memory of that size.
     */
    case tmpfs
    /**
     * A disk image of that size.
     */
    case loop
    /**
     * A project quota.
     */
    case quota





}

#if compiler(>=6)
extension DiskBacking: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeDiskBacking: FfiConverterRustBuffer {
    typealias SwiftType = DiskBacking

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> DiskBacking {
        let variant: Int32 = try readInt(&buf)
        switch variant {

        case 1: return .tmpfs

        case 2: return .loop

        case 3: return .quota

        default: throw UniffiInternalError.unexpectedEnumCase
        }
    }

    public static func write(_ value: DiskBacking, into buf: inout [UInt8]) {
        switch value {


        case .tmpfs:
            writeInt(&buf, Int32(1))


        case .loop:
            writeInt(&buf, Int32(2))


        case .quota:
            writeInt(&buf, Int32(3))

        }
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeDiskBacking_lift(_ buf: RustBuffer) throws -> DiskBacking {
    return try FfiConverterTypeDiskBacking.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeDiskBacking_lower(_ value: DiskBacking) -> RustBuffer {
    return FfiConverterTypeDiskBacking.lower(value)
}



/**
 * What happened. The words are the same in every language and on the wire, and never change.
 */

public enum ErrorCode: Equatable, Hashable {

    /**
     * What was named does not exist.
     */
    case notFound
    /**
     * What was to be made exists.
     */
    case alreadyExists
    /**
     * It belongs to another owner.
     */
    case notOwned
    /**
     * The provider cannot do this; the detail names the capability.
     */
    case unsupported
    /**
     * The request is wrong; the detail names the field.
     */
    case invalidSpec
    /**
     * The sandbox is in a state in which this cannot be done.
     */
    case invalidState
    /**
     * The operation did not end in time. A command that runs into its timeout is a result, not this.
     */
    case timeout
    /**
     * The caller gave up.
     */
    case cancelled
    /**
     * The credential is missing or wrong.
     */
    case unauthenticated
    /**
     * The credential, or the user, may not do this.
     */
    case permissionDenied
    /**
     * Too many requests; the error says when to try again, where that is known.
     */
    case rateLimited
    /**
     * A limit of the machine is reached, and nothing was started.
     */
    case overloaded
    /**
     * Something is larger than it may be.
     */
    case limitExceeded
    /**
     * Memory ran out.
     */
    case outOfMemory
    /**
     * A disk is full.
     */
    case outOfDisk
    /**
     * There is no such image.
     */
    case imageNotFound
    /**
     * The image could not be fetched.
     */
    case imagePullFailed
    /**
     * The engine does not answer.
     */
    case engineUnavailable
    /**
     * The sandbox is gone; the detail is how it died.
     */
    case sandboxGone
    /**
     * The policy refused it.
     */
    case policyDenied
    /**
     * The connection to the sandbox broke.
     */
    case transport
    /**
     * It was begun and its end is not known.
     */
    case incomplete
    /**
     * Something else is being done to it.
     */
    case conflict
    /**
     * A command failed whose success was asked for.
     */
    case commandFailed
    /**
     * An operation on files or devices failed.
     */
    case io
    /**
     * A fault of this library.
     */
    case `internal`





}

#if compiler(>=6)
extension ErrorCode: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeErrorCode: FfiConverterRustBuffer {
    typealias SwiftType = ErrorCode

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> ErrorCode {
        let variant: Int32 = try readInt(&buf)
        switch variant {

        case 1: return .notFound

        case 2: return .alreadyExists

        case 3: return .notOwned

        case 4: return .unsupported

        case 5: return .invalidSpec

        case 6: return .invalidState

        case 7: return .timeout

        case 8: return .cancelled

        case 9: return .unauthenticated

        case 10: return .permissionDenied

        case 11: return .rateLimited

        case 12: return .overloaded

        case 13: return .limitExceeded

        case 14: return .outOfMemory

        case 15: return .outOfDisk

        case 16: return .imageNotFound

        case 17: return .imagePullFailed

        case 18: return .engineUnavailable

        case 19: return .sandboxGone

        case 20: return .policyDenied

        case 21: return .transport

        case 22: return .incomplete

        case 23: return .conflict

        case 24: return .commandFailed

        case 25: return .io

        case 26: return .`internal`

        default: throw UniffiInternalError.unexpectedEnumCase
        }
    }

    public static func write(_ value: ErrorCode, into buf: inout [UInt8]) {
        switch value {


        case .notFound:
            writeInt(&buf, Int32(1))


        case .alreadyExists:
            writeInt(&buf, Int32(2))


        case .notOwned:
            writeInt(&buf, Int32(3))


        case .unsupported:
            writeInt(&buf, Int32(4))


        case .invalidSpec:
            writeInt(&buf, Int32(5))


        case .invalidState:
            writeInt(&buf, Int32(6))


        case .timeout:
            writeInt(&buf, Int32(7))


        case .cancelled:
            writeInt(&buf, Int32(8))


        case .unauthenticated:
            writeInt(&buf, Int32(9))


        case .permissionDenied:
            writeInt(&buf, Int32(10))


        case .rateLimited:
            writeInt(&buf, Int32(11))


        case .overloaded:
            writeInt(&buf, Int32(12))


        case .limitExceeded:
            writeInt(&buf, Int32(13))


        case .outOfMemory:
            writeInt(&buf, Int32(14))


        case .outOfDisk:
            writeInt(&buf, Int32(15))


        case .imageNotFound:
            writeInt(&buf, Int32(16))


        case .imagePullFailed:
            writeInt(&buf, Int32(17))


        case .engineUnavailable:
            writeInt(&buf, Int32(18))


        case .sandboxGone:
            writeInt(&buf, Int32(19))


        case .policyDenied:
            writeInt(&buf, Int32(20))


        case .transport:
            writeInt(&buf, Int32(21))


        case .incomplete:
            writeInt(&buf, Int32(22))


        case .conflict:
            writeInt(&buf, Int32(23))


        case .commandFailed:
            writeInt(&buf, Int32(24))


        case .io:
            writeInt(&buf, Int32(25))


        case .`internal`:
            writeInt(&buf, Int32(26))

        }
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeErrorCode_lift(_ buf: RustBuffer) throws -> ErrorCode {
    return try FfiConverterTypeErrorCode.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeErrorCode_lower(_ value: ErrorCode) -> RustBuffer {
    return FfiConverterTypeErrorCode.lower(value)
}



/**
 * What happened.
 */

public enum EventKind: Equatable, Hashable {

    /**
     * An operation was accepted.
     */
    case operationStarted(
        /**
         * What it does.
         */action: Action
    )
    /**
     * An operation got further.
     */
    case operationProgress(
        /**
         * What it does.
         */action: Action,
        /**
         * How far it is.
         */progress: SandboxProgress
    )
    /**
     * An operation succeeded.
     */
    case operationCompleted(
        /**
         * What it did.
         */action: Action,
        /**
         * How long it took.
         */duration: Double
    )
    /**
     * An operation failed.
     */
    case operationFailed(
        /**
         * What it tried.
         */action: Action,
        /**
         * How long it tried.
         */duration: Double,
        /**
         * Why.
         */error: Report
    )
    /**
     * A state was seen.
     */
    case stateObserved(
        /**
         * What has it: `sandbox`, `snapshot` or `volume`.
         */resource: String,
        /**
         * The state before, when it was known.
         */previous: String?,
        /**
         * The state now.
         */current: String
    )
    /**
     * A command started.
     */
    case execStarted(
        /**
         * Its id.
         */process: String,
        /**
         * The caller's name for it.
         */label: String?
    )
    /**
     * A command ended.
     */
    case execExited(
        /**
         * Its id.
         */process: String,
        /**
         * How.
         */exit: Exit
    )
    /**
     * A transfer of files ended.
     */
    case filesTransferred(
        /**
         * Whether into the sandbox.
         */upload: Bool,
        /**
         * Files.
         */files: UInt64,
        /**
         * Bytes.
         */bytes: UInt64
    )
    /**
     * The policy refused a connection or a name.
     */
    case networkDenied(
        /**
         * What was refused.
         */denial: Denial
    )
    /**
     * A limit was reached.
     */
    case limitReached(
        /**
         * Which.
         */limit: LimitKind,
        /**
         * Its value.
         */max: UInt64?,
        /**
         * The command that reached it.
         */process: String?
    )
    /**
     * The time to live of a sandbox is about to end.
     */
    case expirySoon(
        /**
         * When it ends.
         */expiresAt: Date
    )
    /**
     * A sandbox died unasked.
     */
    case died(
        /**
         * How.
         */postMortem: PostMortem
    )
    /**
     * Something worth knowing.
     */
    case notice(
        /**
         * A stable word for it.
         */code: String,
        /**
         * A sentence.
         */message: String
    )
    /**
     * Events up to the next one are not kept any more, and are missing here.
     */
    case gone(
        /**
         * The number of the oldest that is kept.
         */oldest: UInt64
    )
    /**
     * Something of a newer version.
     */
    case unknown(
        /**
         * Its word, where it is known.
         */word: String
    )





}

#if compiler(>=6)
extension EventKind: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeEventKind: FfiConverterRustBuffer {
    typealias SwiftType = EventKind

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> EventKind {
        let variant: Int32 = try readInt(&buf)
        switch variant {

        case 1: return .operationStarted(action: try FfiConverterTypeAction.read(from: &buf)
        )

        case 2: return .operationProgress(action: try FfiConverterTypeAction.read(from: &buf), progress: try FfiConverterTypeSandboxProgress.read(from: &buf)
        )

        case 3: return .operationCompleted(action: try FfiConverterTypeAction.read(from: &buf), duration: try FfiConverterDouble.read(from: &buf)
        )

        case 4: return .operationFailed(action: try FfiConverterTypeAction.read(from: &buf), duration: try FfiConverterDouble.read(from: &buf), error: try FfiConverterTypeReport.read(from: &buf)
        )

        case 5: return .stateObserved(resource: try FfiConverterString.read(from: &buf), previous: try FfiConverterOptionString.read(from: &buf), current: try FfiConverterString.read(from: &buf)
        )

        case 6: return .execStarted(process: try FfiConverterString.read(from: &buf), label: try FfiConverterOptionString.read(from: &buf)
        )

        case 7: return .execExited(process: try FfiConverterString.read(from: &buf), exit: try FfiConverterTypeExit.read(from: &buf)
        )

        case 8: return .filesTransferred(upload: try FfiConverterBool.read(from: &buf), files: try FfiConverterUInt64.read(from: &buf), bytes: try FfiConverterUInt64.read(from: &buf)
        )

        case 9: return .networkDenied(denial: try FfiConverterTypeDenial.read(from: &buf)
        )

        case 10: return .limitReached(limit: try FfiConverterTypeLimitKind.read(from: &buf), max: try FfiConverterOptionUInt64.read(from: &buf), process: try FfiConverterOptionString.read(from: &buf)
        )

        case 11: return .expirySoon(expiresAt: try FfiConverterTimestamp.read(from: &buf)
        )

        case 12: return .died(postMortem: try FfiConverterTypePostMortem.read(from: &buf)
        )

        case 13: return .notice(code: try FfiConverterString.read(from: &buf), message: try FfiConverterString.read(from: &buf)
        )

        case 14: return .gone(oldest: try FfiConverterUInt64.read(from: &buf)
        )

        case 15: return .unknown(word: try FfiConverterString.read(from: &buf)
        )

        default: throw UniffiInternalError.unexpectedEnumCase
        }
    }

    public static func write(_ value: EventKind, into buf: inout [UInt8]) {
        switch value {


        case let .operationStarted(action):
            writeInt(&buf, Int32(1))
            FfiConverterTypeAction.write(action, into: &buf)


        case let .operationProgress(action,progress):
            writeInt(&buf, Int32(2))
            FfiConverterTypeAction.write(action, into: &buf)
            FfiConverterTypeSandboxProgress.write(progress, into: &buf)


        case let .operationCompleted(action,duration):
            writeInt(&buf, Int32(3))
            FfiConverterTypeAction.write(action, into: &buf)
            FfiConverterDouble.write(duration, into: &buf)


        case let .operationFailed(action,duration,error):
            writeInt(&buf, Int32(4))
            FfiConverterTypeAction.write(action, into: &buf)
            FfiConverterDouble.write(duration, into: &buf)
            FfiConverterTypeReport.write(error, into: &buf)


        case let .stateObserved(resource,previous,current):
            writeInt(&buf, Int32(5))
            FfiConverterString.write(resource, into: &buf)
            FfiConverterOptionString.write(previous, into: &buf)
            FfiConverterString.write(current, into: &buf)


        case let .execStarted(process,label):
            writeInt(&buf, Int32(6))
            FfiConverterString.write(process, into: &buf)
            FfiConverterOptionString.write(label, into: &buf)


        case let .execExited(process,exit):
            writeInt(&buf, Int32(7))
            FfiConverterString.write(process, into: &buf)
            FfiConverterTypeExit.write(exit, into: &buf)


        case let .filesTransferred(upload,files,bytes):
            writeInt(&buf, Int32(8))
            FfiConverterBool.write(upload, into: &buf)
            FfiConverterUInt64.write(files, into: &buf)
            FfiConverterUInt64.write(bytes, into: &buf)


        case let .networkDenied(denial):
            writeInt(&buf, Int32(9))
            FfiConverterTypeDenial.write(denial, into: &buf)


        case let .limitReached(limit,max,process):
            writeInt(&buf, Int32(10))
            FfiConverterTypeLimitKind.write(limit, into: &buf)
            FfiConverterOptionUInt64.write(max, into: &buf)
            FfiConverterOptionString.write(process, into: &buf)


        case let .expirySoon(expiresAt):
            writeInt(&buf, Int32(11))
            FfiConverterTimestamp.write(expiresAt, into: &buf)


        case let .died(postMortem):
            writeInt(&buf, Int32(12))
            FfiConverterTypePostMortem.write(postMortem, into: &buf)


        case let .notice(code,message):
            writeInt(&buf, Int32(13))
            FfiConverterString.write(code, into: &buf)
            FfiConverterString.write(message, into: &buf)


        case let .gone(oldest):
            writeInt(&buf, Int32(14))
            FfiConverterUInt64.write(oldest, into: &buf)


        case let .unknown(word):
            writeInt(&buf, Int32(15))
            FfiConverterString.write(word, into: &buf)

        }
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeEventKind_lift(_ buf: RustBuffer) throws -> EventKind {
    return try FfiConverterTypeEventKind.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeEventKind_lower(_ value: EventKind) -> RustBuffer {
    return FfiConverterTypeEventKind.lower(value)
}



/**
 * What happens at the end of a lifetime.
 */

public enum Expiry: Equatable, Hashable {

    /**
     * The sandbox is removed.
     */
    case delete
    /**
     * It is stopped; its files are kept.
     */
    case stop
    /**
     * It is frozen; its memory is kept.
     */
    case pause





}

#if compiler(>=6)
extension Expiry: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeExpiry: FfiConverterRustBuffer {
    typealias SwiftType = Expiry

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> Expiry {
        let variant: Int32 = try readInt(&buf)
        switch variant {

        case 1: return .delete

        case 2: return .stop

        case 3: return .pause

        default: throw UniffiInternalError.unexpectedEnumCase
        }
    }

    public static func write(_ value: Expiry, into buf: inout [UInt8]) {
        switch value {


        case .delete:
            writeInt(&buf, Int32(1))


        case .stop:
            writeInt(&buf, Int32(2))


        case .pause:
            writeInt(&buf, Int32(3))

        }
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeExpiry_lift(_ buf: RustBuffer) throws -> Expiry {
    return try FfiConverterTypeExpiry.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeExpiry_lower(_ value: Expiry) -> RustBuffer {
    return FfiConverterTypeExpiry.lower(value)
}



/**
 * Why a call gives nothing.
 */
public
enum Failure: Swift.Error, Equatable, Hashable, Foundation.LocalizedError {



    /**
     * It failed.
     */
    case Failed(
        /**
         * How.
         */error: SandboxError
    )
    /**
     * Its task was cancelled.
     */
    case Cancelled






    public var errorDescription: String? {
        String(reflecting: self)
    }

}

#if compiler(>=6)
extension Failure: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeFailure: FfiConverterRustBuffer {
    typealias SwiftType = Failure

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> Failure {
        let variant: Int32 = try readInt(&buf)
        switch variant {




        case 1: return .Failed(
            error: try FfiConverterTypeSandboxError.read(from: &buf)
            )
        case 2: return .Cancelled

         default: throw UniffiInternalError.unexpectedEnumCase
        }
    }

    public static func write(_ value: Failure, into buf: inout [UInt8]) {
        switch value {





        case let .Failed(error):
            writeInt(&buf, Int32(1))
            FfiConverterTypeSandboxError.write(error, into: &buf)


        case .Cancelled:
            writeInt(&buf, Int32(2))

        }
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeFailure_lift(_ buf: RustBuffer) throws -> Failure {
    return try FfiConverterTypeFailure.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeFailure_lower(_ value: Failure) -> RustBuffer {
    return FfiConverterTypeFailure.lower(value)
}


/**
 * Whose failure it is.
 */

public enum Fault: Equatable, Hashable {

    /**
     * That of the program in the sandbox.
     */
    case program
    /**
     * That of whoever called.
     */
    case caller
    /**
     * The policy's: it was refused on purpose.
     */
    case policy
    /**
     * That of the machine, the engine, the network or this library.
     */
    case infrastructure





}

#if compiler(>=6)
extension Fault: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeFault: FfiConverterRustBuffer {
    typealias SwiftType = Fault

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> Fault {
        let variant: Int32 = try readInt(&buf)
        switch variant {

        case 1: return .program

        case 2: return .caller

        case 3: return .policy

        case 4: return .infrastructure

        default: throw UniffiInternalError.unexpectedEnumCase
        }
    }

    public static func write(_ value: Fault, into buf: inout [UInt8]) {
        switch value {


        case .program:
            writeInt(&buf, Int32(1))


        case .caller:
            writeInt(&buf, Int32(2))


        case .policy:
            writeInt(&buf, Int32(3))


        case .infrastructure:
            writeInt(&buf, Int32(4))

        }
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeFault_lift(_ buf: RustBuffer) throws -> Fault {
    return try FfiConverterTypeFault.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeFault_lower(_ value: Fault) -> RustBuffer {
    return FfiConverterTypeFault.lower(value)
}



/**
 * What happened to a file.
 */

public enum FileChangeKind: Equatable, Hashable {

    /**
     * It is new.
     */
    case created
    /**
     * Its contents changed.
     */
    case modified
    /**
     * Its mode, owner or times changed.
     */
    case attributes
    /**
     * It has another name.
     */
    case renamed
    /**
     * It is gone.
     */
    case removed
    /**
     * Changes were lost: look again.
     */
    case overflow





}

#if compiler(>=6)
extension FileChangeKind: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeFileChangeKind: FfiConverterRustBuffer {
    typealias SwiftType = FileChangeKind

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> FileChangeKind {
        let variant: Int32 = try readInt(&buf)
        switch variant {

        case 1: return .created

        case 2: return .modified

        case 3: return .attributes

        case 4: return .renamed

        case 5: return .removed

        case 6: return .overflow

        default: throw UniffiInternalError.unexpectedEnumCase
        }
    }

    public static func write(_ value: FileChangeKind, into buf: inout [UInt8]) {
        switch value {


        case .created:
            writeInt(&buf, Int32(1))


        case .modified:
            writeInt(&buf, Int32(2))


        case .attributes:
            writeInt(&buf, Int32(3))


        case .renamed:
            writeInt(&buf, Int32(4))


        case .removed:
            writeInt(&buf, Int32(5))


        case .overflow:
            writeInt(&buf, Int32(6))

        }
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeFileChangeKind_lift(_ buf: RustBuffer) throws -> FileChangeKind {
    return try FfiConverterTypeFileChangeKind.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeFileChangeKind_lower(_ value: FileChangeKind) -> RustBuffer {
    return FfiConverterTypeFileChangeKind.lower(value)
}



/**
 * What went wrong with a file.
 */

public enum FileErrorKind: Equatable, Hashable {

    /**
     * It does not exist.
     */
    case notFound
    /**
     * The user may not do this.
     */
    case permissionDenied
    /**
     * It exists.
     */
    case alreadyExists
    /**
     * It is a directory.
     */
    case isADirectory
    /**
     * It is no directory.
     */
    case notADirectory
    /**
     * The directory has something in it.
     */
    case notEmpty
    /**
     * Links lead in a circle.
     */
    case tooManyLinks
    /**
     * The name is too long.
     */
    case nameTooLong
    /**
     * The disk is full.
     */
    case noSpace
    /**
     * The filesystem is read-only.
     */
    case readOnly
    /**
     * The path cannot be one.
     */
    case invalidPath
    /**
     * It is too large.
     */
    case tooLarge
    /**
     * It is in use.
     */
    case busy
    /**
     * The two places are on different filesystems.
     */
    case crossDevice
    /**
     * Something else.
     */
    case other





}

#if compiler(>=6)
extension FileErrorKind: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeFileErrorKind: FfiConverterRustBuffer {
    typealias SwiftType = FileErrorKind

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> FileErrorKind {
        let variant: Int32 = try readInt(&buf)
        switch variant {

        case 1: return .notFound

        case 2: return .permissionDenied

        case 3: return .alreadyExists

        case 4: return .isADirectory

        case 5: return .notADirectory

        case 6: return .notEmpty

        case 7: return .tooManyLinks

        case 8: return .nameTooLong

        case 9: return .noSpace

        case 10: return .readOnly

        case 11: return .invalidPath

        case 12: return .tooLarge

        case 13: return .busy

        case 14: return .crossDevice

        case 15: return .other

        default: throw UniffiInternalError.unexpectedEnumCase
        }
    }

    public static func write(_ value: FileErrorKind, into buf: inout [UInt8]) {
        switch value {


        case .notFound:
            writeInt(&buf, Int32(1))


        case .permissionDenied:
            writeInt(&buf, Int32(2))


        case .alreadyExists:
            writeInt(&buf, Int32(3))


        case .isADirectory:
            writeInt(&buf, Int32(4))


        case .notADirectory:
            writeInt(&buf, Int32(5))


        case .notEmpty:
            writeInt(&buf, Int32(6))


        case .tooManyLinks:
            writeInt(&buf, Int32(7))


        case .nameTooLong:
            writeInt(&buf, Int32(8))


        case .noSpace:
            writeInt(&buf, Int32(9))


        case .readOnly:
            writeInt(&buf, Int32(10))


        case .invalidPath:
            writeInt(&buf, Int32(11))


        case .tooLarge:
            writeInt(&buf, Int32(12))


        case .busy:
            writeInt(&buf, Int32(13))


        case .crossDevice:
            writeInt(&buf, Int32(14))


        case .other:
            writeInt(&buf, Int32(15))

        }
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeFileErrorKind_lift(_ buf: RustBuffer) throws -> FileErrorKind {
    return try FfiConverterTypeFileErrorKind.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeFileErrorKind_lower(_ value: FileErrorKind) -> RustBuffer {
    return FfiConverterTypeFileErrorKind.lower(value)
}



/**
 * What a path names.
 */

public enum FileKind: Equatable, Hashable {

    /**
     * A regular file.
     */
    case file
    /**
     * A directory.
     */
    case directory
    /**
     * A symbolic link.
     */
    case symlink
    /**
     * A device, socket or pipe.
     */
    case other





}

#if compiler(>=6)
extension FileKind: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeFileKind: FfiConverterRustBuffer {
    typealias SwiftType = FileKind

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> FileKind {
        let variant: Int32 = try readInt(&buf)
        switch variant {

        case 1: return .file

        case 2: return .directory

        case 3: return .symlink

        case 4: return .other

        default: throw UniffiInternalError.unexpectedEnumCase
        }
    }

    public static func write(_ value: FileKind, into buf: inout [UInt8]) {
        switch value {


        case .file:
            writeInt(&buf, Int32(1))


        case .directory:
            writeInt(&buf, Int32(2))


        case .symlink:
            writeInt(&buf, Int32(3))


        case .other:
            writeInt(&buf, Int32(4))

        }
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeFileKind_lift(_ buf: RustBuffer) throws -> FileKind {
    return try FfiConverterTypeFileKind.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeFileKind_lower(_ value: FileKind) -> RustBuffer {
    return FfiConverterTypeFileKind.lower(value)
}



/**
 * What separates a sandbox from the machine, from the weakest to the strongest.
 */

public enum Isolation: Equatable, Hashable {

    /**
     * Nothing.
     */
    case nothing
    /**
     * Restrictions on ordinary processes.
     */
    case process
    /**
     * Namespaces and a filter of system calls, on the machine's own kernel.
     */
    case container
    /**
     * A kernel in user space between it and the machine's own.
     */
    case gvisor
    /**
     * A virtual machine with its own kernel.
     */
    case vm





}

#if compiler(>=6)
extension Isolation: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeIsolation: FfiConverterRustBuffer {
    typealias SwiftType = Isolation

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> Isolation {
        let variant: Int32 = try readInt(&buf)
        switch variant {

        case 1: return .nothing

        case 2: return .process

        case 3: return .container

        case 4: return .gvisor

        case 5: return .vm

        default: throw UniffiInternalError.unexpectedEnumCase
        }
    }

    public static func write(_ value: Isolation, into buf: inout [UInt8]) {
        switch value {


        case .nothing:
            writeInt(&buf, Int32(1))


        case .process:
            writeInt(&buf, Int32(2))


        case .container:
            writeInt(&buf, Int32(3))


        case .gvisor:
            writeInt(&buf, Int32(4))


        case .vm:
            writeInt(&buf, Int32(5))

        }
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeIsolation_lift(_ buf: RustBuffer) throws -> Isolation {
    return try FfiConverterTypeIsolation.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeIsolation_lower(_ value: Isolation) -> RustBuffer {
    return FfiConverterTypeIsolation.lower(value)
}



/**
 * How long something may exist.
 */

public enum Lifetime: Equatable, Hashable {

    /**
     * It never ends by itself.
     */
    case never
    /**
     * It ends after that long.
     */
    case after(
        /**
         * How many seconds.
         */seconds: Double
    )





}

#if compiler(>=6)
extension Lifetime: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeLifetime: FfiConverterRustBuffer {
    typealias SwiftType = Lifetime

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> Lifetime {
        let variant: Int32 = try readInt(&buf)
        switch variant {

        case 1: return .never

        case 2: return .after(seconds: try FfiConverterDouble.read(from: &buf)
        )

        default: throw UniffiInternalError.unexpectedEnumCase
        }
    }

    public static func write(_ value: Lifetime, into buf: inout [UInt8]) {
        switch value {


        case .never:
            writeInt(&buf, Int32(1))


        case let .after(seconds):
            writeInt(&buf, Int32(2))
            FfiConverterDouble.write(seconds, into: &buf)

        }
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeLifetime_lift(_ buf: RustBuffer) throws -> Lifetime {
    return try FfiConverterTypeLifetime.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeLifetime_lower(_ value: Lifetime) -> RustBuffer {
    return FfiConverterTypeLifetime.lower(value)
}



/**
 * A limit that was reached.
 */

public enum LimitKind: Equatable, Hashable {

    /**
     * Memory: something was killed.
     */
    case memory
    /**
     * Processes: a fork failed.
     */
    case pids
    /**
     * Disk: a write failed.
     */
    case disk
    /**
     * Output: bytes were omitted.
     */
    case output
    /**
     * Something of a newer version.
     */
    case unknown





}

#if compiler(>=6)
extension LimitKind: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeLimitKind: FfiConverterRustBuffer {
    typealias SwiftType = LimitKind

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> LimitKind {
        let variant: Int32 = try readInt(&buf)
        switch variant {

        case 1: return .memory

        case 2: return .pids

        case 3: return .disk

        case 4: return .output

        case 5: return .unknown

        default: throw UniffiInternalError.unexpectedEnumCase
        }
    }

    public static func write(_ value: LimitKind, into buf: inout [UInt8]) {
        switch value {


        case .memory:
            writeInt(&buf, Int32(1))


        case .pids:
            writeInt(&buf, Int32(2))


        case .disk:
            writeInt(&buf, Int32(3))


        case .output:
            writeInt(&buf, Int32(4))


        case .unknown:
            writeInt(&buf, Int32(5))

        }
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeLimitKind_lift(_ buf: RustBuffer) throws -> LimitKind {
    return try FfiConverterTypeLimitKind.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeLimitKind_lower(_ value: LimitKind) -> RustBuffer {
    return FfiConverterTypeLimitKind.lower(value)
}



/**
 * Something that is mounted in a sandbox.
 */

public enum Mount: Equatable, Hashable {

    /**
     * A directory or file of this machine. Files that the sandbox makes in it belong to the caller.
     */
    case bind(
        /**
         * Which.
         */sourceBytes: Data,
        /**
         * Where in the sandbox, absolute.
         */targetBytes: Data,
        /**
         * Whether nothing can be written.
         */readOnly: Bool
    )
    /**
     * A filesystem in memory.
     */
    case tmpfs(
        /**
         * Where in the sandbox, absolute.
         */targetBytes: Data,
        /**
         * Its size at most; the provider's default when left out.
         */size: Size?,
        /**
         * Its permission bits; 0o1777 when left out.
         */mode: UInt32?
    )





}

#if compiler(>=6)
extension Mount: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeMount: FfiConverterRustBuffer {
    typealias SwiftType = Mount

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> Mount {
        let variant: Int32 = try readInt(&buf)
        switch variant {

        case 1: return .bind(sourceBytes: try FfiConverterData.read(from: &buf), targetBytes: try FfiConverterData.read(from: &buf), readOnly: try FfiConverterBool.read(from: &buf)
        )

        case 2: return .tmpfs(targetBytes: try FfiConverterData.read(from: &buf), size: try FfiConverterOptionTypeSize.read(from: &buf), mode: try FfiConverterOptionUInt32.read(from: &buf)
        )

        default: throw UniffiInternalError.unexpectedEnumCase
        }
    }

    public static func write(_ value: Mount, into buf: inout [UInt8]) {
        switch value {


        case let .bind(sourceBytes,targetBytes,readOnly):
            writeInt(&buf, Int32(1))
            FfiConverterData.write(sourceBytes, into: &buf)
            FfiConverterData.write(targetBytes, into: &buf)
            FfiConverterBool.write(readOnly, into: &buf)


        case let .tmpfs(targetBytes,size,mode):
            writeInt(&buf, Int32(2))
            FfiConverterData.write(targetBytes, into: &buf)
            FfiConverterOptionTypeSize.write(size, into: &buf)
            FfiConverterOptionUInt32.write(mode, into: &buf)

        }
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeMount_lift(_ buf: RustBuffer) throws -> Mount {
    return try FfiConverterTypeMount.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeMount_lower(_ value: Mount) -> RustBuffer {
    return FfiConverterTypeMount.lower(value)
}



/**
 * Which users a namespace sandbox can have beside its root.
 */

public enum NamespaceUsers: Equatable, Hashable {

    /**
     * As many as there can be and are needed.
     */
    case auto
    /**
     * Its root alone.
     */
    case single
    /**
     * 0 to 65535; refused where that cannot be.
     */
    case range





}

#if compiler(>=6)
extension NamespaceUsers: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeNamespaceUsers: FfiConverterRustBuffer {
    typealias SwiftType = NamespaceUsers

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> NamespaceUsers {
        let variant: Int32 = try readInt(&buf)
        switch variant {

        case 1: return .auto

        case 2: return .single

        case 3: return .range

        default: throw UniffiInternalError.unexpectedEnumCase
        }
    }

    public static func write(_ value: NamespaceUsers, into buf: inout [UInt8]) {
        switch value {


        case .auto:
            writeInt(&buf, Int32(1))


        case .single:
            writeInt(&buf, Int32(2))


        case .range:
            writeInt(&buf, Int32(3))

        }
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeNamespaceUsers_lift(_ buf: RustBuffer) throws -> NamespaceUsers {
    return try FfiConverterTypeNamespaceUsers.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeNamespaceUsers_lower(_ value: NamespaceUsers) -> RustBuffer {
    return FfiConverterTypeNamespaceUsers.lower(value)
}



/**
 * What a sandbox may reach.
 */

public enum NetworkPolicy: Equatable, Hashable {

    /**
     * Nothing but itself.
     */
    case nothing
    /**
     * Everything that the machine reaches.
     */
    case `public`
    /**
     * What the rules say, and nothing else.
     */
    case allow(
        /**
         * Host names, `*.` and a name for all below it, addresses and networks, each with a port where only that is meant, such as
         * `example.org`, `*.example.com:443`, `10.0.0.0/8` or `[2001:db8::/32]:443`.
         */allow: [String],
        /**
         * What is not, although a rule allows it.
         */deny: [String],
        /**
         * The addresses of name servers to ask; the machine's by default.
         */dns: [String]
    )
    /**
     * What the backend does when nothing is said.
     */
    case providerDefault





}

#if compiler(>=6)
extension NetworkPolicy: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeNetworkPolicy: FfiConverterRustBuffer {
    typealias SwiftType = NetworkPolicy

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> NetworkPolicy {
        let variant: Int32 = try readInt(&buf)
        switch variant {

        case 1: return .nothing

        case 2: return .`public`

        case 3: return .allow(allow: try FfiConverterSequenceString.read(from: &buf), deny: try FfiConverterSequenceString.read(from: &buf), dns: try FfiConverterSequenceString.read(from: &buf)
        )

        case 4: return .providerDefault

        default: throw UniffiInternalError.unexpectedEnumCase
        }
    }

    public static func write(_ value: NetworkPolicy, into buf: inout [UInt8]) {
        switch value {


        case .nothing:
            writeInt(&buf, Int32(1))


        case .`public`:
            writeInt(&buf, Int32(2))


        case let .allow(allow,deny,dns):
            writeInt(&buf, Int32(3))
            FfiConverterSequenceString.write(allow, into: &buf)
            FfiConverterSequenceString.write(deny, into: &buf)
            FfiConverterSequenceString.write(dns, into: &buf)


        case .providerDefault:
            writeInt(&buf, Int32(4))

        }
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeNetworkPolicy_lift(_ buf: RustBuffer) throws -> NetworkPolicy {
    return try FfiConverterTypeNetworkPolicy.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeNetworkPolicy_lower(_ value: NetworkPolicy) -> RustBuffer {
    return FfiConverterTypeNetworkPolicy.lower(value)
}



/**
 * What comes out of a command while it runs.
 */

public enum OutputEvent: Equatable, Hashable {

    /**
     * Bytes of stdout or the terminal.
     */
    case stdout(
        /**
         * At least one.
         */data: Data
    )
    /**
     * Bytes of stderr.
     */
    case stderr(
        /**
         * At least one.
         */data: Data
    )
    /**
     * Bytes that are not kept any more, or that a transport lost.
     */
    case gap(
        /**
         * How many.
         */bytes: UInt64,
        /**
         * Whether they were of stderr.
         */ofStderr: Bool
    )
    /**
     * The command has ended and all its output has come.
     */
    case exited(
        /**
         * How.
         */exit: Exit
    )





}

#if compiler(>=6)
extension OutputEvent: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeOutputEvent: FfiConverterRustBuffer {
    typealias SwiftType = OutputEvent

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> OutputEvent {
        let variant: Int32 = try readInt(&buf)
        switch variant {

        case 1: return .stdout(data: try FfiConverterData.read(from: &buf)
        )

        case 2: return .stderr(data: try FfiConverterData.read(from: &buf)
        )

        case 3: return .gap(bytes: try FfiConverterUInt64.read(from: &buf), ofStderr: try FfiConverterBool.read(from: &buf)
        )

        case 4: return .exited(exit: try FfiConverterTypeExit.read(from: &buf)
        )

        default: throw UniffiInternalError.unexpectedEnumCase
        }
    }

    public static func write(_ value: OutputEvent, into buf: inout [UInt8]) {
        switch value {


        case let .stdout(data):
            writeInt(&buf, Int32(1))
            FfiConverterData.write(data, into: &buf)


        case let .stderr(data):
            writeInt(&buf, Int32(2))
            FfiConverterData.write(data, into: &buf)


        case let .gap(bytes,ofStderr):
            writeInt(&buf, Int32(3))
            FfiConverterUInt64.write(bytes, into: &buf)
            FfiConverterBool.write(ofStderr, into: &buf)


        case let .exited(exit):
            writeInt(&buf, Int32(4))
            FfiConverterTypeExit.write(exit, into: &buf)

        }
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeOutputEvent_lift(_ buf: RustBuffer) throws -> OutputEvent {
    return try FfiConverterTypeOutputEvent.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeOutputEvent_lower(_ value: OutputEvent) -> RustBuffer {
    return FfiConverterTypeOutputEvent.lower(value)
}



/**
 * What to run.
 */

public enum Program: Equatable, Hashable {

    /**
     * A program and its arguments, as they are. No shell is involved.
     */
    case list(
        /**
         * The program, and its arguments.
         */words: [Data]
    )
    /**
     * A script for `sh -c`.
     */
    case script(
        /**
         * Its text.
         */text: Data
    )





}

#if compiler(>=6)
extension Program: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeProgram: FfiConverterRustBuffer {
    typealias SwiftType = Program

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> Program {
        let variant: Int32 = try readInt(&buf)
        switch variant {

        case 1: return .list(words: try FfiConverterSequenceData.read(from: &buf)
        )

        case 2: return .script(text: try FfiConverterData.read(from: &buf)
        )

        default: throw UniffiInternalError.unexpectedEnumCase
        }
    }

    public static func write(_ value: Program, into buf: inout [UInt8]) {
        switch value {


        case let .list(words):
            writeInt(&buf, Int32(1))
            FfiConverterSequenceData.write(words, into: &buf)


        case let .script(text):
            writeInt(&buf, Int32(2))
            FfiConverterData.write(text, into: &buf)

        }
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeProgram_lift(_ buf: RustBuffer) throws -> Program {
    return try FfiConverterTypeProgram.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeProgram_lower(_ value: Program) -> RustBuffer {
    return FfiConverterTypeProgram.lower(value)
}



/**
 * What progress counts.
 */

public enum ProgressUnit: Equatable, Hashable {

    /**
     * Bytes.
     */
    case bytes
    /**
     * Things, such as layers.
     */
    case items
    /**
     * Steps.
     */
    case steps
    /**
     * Hundredths.
     */
    case percent
    /**
     * Something of a newer version.
     */
    case unknown





}

#if compiler(>=6)
extension ProgressUnit: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeProgressUnit: FfiConverterRustBuffer {
    typealias SwiftType = ProgressUnit

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> ProgressUnit {
        let variant: Int32 = try readInt(&buf)
        switch variant {

        case 1: return .bytes

        case 2: return .items

        case 3: return .steps

        case 4: return .percent

        case 5: return .unknown

        default: throw UniffiInternalError.unexpectedEnumCase
        }
    }

    public static func write(_ value: ProgressUnit, into buf: inout [UInt8]) {
        switch value {


        case .bytes:
            writeInt(&buf, Int32(1))


        case .items:
            writeInt(&buf, Int32(2))


        case .steps:
            writeInt(&buf, Int32(3))


        case .percent:
            writeInt(&buf, Int32(4))


        case .unknown:
            writeInt(&buf, Int32(5))

        }
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeProgressUnit_lift(_ buf: RustBuffer) throws -> ProgressUnit {
    return try FfiConverterTypeProgressUnit.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeProgressUnit_lower(_ value: ProgressUnit) -> RustBuffer {
    return FfiConverterTypeProgressUnit.lower(value)
}



/**
 * When an image is fetched.
 */

public enum PullPolicy: Equatable, Hashable {

    /**
     * When it is not there.
     */
    case missing
    /**
     * Always, when the registry has another one.
     */
    case always
    /**
     * Never.
     */
    case never





}

#if compiler(>=6)
extension PullPolicy: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypePullPolicy: FfiConverterRustBuffer {
    typealias SwiftType = PullPolicy

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> PullPolicy {
        let variant: Int32 = try readInt(&buf)
        switch variant {

        case 1: return .missing

        case 2: return .always

        case 3: return .never

        default: throw UniffiInternalError.unexpectedEnumCase
        }
    }

    public static func write(_ value: PullPolicy, into buf: inout [UInt8]) {
        switch value {


        case .missing:
            writeInt(&buf, Int32(1))


        case .always:
            writeInt(&buf, Int32(2))


        case .never:
            writeInt(&buf, Int32(3))

        }
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypePullPolicy_lift(_ buf: RustBuffer) throws -> PullPolicy {
    return try FfiConverterTypePullPolicy.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypePullPolicy_lower(_ value: PullPolicy) -> RustBuffer {
    return FfiConverterTypePullPolicy.lower(value)
}



/**
 * What a sandbox is doing.
 */

public enum SandboxState: Equatable, Hashable {

    /**
     * It is being made.
     */
    case creating
    /**
     * It is being started.
     */
    case starting
    /**
     * It accepts commands.
     */
    case running
    /**
     * It is being stopped.
     */
    case stopping
    /**
     * It is stopped; its files are kept.
     */
    case stopped
    /**
     * It is being frozen.
     */
    case pausing
    /**
     * It is frozen; its memory is kept.
     */
    case paused
    /**
     * It is being thawed.
     */
    case resuming
    /**
     * It is being archived.
     */
    case archiving
    /**
     * It is archived.
     */
    case archived
    /**
     * It is being brought back.
     */
    case restoring
    /**
     * Its limits are being changed.
     */
    case resizing
    /**
     * A copy of it is being made.
     */
    case forking
    /**
     * A snapshot of it is being made.
     */
    case snapshotting
    /**
     * It is being removed.
     */
    case deleting
    /**
     * It is gone.
     */
    case deleted
    /**
     * Something failed.
     */
    case error
    /**
     * Nobody can tell.
     */
    case unknown





}

#if compiler(>=6)
extension SandboxState: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeSandboxState: FfiConverterRustBuffer {
    typealias SwiftType = SandboxState

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> SandboxState {
        let variant: Int32 = try readInt(&buf)
        switch variant {

        case 1: return .creating

        case 2: return .starting

        case 3: return .running

        case 4: return .stopping

        case 5: return .stopped

        case 6: return .pausing

        case 7: return .paused

        case 8: return .resuming

        case 9: return .archiving

        case 10: return .archived

        case 11: return .restoring

        case 12: return .resizing

        case 13: return .forking

        case 14: return .snapshotting

        case 15: return .deleting

        case 16: return .deleted

        case 17: return .error

        case 18: return .unknown

        default: throw UniffiInternalError.unexpectedEnumCase
        }
    }

    public static func write(_ value: SandboxState, into buf: inout [UInt8]) {
        switch value {


        case .creating:
            writeInt(&buf, Int32(1))


        case .starting:
            writeInt(&buf, Int32(2))


        case .running:
            writeInt(&buf, Int32(3))


        case .stopping:
            writeInt(&buf, Int32(4))


        case .stopped:
            writeInt(&buf, Int32(5))


        case .pausing:
            writeInt(&buf, Int32(6))


        case .paused:
            writeInt(&buf, Int32(7))


        case .resuming:
            writeInt(&buf, Int32(8))


        case .archiving:
            writeInt(&buf, Int32(9))


        case .archived:
            writeInt(&buf, Int32(10))


        case .restoring:
            writeInt(&buf, Int32(11))


        case .resizing:
            writeInt(&buf, Int32(12))


        case .forking:
            writeInt(&buf, Int32(13))


        case .snapshotting:
            writeInt(&buf, Int32(14))


        case .deleting:
            writeInt(&buf, Int32(15))


        case .deleted:
            writeInt(&buf, Int32(16))


        case .error:
            writeInt(&buf, Int32(17))


        case .unknown:
            writeInt(&buf, Int32(18))

        }
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeSandboxState_lift(_ buf: RustBuffer) throws -> SandboxState {
    return try FfiConverterTypeSandboxState.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeSandboxState_lower(_ value: SandboxState) -> RustBuffer {
    return FfiConverterTypeSandboxState.lower(value)
}



/**
 * What is taken out of output before it is delivered, captured and counted.
 */

public enum Sanitize: Equatable, Hashable {

    /**
     * Nothing.
     */
    case raw
    /**
     * ANSI escape sequences.
     */
    case stripAnsi
    /**
     * ANSI escape sequences and all control characters but line feed and tab.
     */
    case stripAll





}

#if compiler(>=6)
extension Sanitize: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeSanitize: FfiConverterRustBuffer {
    typealias SwiftType = Sanitize

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> Sanitize {
        let variant: Int32 = try readInt(&buf)
        switch variant {

        case 1: return .raw

        case 2: return .stripAnsi

        case 3: return .stripAll

        default: throw UniffiInternalError.unexpectedEnumCase
        }
    }

    public static func write(_ value: Sanitize, into buf: inout [UInt8]) {
        switch value {


        case .raw:
            writeInt(&buf, Int32(1))


        case .stripAnsi:
            writeInt(&buf, Int32(2))


        case .stripAll:
            writeInt(&buf, Int32(3))

        }
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeSanitize_lift(_ buf: RustBuffer) throws -> Sanitize {
    return try FfiConverterTypeSanitize.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeSanitize_lower(_ value: Sanitize) -> RustBuffer {
    return FfiConverterTypeSanitize.lower(value)
}



/**
 * How a secret gets to whom it is for.
 */

public enum SecretDelivery: Equatable, Hashable {

    /**
     * The sandbox sees a placeholder; outside of it the value replaces it in requests to these hosts, and to no other.
     */
    case hosts(
        /**
         * Host names, exact or with a leading `*.`; at least one.
         */hosts: [String]
    )
    /**
     * The sandbox sees the value.
     */
    case exposed
    /**
     * The sandbox sees a file that only its user can read.
     */
    case file(
        /**
         * Where, absolute.
         */pathBytes: Data
    )





}

#if compiler(>=6)
extension SecretDelivery: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeSecretDelivery: FfiConverterRustBuffer {
    typealias SwiftType = SecretDelivery

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> SecretDelivery {
        let variant: Int32 = try readInt(&buf)
        switch variant {

        case 1: return .hosts(hosts: try FfiConverterSequenceString.read(from: &buf)
        )

        case 2: return .exposed

        case 3: return .file(pathBytes: try FfiConverterData.read(from: &buf)
        )

        default: throw UniffiInternalError.unexpectedEnumCase
        }
    }

    public static func write(_ value: SecretDelivery, into buf: inout [UInt8]) {
        switch value {


        case let .hosts(hosts):
            writeInt(&buf, Int32(1))
            FfiConverterSequenceString.write(hosts, into: &buf)


        case .exposed:
            writeInt(&buf, Int32(2))


        case let .file(pathBytes):
            writeInt(&buf, Int32(3))
            FfiConverterData.write(pathBytes, into: &buf)

        }
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeSecretDelivery_lift(_ buf: RustBuffer) throws -> SecretDelivery {
    return try FfiConverterTypeSecretDelivery.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeSecretDelivery_lower(_ value: SecretDelivery) -> RustBuffer {
    return FfiConverterTypeSecretDelivery.lower(value)
}



/**
 * Whom a signal goes to.
 */

public enum SignalTarget: Equatable, Hashable {

    /**
     * Everything that came out of the command.
     */
    case tree
    /**
     * The process that was started.
     */
    case leader





}

#if compiler(>=6)
extension SignalTarget: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeSignalTarget: FfiConverterRustBuffer {
    typealias SwiftType = SignalTarget

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> SignalTarget {
        let variant: Int32 = try readInt(&buf)
        switch variant {

        case 1: return .tree

        case 2: return .leader

        default: throw UniffiInternalError.unexpectedEnumCase
        }
    }

    public static func write(_ value: SignalTarget, into buf: inout [UInt8]) {
        switch value {


        case .tree:
            writeInt(&buf, Int32(1))


        case .leader:
            writeInt(&buf, Int32(2))

        }
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeSignalTarget_lift(_ buf: RustBuffer) throws -> SignalTarget {
    return try FfiConverterTypeSignalTarget.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeSignalTarget_lower(_ value: SignalTarget) -> RustBuffer {
    return FfiConverterTypeSignalTarget.lower(value)
}



/**
 * A size in bytes: a number, or a text such as `512m` or `1.5g` with powers of 1024.
 */

public enum Size: Equatable, Hashable {

    /**
     * That many bytes.
     */
    case bytes(
        /**
         * How many.
         */count: UInt64
    )
    /**
     * As people write it.
     */
    case text(
        /**
         * Such as `512m`.
         */text: String
    )





}

#if compiler(>=6)
extension Size: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeSize: FfiConverterRustBuffer {
    typealias SwiftType = Size

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> Size {
        let variant: Int32 = try readInt(&buf)
        switch variant {

        case 1: return .bytes(count: try FfiConverterUInt64.read(from: &buf)
        )

        case 2: return .text(text: try FfiConverterString.read(from: &buf)
        )

        default: throw UniffiInternalError.unexpectedEnumCase
        }
    }

    public static func write(_ value: Size, into buf: inout [UInt8]) {
        switch value {


        case let .bytes(count):
            writeInt(&buf, Int32(1))
            FfiConverterUInt64.write(count, into: &buf)


        case let .text(text):
            writeInt(&buf, Int32(2))
            FfiConverterString.write(text, into: &buf)

        }
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeSize_lift(_ buf: RustBuffer) throws -> Size {
    return try FfiConverterTypeSize.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeSize_lower(_ value: Size) -> RustBuffer {
    return FfiConverterTypeSize.lower(value)
}



/**
 * What a snapshot is doing.
 */

public enum SnapshotState: Equatable, Hashable {

    /**
     * It is being made.
     */
    case building
    /**
     * Sandboxes can be made from it.
     */
    case active
    /**
     * It has to be activated first.
     */
    case inactive
    /**
     * Making it failed.
     */
    case error
    /**
     * It is being removed.
     */
    case deleting
    /**
     * It is gone.
     */
    case deleted
    /**
     * Nobody can tell.
     */
    case unknown





}

#if compiler(>=6)
extension SnapshotState: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeSnapshotState: FfiConverterRustBuffer {
    typealias SwiftType = SnapshotState

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> SnapshotState {
        let variant: Int32 = try readInt(&buf)
        switch variant {

        case 1: return .building

        case 2: return .active

        case 3: return .inactive

        case 4: return .error

        case 5: return .deleting

        case 6: return .deleted

        case 7: return .unknown

        default: throw UniffiInternalError.unexpectedEnumCase
        }
    }

    public static func write(_ value: SnapshotState, into buf: inout [UInt8]) {
        switch value {


        case .building:
            writeInt(&buf, Int32(1))


        case .active:
            writeInt(&buf, Int32(2))


        case .inactive:
            writeInt(&buf, Int32(3))


        case .error:
            writeInt(&buf, Int32(4))


        case .deleting:
            writeInt(&buf, Int32(5))


        case .deleted:
            writeInt(&buf, Int32(6))


        case .unknown:
            writeInt(&buf, Int32(7))

        }
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeSnapshotState_lift(_ buf: RustBuffer) throws -> SnapshotState {
    return try FfiConverterTypeSnapshotState.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeSnapshotState_lower(_ value: SnapshotState) -> RustBuffer {
    return FfiConverterTypeSnapshotState.lower(value)
}



/**
 * What ended a command.
 */

public enum Termination: Equatable, Hashable {

    /**
     * It exited by itself.
     */
    case exited
    /**
     * A signal ended it that this call did not send.
     */
    case signalled
    /**
     * Its timeout.
     */
    case timedOut
    /**
     * The caller stopped it, or went away.
     */
    case cancelled
    /**
     * The caller killed it, or its grace ran out after a stop.
     */
    case killed
    /**
     * Nobody can tell.
     */
    case unknown





}

#if compiler(>=6)
extension Termination: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeTermination: FfiConverterRustBuffer {
    typealias SwiftType = Termination

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> Termination {
        let variant: Int32 = try readInt(&buf)
        switch variant {

        case 1: return .exited

        case 2: return .signalled

        case 3: return .timedOut

        case 4: return .cancelled

        case 5: return .killed

        case 6: return .unknown

        default: throw UniffiInternalError.unexpectedEnumCase
        }
    }

    public static func write(_ value: Termination, into buf: inout [UInt8]) {
        switch value {


        case .exited:
            writeInt(&buf, Int32(1))


        case .signalled:
            writeInt(&buf, Int32(2))


        case .timedOut:
            writeInt(&buf, Int32(3))


        case .cancelled:
            writeInt(&buf, Int32(4))


        case .killed:
            writeInt(&buf, Int32(5))


        case .unknown:
            writeInt(&buf, Int32(6))

        }
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeTermination_lift(_ buf: RustBuffer) throws -> Termination {
    return try FfiConverterTypeTermination.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeTermination_lower(_ value: Termination) -> RustBuffer {
    return FfiConverterTypeTermination.lower(value)
}



/**
 * What a volume is doing.
 */

public enum VolumeState: Equatable, Hashable {

    /**
     * It is being made.
     */
    case creating
    /**
     * It can be mounted.
     */
    case ready
    /**
     * It is being removed.
     */
    case deleting
    /**
     * It is gone.
     */
    case deleted
    /**
     * Something failed.
     */
    case error
    /**
     * Nobody can tell.
     */
    case unknown





}

#if compiler(>=6)
extension VolumeState: Sendable {}
#endif

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public struct FfiConverterTypeVolumeState: FfiConverterRustBuffer {
    typealias SwiftType = VolumeState

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> VolumeState {
        let variant: Int32 = try readInt(&buf)
        switch variant {

        case 1: return .creating

        case 2: return .ready

        case 3: return .deleting

        case 4: return .deleted

        case 5: return .error

        case 6: return .unknown

        default: throw UniffiInternalError.unexpectedEnumCase
        }
    }

    public static func write(_ value: VolumeState, into buf: inout [UInt8]) {
        switch value {


        case .creating:
            writeInt(&buf, Int32(1))


        case .ready:
            writeInt(&buf, Int32(2))


        case .deleting:
            writeInt(&buf, Int32(3))


        case .deleted:
            writeInt(&buf, Int32(4))


        case .error:
            writeInt(&buf, Int32(5))


        case .unknown:
            writeInt(&buf, Int32(6))

        }
    }
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeVolumeState_lift(_ buf: RustBuffer) throws -> VolumeState {
    return try FfiConverterTypeVolumeState.lift(buf)
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
public func FfiConverterTypeVolumeState_lower(_ value: VolumeState) -> RustBuffer {
    return FfiConverterTypeVolumeState.lower(value)
}


#if swift(>=5.8)
@_documentation(visibility: private)
#endif
fileprivate struct FfiConverterOptionUInt16: FfiConverterRustBuffer {
    typealias SwiftType = UInt16?

    public static func write(_ value: SwiftType, into buf: inout [UInt8]) {
        guard let value = value else {
            writeInt(&buf, Int8(0))
            return
        }
        writeInt(&buf, Int8(1))
        FfiConverterUInt16.write(value, into: &buf)
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> SwiftType {
        switch try readInt(&buf) as Int8 {
        case 0: return nil
        case 1: return try FfiConverterUInt16.read(from: &buf)
        default: throw UniffiInternalError.unexpectedOptionalTag
        }
    }
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
fileprivate struct FfiConverterOptionUInt32: FfiConverterRustBuffer {
    typealias SwiftType = UInt32?

    public static func write(_ value: SwiftType, into buf: inout [UInt8]) {
        guard let value = value else {
            writeInt(&buf, Int8(0))
            return
        }
        writeInt(&buf, Int8(1))
        FfiConverterUInt32.write(value, into: &buf)
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> SwiftType {
        switch try readInt(&buf) as Int8 {
        case 0: return nil
        case 1: return try FfiConverterUInt32.read(from: &buf)
        default: throw UniffiInternalError.unexpectedOptionalTag
        }
    }
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
fileprivate struct FfiConverterOptionInt32: FfiConverterRustBuffer {
    typealias SwiftType = Int32?

    public static func write(_ value: SwiftType, into buf: inout [UInt8]) {
        guard let value = value else {
            writeInt(&buf, Int8(0))
            return
        }
        writeInt(&buf, Int8(1))
        FfiConverterInt32.write(value, into: &buf)
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> SwiftType {
        switch try readInt(&buf) as Int8 {
        case 0: return nil
        case 1: return try FfiConverterInt32.read(from: &buf)
        default: throw UniffiInternalError.unexpectedOptionalTag
        }
    }
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
fileprivate struct FfiConverterOptionUInt64: FfiConverterRustBuffer {
    typealias SwiftType = UInt64?

    public static func write(_ value: SwiftType, into buf: inout [UInt8]) {
        guard let value = value else {
            writeInt(&buf, Int8(0))
            return
        }
        writeInt(&buf, Int8(1))
        FfiConverterUInt64.write(value, into: &buf)
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> SwiftType {
        switch try readInt(&buf) as Int8 {
        case 0: return nil
        case 1: return try FfiConverterUInt64.read(from: &buf)
        default: throw UniffiInternalError.unexpectedOptionalTag
        }
    }
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
fileprivate struct FfiConverterOptionDouble: FfiConverterRustBuffer {
    typealias SwiftType = Double?

    public static func write(_ value: SwiftType, into buf: inout [UInt8]) {
        guard let value = value else {
            writeInt(&buf, Int8(0))
            return
        }
        writeInt(&buf, Int8(1))
        FfiConverterDouble.write(value, into: &buf)
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> SwiftType {
        switch try readInt(&buf) as Int8 {
        case 0: return nil
        case 1: return try FfiConverterDouble.read(from: &buf)
        default: throw UniffiInternalError.unexpectedOptionalTag
        }
    }
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
fileprivate struct FfiConverterOptionString: FfiConverterRustBuffer {
    typealias SwiftType = String?

    public static func write(_ value: SwiftType, into buf: inout [UInt8]) {
        guard let value = value else {
            writeInt(&buf, Int8(0))
            return
        }
        writeInt(&buf, Int8(1))
        FfiConverterString.write(value, into: &buf)
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> SwiftType {
        switch try readInt(&buf) as Int8 {
        case 0: return nil
        case 1: return try FfiConverterString.read(from: &buf)
        default: throw UniffiInternalError.unexpectedOptionalTag
        }
    }
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
fileprivate struct FfiConverterOptionData: FfiConverterRustBuffer {
    typealias SwiftType = Data?

    public static func write(_ value: SwiftType, into buf: inout [UInt8]) {
        guard let value = value else {
            writeInt(&buf, Int8(0))
            return
        }
        writeInt(&buf, Int8(1))
        FfiConverterData.write(value, into: &buf)
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> SwiftType {
        switch try readInt(&buf) as Int8 {
        case 0: return nil
        case 1: return try FfiConverterData.read(from: &buf)
        default: throw UniffiInternalError.unexpectedOptionalTag
        }
    }
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
fileprivate struct FfiConverterOptionTimestamp: FfiConverterRustBuffer {
    typealias SwiftType = Date?

    public static func write(_ value: SwiftType, into buf: inout [UInt8]) {
        guard let value = value else {
            writeInt(&buf, Int8(0))
            return
        }
        writeInt(&buf, Int8(1))
        FfiConverterTimestamp.write(value, into: &buf)
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> SwiftType {
        switch try readInt(&buf) as Int8 {
        case 0: return nil
        case 1: return try FfiConverterTimestamp.read(from: &buf)
        default: throw UniffiInternalError.unexpectedOptionalTag
        }
    }
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
fileprivate struct FfiConverterOptionTypeCreateOptions: FfiConverterRustBuffer {
    typealias SwiftType = CreateOptions?

    public static func write(_ value: SwiftType, into buf: inout [UInt8]) {
        guard let value = value else {
            writeInt(&buf, Int8(0))
            return
        }
        writeInt(&buf, Int8(1))
        FfiConverterTypeCreateOptions.write(value, into: &buf)
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> SwiftType {
        switch try readInt(&buf) as Int8 {
        case 0: return nil
        case 1: return try FfiConverterTypeCreateOptions.read(from: &buf)
        default: throw UniffiInternalError.unexpectedOptionalTag
        }
    }
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
fileprivate struct FfiConverterOptionTypeDockerOptions: FfiConverterRustBuffer {
    typealias SwiftType = DockerOptions?

    public static func write(_ value: SwiftType, into buf: inout [UInt8]) {
        guard let value = value else {
            writeInt(&buf, Int8(0))
            return
        }
        writeInt(&buf, Int8(1))
        FfiConverterTypeDockerOptions.write(value, into: &buf)
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> SwiftType {
        switch try readInt(&buf) as Int8 {
        case 0: return nil
        case 1: return try FfiConverterTypeDockerOptions.read(from: &buf)
        default: throw UniffiInternalError.unexpectedOptionalTag
        }
    }
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
fileprivate struct FfiConverterOptionTypeEvent: FfiConverterRustBuffer {
    typealias SwiftType = Event?

    public static func write(_ value: SwiftType, into buf: inout [UInt8]) {
        guard let value = value else {
            writeInt(&buf, Int8(0))
            return
        }
        writeInt(&buf, Int8(1))
        FfiConverterTypeEvent.write(value, into: &buf)
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> SwiftType {
        switch try readInt(&buf) as Int8 {
        case 0: return nil
        case 1: return try FfiConverterTypeEvent.read(from: &buf)
        default: throw UniffiInternalError.unexpectedOptionalTag
        }
    }
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
fileprivate struct FfiConverterOptionTypeExit: FfiConverterRustBuffer {
    typealias SwiftType = Exit?

    public static func write(_ value: SwiftType, into buf: inout [UInt8]) {
        guard let value = value else {
            writeInt(&buf, Int8(0))
            return
        }
        writeInt(&buf, Int8(1))
        FfiConverterTypeExit.write(value, into: &buf)
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> SwiftType {
        switch try readInt(&buf) as Int8 {
        case 0: return nil
        case 1: return try FfiConverterTypeExit.read(from: &buf)
        default: throw UniffiInternalError.unexpectedOptionalTag
        }
    }
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
fileprivate struct FfiConverterOptionTypeFileChange: FfiConverterRustBuffer {
    typealias SwiftType = FileChange?

    public static func write(_ value: SwiftType, into buf: inout [UInt8]) {
        guard let value = value else {
            writeInt(&buf, Int8(0))
            return
        }
        writeInt(&buf, Int8(1))
        FfiConverterTypeFileChange.write(value, into: &buf)
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> SwiftType {
        switch try readInt(&buf) as Int8 {
        case 0: return nil
        case 1: return try FfiConverterTypeFileChange.read(from: &buf)
        default: throw UniffiInternalError.unexpectedOptionalTag
        }
    }
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
fileprivate struct FfiConverterOptionTypeHostOptions: FfiConverterRustBuffer {
    typealias SwiftType = HostOptions?

    public static func write(_ value: SwiftType, into buf: inout [UInt8]) {
        guard let value = value else {
            writeInt(&buf, Int8(0))
            return
        }
        writeInt(&buf, Int8(1))
        FfiConverterTypeHostOptions.write(value, into: &buf)
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> SwiftType {
        switch try readInt(&buf) as Int8 {
        case 0: return nil
        case 1: return try FfiConverterTypeHostOptions.read(from: &buf)
        default: throw UniffiInternalError.unexpectedOptionalTag
        }
    }
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
fileprivate struct FfiConverterOptionTypeNamespaceOptions: FfiConverterRustBuffer {
    typealias SwiftType = NamespaceOptions?

    public static func write(_ value: SwiftType, into buf: inout [UInt8]) {
        guard let value = value else {
            writeInt(&buf, Int8(0))
            return
        }
        writeInt(&buf, Int8(1))
        FfiConverterTypeNamespaceOptions.write(value, into: &buf)
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> SwiftType {
        switch try readInt(&buf) as Int8 {
        case 0: return nil
        case 1: return try FfiConverterTypeNamespaceOptions.read(from: &buf)
        default: throw UniffiInternalError.unexpectedOptionalTag
        }
    }
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
fileprivate struct FfiConverterOptionTypePostMortem: FfiConverterRustBuffer {
    typealias SwiftType = PostMortem?

    public static func write(_ value: SwiftType, into buf: inout [UInt8]) {
        guard let value = value else {
            writeInt(&buf, Int8(0))
            return
        }
        writeInt(&buf, Int8(1))
        FfiConverterTypePostMortem.write(value, into: &buf)
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> SwiftType {
        switch try readInt(&buf) as Int8 {
        case 0: return nil
        case 1: return try FfiConverterTypePostMortem.read(from: &buf)
        default: throw UniffiInternalError.unexpectedOptionalTag
        }
    }
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
fileprivate struct FfiConverterOptionTypeRegistryAuth: FfiConverterRustBuffer {
    typealias SwiftType = RegistryAuth?

    public static func write(_ value: SwiftType, into buf: inout [UInt8]) {
        guard let value = value else {
            writeInt(&buf, Int8(0))
            return
        }
        writeInt(&buf, Int8(1))
        FfiConverterTypeRegistryAuth.write(value, into: &buf)
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> SwiftType {
        switch try readInt(&buf) as Int8 {
        case 0: return nil
        case 1: return try FfiConverterTypeRegistryAuth.read(from: &buf)
        default: throw UniffiInternalError.unexpectedOptionalTag
        }
    }
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
fileprivate struct FfiConverterOptionTypeReport: FfiConverterRustBuffer {
    typealias SwiftType = Report?

    public static func write(_ value: SwiftType, into buf: inout [UInt8]) {
        guard let value = value else {
            writeInt(&buf, Int8(0))
            return
        }
        writeInt(&buf, Int8(1))
        FfiConverterTypeReport.write(value, into: &buf)
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> SwiftType {
        switch try readInt(&buf) as Int8 {
        case 0: return nil
        case 1: return try FfiConverterTypeReport.read(from: &buf)
        default: throw UniffiInternalError.unexpectedOptionalTag
        }
    }
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
fileprivate struct FfiConverterOptionTypeSandboxImage: FfiConverterRustBuffer {
    typealias SwiftType = SandboxImage?

    public static func write(_ value: SwiftType, into buf: inout [UInt8]) {
        guard let value = value else {
            writeInt(&buf, Int8(0))
            return
        }
        writeInt(&buf, Int8(1))
        FfiConverterTypeSandboxImage.write(value, into: &buf)
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> SwiftType {
        switch try readInt(&buf) as Int8 {
        case 0: return nil
        case 1: return try FfiConverterTypeSandboxImage.read(from: &buf)
        default: throw UniffiInternalError.unexpectedOptionalTag
        }
    }
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
fileprivate struct FfiConverterOptionTypeSidecarHealth: FfiConverterRustBuffer {
    typealias SwiftType = SidecarHealth?

    public static func write(_ value: SwiftType, into buf: inout [UInt8]) {
        guard let value = value else {
            writeInt(&buf, Int8(0))
            return
        }
        writeInt(&buf, Int8(1))
        FfiConverterTypeSidecarHealth.write(value, into: &buf)
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> SwiftType {
        switch try readInt(&buf) as Int8 {
        case 0: return nil
        case 1: return try FfiConverterTypeSidecarHealth.read(from: &buf)
        default: throw UniffiInternalError.unexpectedOptionalTag
        }
    }
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
fileprivate struct FfiConverterOptionTypeDetail: FfiConverterRustBuffer {
    typealias SwiftType = Detail?

    public static func write(_ value: SwiftType, into buf: inout [UInt8]) {
        guard let value = value else {
            writeInt(&buf, Int8(0))
            return
        }
        writeInt(&buf, Int8(1))
        FfiConverterTypeDetail.write(value, into: &buf)
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> SwiftType {
        switch try readInt(&buf) as Int8 {
        case 0: return nil
        case 1: return try FfiConverterTypeDetail.read(from: &buf)
        default: throw UniffiInternalError.unexpectedOptionalTag
        }
    }
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
fileprivate struct FfiConverterOptionTypeDiskBacking: FfiConverterRustBuffer {
    typealias SwiftType = DiskBacking?

    public static func write(_ value: SwiftType, into buf: inout [UInt8]) {
        guard let value = value else {
            writeInt(&buf, Int8(0))
            return
        }
        writeInt(&buf, Int8(1))
        FfiConverterTypeDiskBacking.write(value, into: &buf)
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> SwiftType {
        switch try readInt(&buf) as Int8 {
        case 0: return nil
        case 1: return try FfiConverterTypeDiskBacking.read(from: &buf)
        default: throw UniffiInternalError.unexpectedOptionalTag
        }
    }
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
fileprivate struct FfiConverterOptionTypeExpiry: FfiConverterRustBuffer {
    typealias SwiftType = Expiry?

    public static func write(_ value: SwiftType, into buf: inout [UInt8]) {
        guard let value = value else {
            writeInt(&buf, Int8(0))
            return
        }
        writeInt(&buf, Int8(1))
        FfiConverterTypeExpiry.write(value, into: &buf)
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> SwiftType {
        switch try readInt(&buf) as Int8 {
        case 0: return nil
        case 1: return try FfiConverterTypeExpiry.read(from: &buf)
        default: throw UniffiInternalError.unexpectedOptionalTag
        }
    }
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
fileprivate struct FfiConverterOptionTypeIsolation: FfiConverterRustBuffer {
    typealias SwiftType = Isolation?

    public static func write(_ value: SwiftType, into buf: inout [UInt8]) {
        guard let value = value else {
            writeInt(&buf, Int8(0))
            return
        }
        writeInt(&buf, Int8(1))
        FfiConverterTypeIsolation.write(value, into: &buf)
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> SwiftType {
        switch try readInt(&buf) as Int8 {
        case 0: return nil
        case 1: return try FfiConverterTypeIsolation.read(from: &buf)
        default: throw UniffiInternalError.unexpectedOptionalTag
        }
    }
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
fileprivate struct FfiConverterOptionTypeLifetime: FfiConverterRustBuffer {
    typealias SwiftType = Lifetime?

    public static func write(_ value: SwiftType, into buf: inout [UInt8]) {
        guard let value = value else {
            writeInt(&buf, Int8(0))
            return
        }
        writeInt(&buf, Int8(1))
        FfiConverterTypeLifetime.write(value, into: &buf)
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> SwiftType {
        switch try readInt(&buf) as Int8 {
        case 0: return nil
        case 1: return try FfiConverterTypeLifetime.read(from: &buf)
        default: throw UniffiInternalError.unexpectedOptionalTag
        }
    }
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
fileprivate struct FfiConverterOptionTypeNamespaceUsers: FfiConverterRustBuffer {
    typealias SwiftType = NamespaceUsers?

    public static func write(_ value: SwiftType, into buf: inout [UInt8]) {
        guard let value = value else {
            writeInt(&buf, Int8(0))
            return
        }
        writeInt(&buf, Int8(1))
        FfiConverterTypeNamespaceUsers.write(value, into: &buf)
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> SwiftType {
        switch try readInt(&buf) as Int8 {
        case 0: return nil
        case 1: return try FfiConverterTypeNamespaceUsers.read(from: &buf)
        default: throw UniffiInternalError.unexpectedOptionalTag
        }
    }
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
fileprivate struct FfiConverterOptionTypeNetworkPolicy: FfiConverterRustBuffer {
    typealias SwiftType = NetworkPolicy?

    public static func write(_ value: SwiftType, into buf: inout [UInt8]) {
        guard let value = value else {
            writeInt(&buf, Int8(0))
            return
        }
        writeInt(&buf, Int8(1))
        FfiConverterTypeNetworkPolicy.write(value, into: &buf)
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> SwiftType {
        switch try readInt(&buf) as Int8 {
        case 0: return nil
        case 1: return try FfiConverterTypeNetworkPolicy.read(from: &buf)
        default: throw UniffiInternalError.unexpectedOptionalTag
        }
    }
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
fileprivate struct FfiConverterOptionTypeOutputEvent: FfiConverterRustBuffer {
    typealias SwiftType = OutputEvent?

    public static func write(_ value: SwiftType, into buf: inout [UInt8]) {
        guard let value = value else {
            writeInt(&buf, Int8(0))
            return
        }
        writeInt(&buf, Int8(1))
        FfiConverterTypeOutputEvent.write(value, into: &buf)
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> SwiftType {
        switch try readInt(&buf) as Int8 {
        case 0: return nil
        case 1: return try FfiConverterTypeOutputEvent.read(from: &buf)
        default: throw UniffiInternalError.unexpectedOptionalTag
        }
    }
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
fileprivate struct FfiConverterOptionTypeProgressUnit: FfiConverterRustBuffer {
    typealias SwiftType = ProgressUnit?

    public static func write(_ value: SwiftType, into buf: inout [UInt8]) {
        guard let value = value else {
            writeInt(&buf, Int8(0))
            return
        }
        writeInt(&buf, Int8(1))
        FfiConverterTypeProgressUnit.write(value, into: &buf)
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> SwiftType {
        switch try readInt(&buf) as Int8 {
        case 0: return nil
        case 1: return try FfiConverterTypeProgressUnit.read(from: &buf)
        default: throw UniffiInternalError.unexpectedOptionalTag
        }
    }
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
fileprivate struct FfiConverterOptionTypePullPolicy: FfiConverterRustBuffer {
    typealias SwiftType = PullPolicy?

    public static func write(_ value: SwiftType, into buf: inout [UInt8]) {
        guard let value = value else {
            writeInt(&buf, Int8(0))
            return
        }
        writeInt(&buf, Int8(1))
        FfiConverterTypePullPolicy.write(value, into: &buf)
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> SwiftType {
        switch try readInt(&buf) as Int8 {
        case 0: return nil
        case 1: return try FfiConverterTypePullPolicy.read(from: &buf)
        default: throw UniffiInternalError.unexpectedOptionalTag
        }
    }
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
fileprivate struct FfiConverterOptionTypeSanitize: FfiConverterRustBuffer {
    typealias SwiftType = Sanitize?

    public static func write(_ value: SwiftType, into buf: inout [UInt8]) {
        guard let value = value else {
            writeInt(&buf, Int8(0))
            return
        }
        writeInt(&buf, Int8(1))
        FfiConverterTypeSanitize.write(value, into: &buf)
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> SwiftType {
        switch try readInt(&buf) as Int8 {
        case 0: return nil
        case 1: return try FfiConverterTypeSanitize.read(from: &buf)
        default: throw UniffiInternalError.unexpectedOptionalTag
        }
    }
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
fileprivate struct FfiConverterOptionTypeSignalTarget: FfiConverterRustBuffer {
    typealias SwiftType = SignalTarget?

    public static func write(_ value: SwiftType, into buf: inout [UInt8]) {
        guard let value = value else {
            writeInt(&buf, Int8(0))
            return
        }
        writeInt(&buf, Int8(1))
        FfiConverterTypeSignalTarget.write(value, into: &buf)
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> SwiftType {
        switch try readInt(&buf) as Int8 {
        case 0: return nil
        case 1: return try FfiConverterTypeSignalTarget.read(from: &buf)
        default: throw UniffiInternalError.unexpectedOptionalTag
        }
    }
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
fileprivate struct FfiConverterOptionTypeSize: FfiConverterRustBuffer {
    typealias SwiftType = Size?

    public static func write(_ value: SwiftType, into buf: inout [UInt8]) {
        guard let value = value else {
            writeInt(&buf, Int8(0))
            return
        }
        writeInt(&buf, Int8(1))
        FfiConverterTypeSize.write(value, into: &buf)
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> SwiftType {
        switch try readInt(&buf) as Int8 {
        case 0: return nil
        case 1: return try FfiConverterTypeSize.read(from: &buf)
        default: throw UniffiInternalError.unexpectedOptionalTag
        }
    }
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
fileprivate struct FfiConverterOptionDictionaryStringString: FfiConverterRustBuffer {
    typealias SwiftType = [String: String]?

    public static func write(_ value: SwiftType, into buf: inout [UInt8]) {
        guard let value = value else {
            writeInt(&buf, Int8(0))
            return
        }
        writeInt(&buf, Int8(1))
        FfiConverterDictionaryStringString.write(value, into: &buf)
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> SwiftType {
        switch try readInt(&buf) as Int8 {
        case 0: return nil
        case 1: return try FfiConverterDictionaryStringString.read(from: &buf)
        default: throw UniffiInternalError.unexpectedOptionalTag
        }
    }
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
fileprivate struct FfiConverterSequenceUInt16: FfiConverterRustBuffer {
    typealias SwiftType = [UInt16]

    public static func write(_ value: [UInt16], into buf: inout [UInt8]) {
        let len = Int32(value.count)
        writeInt(&buf, len)
        for item in value {
            FfiConverterUInt16.write(item, into: &buf)
        }
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> [UInt16] {
        let len: Int32 = try readInt(&buf)
        var seq = [UInt16]()
        seq.reserveCapacity(Int(len))
        for _ in 0 ..< len {
            seq.append(try FfiConverterUInt16.read(from: &buf))
        }
        return seq
    }
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
fileprivate struct FfiConverterSequenceString: FfiConverterRustBuffer {
    typealias SwiftType = [String]

    public static func write(_ value: [String], into buf: inout [UInt8]) {
        let len = Int32(value.count)
        writeInt(&buf, len)
        for item in value {
            FfiConverterString.write(item, into: &buf)
        }
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> [String] {
        let len: Int32 = try readInt(&buf)
        var seq = [String]()
        seq.reserveCapacity(Int(len))
        for _ in 0 ..< len {
            seq.append(try FfiConverterString.read(from: &buf))
        }
        return seq
    }
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
fileprivate struct FfiConverterSequenceData: FfiConverterRustBuffer {
    typealias SwiftType = [Data]

    public static func write(_ value: [Data], into buf: inout [UInt8]) {
        let len = Int32(value.count)
        writeInt(&buf, len)
        for item in value {
            FfiConverterData.write(item, into: &buf)
        }
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> [Data] {
        let len: Int32 = try readInt(&buf)
        var seq = [Data]()
        seq.reserveCapacity(Int(len))
        for _ in 0 ..< len {
            seq.append(try FfiConverterData.read(from: &buf))
        }
        return seq
    }
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
fileprivate struct FfiConverterSequenceTypeSandbox: FfiConverterRustBuffer {
    typealias SwiftType = [Sandbox]

    public static func write(_ value: [Sandbox], into buf: inout [UInt8]) {
        let len = Int32(value.count)
        writeInt(&buf, len)
        for item in value {
            FfiConverterTypeSandbox.write(item, into: &buf)
        }
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> [Sandbox] {
        let len: Int32 = try readInt(&buf)
        var seq = [Sandbox]()
        seq.reserveCapacity(Int(len))
        for _ in 0 ..< len {
            seq.append(try FfiConverterTypeSandbox.read(from: &buf))
        }
        return seq
    }
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
fileprivate struct FfiConverterSequenceTypeService: FfiConverterRustBuffer {
    typealias SwiftType = [Service]

    public static func write(_ value: [Service], into buf: inout [UInt8]) {
        let len = Int32(value.count)
        writeInt(&buf, len)
        for item in value {
            FfiConverterTypeService.write(item, into: &buf)
        }
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> [Service] {
        let len: Int32 = try readInt(&buf)
        var seq = [Service]()
        seq.reserveCapacity(Int(len))
        for _ in 0 ..< len {
            seq.append(try FfiConverterTypeService.read(from: &buf))
        }
        return seq
    }
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
fileprivate struct FfiConverterSequenceTypeDenial: FfiConverterRustBuffer {
    typealias SwiftType = [Denial]

    public static func write(_ value: [Denial], into buf: inout [UInt8]) {
        let len = Int32(value.count)
        writeInt(&buf, len)
        for item in value {
            FfiConverterTypeDenial.write(item, into: &buf)
        }
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> [Denial] {
        let len: Int32 = try readInt(&buf)
        var seq = [Denial]()
        seq.reserveCapacity(Int(len))
        for _ in 0 ..< len {
            seq.append(try FfiConverterTypeDenial.read(from: &buf))
        }
        return seq
    }
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
fileprivate struct FfiConverterSequenceTypeEntry: FfiConverterRustBuffer {
    typealias SwiftType = [Entry]

    public static func write(_ value: [Entry], into buf: inout [UInt8]) {
        let len = Int32(value.count)
        writeInt(&buf, len)
        for item in value {
            FfiConverterTypeEntry.write(item, into: &buf)
        }
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> [Entry] {
        let len: Int32 = try readInt(&buf)
        var seq = [Entry]()
        seq.reserveCapacity(Int(len))
        for _ in 0 ..< len {
            seq.append(try FfiConverterTypeEntry.read(from: &buf))
        }
        return seq
    }
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
fileprivate struct FfiConverterSequenceTypeGarbage: FfiConverterRustBuffer {
    typealias SwiftType = [Garbage]

    public static func write(_ value: [Garbage], into buf: inout [UInt8]) {
        let len = Int32(value.count)
        writeInt(&buf, len)
        for item in value {
            FfiConverterTypeGarbage.write(item, into: &buf)
        }
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> [Garbage] {
        let len: Int32 = try readInt(&buf)
        var seq = [Garbage]()
        seq.reserveCapacity(Int(len))
        for _ in 0 ..< len {
            seq.append(try FfiConverterTypeGarbage.read(from: &buf))
        }
        return seq
    }
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
fileprivate struct FfiConverterSequenceTypeGitBranch: FfiConverterRustBuffer {
    typealias SwiftType = [GitBranch]

    public static func write(_ value: [GitBranch], into buf: inout [UInt8]) {
        let len = Int32(value.count)
        writeInt(&buf, len)
        for item in value {
            FfiConverterTypeGitBranch.write(item, into: &buf)
        }
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> [GitBranch] {
        let len: Int32 = try readInt(&buf)
        var seq = [GitBranch]()
        seq.reserveCapacity(Int(len))
        for _ in 0 ..< len {
            seq.append(try FfiConverterTypeGitBranch.read(from: &buf))
        }
        return seq
    }
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
fileprivate struct FfiConverterSequenceTypeGitChange: FfiConverterRustBuffer {
    typealias SwiftType = [GitChange]

    public static func write(_ value: [GitChange], into buf: inout [UInt8]) {
        let len = Int32(value.count)
        writeInt(&buf, len)
        for item in value {
            FfiConverterTypeGitChange.write(item, into: &buf)
        }
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> [GitChange] {
        let len: Int32 = try readInt(&buf)
        var seq = [GitChange]()
        seq.reserveCapacity(Int(len))
        for _ in 0 ..< len {
            seq.append(try FfiConverterTypeGitChange.read(from: &buf))
        }
        return seq
    }
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
fileprivate struct FfiConverterSequenceTypeGitCommit: FfiConverterRustBuffer {
    typealias SwiftType = [GitCommit]

    public static func write(_ value: [GitCommit], into buf: inout [UInt8]) {
        let len = Int32(value.count)
        writeInt(&buf, len)
        for item in value {
            FfiConverterTypeGitCommit.write(item, into: &buf)
        }
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> [GitCommit] {
        let len: Int32 = try readInt(&buf)
        var seq = [GitCommit]()
        seq.reserveCapacity(Int(len))
        for _ in 0 ..< len {
            seq.append(try FfiConverterTypeGitCommit.read(from: &buf))
        }
        return seq
    }
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
fileprivate struct FfiConverterSequenceTypeGitStatusEntry: FfiConverterRustBuffer {
    typealias SwiftType = [GitStatusEntry]

    public static func write(_ value: [GitStatusEntry], into buf: inout [UInt8]) {
        let len = Int32(value.count)
        writeInt(&buf, len)
        for item in value {
            FfiConverterTypeGitStatusEntry.write(item, into: &buf)
        }
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> [GitStatusEntry] {
        let len: Int32 = try readInt(&buf)
        var seq = [GitStatusEntry]()
        seq.reserveCapacity(Int(len))
        for _ in 0 ..< len {
            seq.append(try FfiConverterTypeGitStatusEntry.read(from: &buf))
        }
        return seq
    }
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
fileprivate struct FfiConverterSequenceTypeGrepMatch: FfiConverterRustBuffer {
    typealias SwiftType = [GrepMatch]

    public static func write(_ value: [GrepMatch], into buf: inout [UInt8]) {
        let len = Int32(value.count)
        writeInt(&buf, len)
        for item in value {
            FfiConverterTypeGrepMatch.write(item, into: &buf)
        }
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> [GrepMatch] {
        let len: Int32 = try readInt(&buf)
        var seq = [GrepMatch]()
        seq.reserveCapacity(Int(len))
        for _ in 0 ..< len {
            seq.append(try FfiConverterTypeGrepMatch.read(from: &buf))
        }
        return seq
    }
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
fileprivate struct FfiConverterSequenceTypeImageInfo: FfiConverterRustBuffer {
    typealias SwiftType = [ImageInfo]

    public static func write(_ value: [ImageInfo], into buf: inout [UInt8]) {
        let len = Int32(value.count)
        writeInt(&buf, len)
        for item in value {
            FfiConverterTypeImageInfo.write(item, into: &buf)
        }
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> [ImageInfo] {
        let len: Int32 = try readInt(&buf)
        var seq = [ImageInfo]()
        seq.reserveCapacity(Int(len))
        for _ in 0 ..< len {
            seq.append(try FfiConverterTypeImageInfo.read(from: &buf))
        }
        return seq
    }
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
fileprivate struct FfiConverterSequenceTypeKindUsage: FfiConverterRustBuffer {
    typealias SwiftType = [KindUsage]

    public static func write(_ value: [KindUsage], into buf: inout [UInt8]) {
        let len = Int32(value.count)
        writeInt(&buf, len)
        for item in value {
            FfiConverterTypeKindUsage.write(item, into: &buf)
        }
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> [KindUsage] {
        let len: Int32 = try readInt(&buf)
        var seq = [KindUsage]()
        seq.reserveCapacity(Int(len))
        for _ in 0 ..< len {
            seq.append(try FfiConverterTypeKindUsage.read(from: &buf))
        }
        return seq
    }
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
fileprivate struct FfiConverterSequenceTypeListeningPort: FfiConverterRustBuffer {
    typealias SwiftType = [ListeningPort]

    public static func write(_ value: [ListeningPort], into buf: inout [UInt8]) {
        let len = Int32(value.count)
        writeInt(&buf, len)
        for item in value {
            FfiConverterTypeListeningPort.write(item, into: &buf)
        }
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> [ListeningPort] {
        let len: Int32 = try readInt(&buf)
        var seq = [ListeningPort]()
        seq.reserveCapacity(Int(len))
        for _ in 0 ..< len {
            seq.append(try FfiConverterTypeListeningPort.read(from: &buf))
        }
        return seq
    }
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
fileprivate struct FfiConverterSequenceTypeProviderInfo: FfiConverterRustBuffer {
    typealias SwiftType = [ProviderInfo]

    public static func write(_ value: [ProviderInfo], into buf: inout [UInt8]) {
        let len = Int32(value.count)
        writeInt(&buf, len)
        for item in value {
            FfiConverterTypeProviderInfo.write(item, into: &buf)
        }
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> [ProviderInfo] {
        let len: Int32 = try readInt(&buf)
        var seq = [ProviderInfo]()
        seq.reserveCapacity(Int(len))
        for _ in 0 ..< len {
            seq.append(try FfiConverterTypeProviderInfo.read(from: &buf))
        }
        return seq
    }
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
fileprivate struct FfiConverterSequenceTypeQueueEntry: FfiConverterRustBuffer {
    typealias SwiftType = [QueueEntry]

    public static func write(_ value: [QueueEntry], into buf: inout [UInt8]) {
        let len = Int32(value.count)
        writeInt(&buf, len)
        for item in value {
            FfiConverterTypeQueueEntry.write(item, into: &buf)
        }
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> [QueueEntry] {
        let len: Int32 = try readInt(&buf)
        var seq = [QueueEntry]()
        seq.reserveCapacity(Int(len))
        for _ in 0 ..< len {
            seq.append(try FfiConverterTypeQueueEntry.read(from: &buf))
        }
        return seq
    }
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
fileprivate struct FfiConverterSequenceTypeSandboxInfo: FfiConverterRustBuffer {
    typealias SwiftType = [SandboxInfo]

    public static func write(_ value: [SandboxInfo], into buf: inout [UInt8]) {
        let len = Int32(value.count)
        writeInt(&buf, len)
        for item in value {
            FfiConverterTypeSandboxInfo.write(item, into: &buf)
        }
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> [SandboxInfo] {
        let len: Int32 = try readInt(&buf)
        var seq = [SandboxInfo]()
        seq.reserveCapacity(Int(len))
        for _ in 0 ..< len {
            seq.append(try FfiConverterTypeSandboxInfo.read(from: &buf))
        }
        return seq
    }
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
fileprivate struct FfiConverterSequenceTypeSandboxProcessInfo: FfiConverterRustBuffer {
    typealias SwiftType = [SandboxProcessInfo]

    public static func write(_ value: [SandboxProcessInfo], into buf: inout [UInt8]) {
        let len = Int32(value.count)
        writeInt(&buf, len)
        for item in value {
            FfiConverterTypeSandboxProcessInfo.write(item, into: &buf)
        }
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> [SandboxProcessInfo] {
        let len: Int32 = try readInt(&buf)
        var seq = [SandboxProcessInfo]()
        seq.reserveCapacity(Int(len))
        for _ in 0 ..< len {
            seq.append(try FfiConverterTypeSandboxProcessInfo.read(from: &buf))
        }
        return seq
    }
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
fileprivate struct FfiConverterSequenceTypeSecret: FfiConverterRustBuffer {
    typealias SwiftType = [Secret]

    public static func write(_ value: [Secret], into buf: inout [UInt8]) {
        let len = Int32(value.count)
        writeInt(&buf, len)
        for item in value {
            FfiConverterTypeSecret.write(item, into: &buf)
        }
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> [Secret] {
        let len: Int32 = try readInt(&buf)
        var seq = [Secret]()
        seq.reserveCapacity(Int(len))
        for _ in 0 ..< len {
            seq.append(try FfiConverterTypeSecret.read(from: &buf))
        }
        return seq
    }
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
fileprivate struct FfiConverterSequenceTypeSidecar: FfiConverterRustBuffer {
    typealias SwiftType = [Sidecar]

    public static func write(_ value: [Sidecar], into buf: inout [UInt8]) {
        let len = Int32(value.count)
        writeInt(&buf, len)
        for item in value {
            FfiConverterTypeSidecar.write(item, into: &buf)
        }
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> [Sidecar] {
        let len: Int32 = try readInt(&buf)
        var seq = [Sidecar]()
        seq.reserveCapacity(Int(len))
        for _ in 0 ..< len {
            seq.append(try FfiConverterTypeSidecar.read(from: &buf))
        }
        return seq
    }
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
fileprivate struct FfiConverterSequenceTypeSnapshot: FfiConverterRustBuffer {
    typealias SwiftType = [Snapshot]

    public static func write(_ value: [Snapshot], into buf: inout [UInt8]) {
        let len = Int32(value.count)
        writeInt(&buf, len)
        for item in value {
            FfiConverterTypeSnapshot.write(item, into: &buf)
        }
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> [Snapshot] {
        let len: Int32 = try readInt(&buf)
        var seq = [Snapshot]()
        seq.reserveCapacity(Int(len))
        for _ in 0 ..< len {
            seq.append(try FfiConverterTypeSnapshot.read(from: &buf))
        }
        return seq
    }
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
fileprivate struct FfiConverterSequenceTypeVolume: FfiConverterRustBuffer {
    typealias SwiftType = [Volume]

    public static func write(_ value: [Volume], into buf: inout [UInt8]) {
        let len = Int32(value.count)
        writeInt(&buf, len)
        for item in value {
            FfiConverterTypeVolume.write(item, into: &buf)
        }
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> [Volume] {
        let len: Int32 = try readInt(&buf)
        var seq = [Volume]()
        seq.reserveCapacity(Int(len))
        for _ in 0 ..< len {
            seq.append(try FfiConverterTypeVolume.read(from: &buf))
        }
        return seq
    }
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
fileprivate struct FfiConverterSequenceTypeVolumeMount: FfiConverterRustBuffer {
    typealias SwiftType = [VolumeMount]

    public static func write(_ value: [VolumeMount], into buf: inout [UInt8]) {
        let len = Int32(value.count)
        writeInt(&buf, len)
        for item in value {
            FfiConverterTypeVolumeMount.write(item, into: &buf)
        }
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> [VolumeMount] {
        let len: Int32 = try readInt(&buf)
        var seq = [VolumeMount]()
        seq.reserveCapacity(Int(len))
        for _ in 0 ..< len {
            seq.append(try FfiConverterTypeVolumeMount.read(from: &buf))
        }
        return seq
    }
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
fileprivate struct FfiConverterSequenceTypeWalkEntry: FfiConverterRustBuffer {
    typealias SwiftType = [WalkEntry]

    public static func write(_ value: [WalkEntry], into buf: inout [UInt8]) {
        let len = Int32(value.count)
        writeInt(&buf, len)
        for item in value {
            FfiConverterTypeWalkEntry.write(item, into: &buf)
        }
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> [WalkEntry] {
        let len: Int32 = try readInt(&buf)
        var seq = [WalkEntry]()
        seq.reserveCapacity(Int(len))
        for _ in 0 ..< len {
            seq.append(try FfiConverterTypeWalkEntry.read(from: &buf))
        }
        return seq
    }
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
fileprivate struct FfiConverterSequenceTypeMount: FfiConverterRustBuffer {
    typealias SwiftType = [Mount]

    public static func write(_ value: [Mount], into buf: inout [UInt8]) {
        let len = Int32(value.count)
        writeInt(&buf, len)
        for item in value {
            FfiConverterTypeMount.write(item, into: &buf)
        }
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> [Mount] {
        let len: Int32 = try readInt(&buf)
        var seq = [Mount]()
        seq.reserveCapacity(Int(len))
        for _ in 0 ..< len {
            seq.append(try FfiConverterTypeMount.read(from: &buf))
        }
        return seq
    }
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
fileprivate struct FfiConverterSequenceTypeSandboxState: FfiConverterRustBuffer {
    typealias SwiftType = [SandboxState]

    public static func write(_ value: [SandboxState], into buf: inout [UInt8]) {
        let len = Int32(value.count)
        writeInt(&buf, len)
        for item in value {
            FfiConverterTypeSandboxState.write(item, into: &buf)
        }
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> [SandboxState] {
        let len: Int32 = try readInt(&buf)
        var seq = [SandboxState]()
        seq.reserveCapacity(Int(len))
        for _ in 0 ..< len {
            seq.append(try FfiConverterTypeSandboxState.read(from: &buf))
        }
        return seq
    }
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
fileprivate struct FfiConverterDictionaryStringString: FfiConverterRustBuffer {
    public static func write(_ value: [String: String], into buf: inout [UInt8]) {
        let len = Int32(value.count)
        writeInt(&buf, len)
        for (key, value) in value {
            FfiConverterString.write(key, into: &buf)
            FfiConverterString.write(value, into: &buf)
        }
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> [String: String] {
        let len: Int32 = try readInt(&buf)
        var dict = [String: String]()
        dict.reserveCapacity(Int(len))
        for _ in 0..<len {
            let key = try FfiConverterString.read(from: &buf)
            let value = try FfiConverterString.read(from: &buf)
            dict[key] = value
        }
        return dict
    }
}

#if swift(>=5.8)
@_documentation(visibility: private)
#endif
fileprivate struct FfiConverterDictionaryStringData: FfiConverterRustBuffer {
    public static func write(_ value: [String: Data], into buf: inout [UInt8]) {
        let len = Int32(value.count)
        writeInt(&buf, len)
        for (key, value) in value {
            FfiConverterString.write(key, into: &buf)
            FfiConverterData.write(value, into: &buf)
        }
    }

    public static func read(from buf: inout (data: Data, offset: Data.Index)) throws -> [String: Data] {
        let len: Int32 = try readInt(&buf)
        var dict = [String: Data]()
        dict.reserveCapacity(Int(len))
        for _ in 0..<len {
            let key = try FfiConverterString.read(from: &buf)
            let value = try FfiConverterData.read(from: &buf)
            dict[key] = value
        }
        return dict
    }
}
private let UNIFFI_RUST_FUTURE_POLL_READY: Int8 = 0
private let UNIFFI_RUST_FUTURE_POLL_WAKE: Int8 = 1

fileprivate let uniffiContinuationHandleMap = UniffiHandleMap<UnsafeContinuation<Int8, Never>>()

fileprivate func uniffiRustCallAsync<F, T>(
    rustFutureFunc: () -> UInt64,
    pollFunc: (UInt64, @escaping UniffiRustFutureContinuationCallback, UInt64) -> (),
    completeFunc: (UInt64, UnsafeMutablePointer<RustCallStatus>) -> F,
    freeFunc: (UInt64) -> (),
    liftFunc: (F) throws -> T,
    errorHandler: ((RustBuffer) throws -> Swift.Error)?
) async throws -> T {
    // Make sure to call the ensure init function since future creation doesn't have a
    // RustCallStatus param, so doesn't use makeRustCall()
    uniffiEnsureIsoboxSwiftInitialized()
    let rustFuture = rustFutureFunc()
    defer {
        freeFunc(rustFuture)
    }
    var pollResult: Int8;
    repeat {
        pollResult = await withUnsafeContinuation {
            pollFunc(
                rustFuture,
                { handle, pollResult in
                    uniffiFutureContinuationCallback(handle: handle, pollResult: pollResult)
                },
                uniffiContinuationHandleMap.insert(obj: $0)
            )
        }
    } while pollResult != UNIFFI_RUST_FUTURE_POLL_READY

    return try liftFunc(makeRustCall(
        { completeFunc(rustFuture, $0) },
        errorHandler: errorHandler
    ))
}

// Callback handlers for an async calls.  These are invoked by Rust when the future is ready.  They
// lift the return value or error and resume the suspended function.
fileprivate func uniffiFutureContinuationCallback(handle: UInt64, pollResult: Int8) {
    if let continuation = try? uniffiContinuationHandleMap.remove(handle: handle) {
        continuation.resume(returning: pollResult)
    } else {
        print("uniffiFutureContinuationCallback invalid handle")
    }
}
/**
 * Ends the sandboxes of this process and all threads of this library. For the end of the process.
 */
public func end()  {try! rustCall() {
        uniffiCallStatus in
    uniffi_isobox_swift_fn_func_end(uniffiCallStatus
    )
}
}
/**
 * Panics, which must be an error of the call alone. For the tests of this package.
 */
public func panicOnPurpose(cancel: CancelToken)async throws  -> Bool  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_func_panic_on_purpose(FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_i8,
            completeFunc: ffi_isobox_swift_rust_future_complete_i8,
            freeFunc: ffi_isobox_swift_rust_future_free_i8,
            liftFunc: FfiConverterBool.lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}
/**
 * Opens it. Sandboxes that a process left when it was killed are removed then.
 */
public func isoboxOpen(options: OpenOptions, cancel: CancelToken)async throws  -> Isobox  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_func_isobox_open(FfiConverterTypeOpenOptions_lower(options),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_u64,
            completeFunc: ffi_isobox_swift_rust_future_complete_u64,
            freeFunc: ffi_isobox_swift_rust_future_free_u64,
            liftFunc: FfiConverterTypeIsobox_lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}
/**
 * The one that is used where none is named.
 */
public func isoboxShared(cancel: CancelToken)async throws  -> Isobox  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_func_isobox_shared(FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_u64,
            completeFunc: ffi_isobox_swift_rust_future_complete_u64,
            freeFunc: ffi_isobox_swift_rust_future_free_u64,
            liftFunc: FfiConverterTypeIsobox_lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}
/**
 * A sandbox that is there, by its name or id, whatever process made it. It does not end with this handle.
 */
public func sandboxConnect(idOrName: String, cancel: CancelToken)async throws  -> Sandbox  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_func_sandbox_connect(FfiConverterString.lower(idOrName),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_u64,
            completeFunc: ffi_isobox_swift_rust_future_complete_u64,
            freeFunc: ffi_isobox_swift_rust_future_free_u64,
            liftFunc: FfiConverterTypeSandbox_lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}
/**
 * Makes a sandbox, in the library that is used where none is named.
 */
public func sandboxCreate(options: CreateOptions, cancel: CancelToken)async throws  -> Sandbox  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_func_sandbox_create(FfiConverterTypeCreateOptions_lower(options),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_u64,
            completeFunc: ffi_isobox_swift_rust_future_complete_u64,
            freeFunc: ffi_isobox_swift_rust_future_free_u64,
            liftFunc: FfiConverterTypeSandbox_lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}
/**
 * The sandbox with the name that is given, or a new one. Any number of callers at once get the same one.
 */
public func sandboxGetOrCreate(options: CreateOptions, cancel: CancelToken)async throws  -> Sandbox  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_func_sandbox_get_or_create(FfiConverterTypeCreateOptions_lower(options),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_u64,
            completeFunc: ffi_isobox_swift_rust_future_complete_u64,
            freeFunc: ffi_isobox_swift_rust_future_free_u64,
            liftFunc: FfiConverterTypeSandbox_lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}
/**
 * The sandboxes there are, the oldest first.
 */
public func sandboxList(options: ListOptions, cancel: CancelToken)async throws  -> [SandboxInfo]  {
    return
        try  await uniffiRustCallAsync(
            rustFutureFunc: {
                uniffi_isobox_swift_fn_func_sandbox_list(FfiConverterTypeListOptions_lower(options),FfiConverterTypeCancelToken_lower(cancel)
                )
            },
            pollFunc: ffi_isobox_swift_rust_future_poll_rust_buffer,
            completeFunc: ffi_isobox_swift_rust_future_complete_rust_buffer,
            freeFunc: ffi_isobox_swift_rust_future_free_rust_buffer,
            liftFunc: FfiConverterSequenceTypeSandboxInfo.lift,
            errorHandler: FfiConverterTypeFailure_lift
        )
}

private enum InitializationResult {
    case ok
    case contractVersionMismatch
    case apiChecksumMismatch
}
// Use a global variable to perform the versioning checks. Swift ensures that
// the code inside is only computed once.
private let initializationResult: InitializationResult = {
    // Get the bindings contract version from our ComponentInterface
    let bindings_contract_version = 30
    // Get the scaffolding contract version by calling the into the dylib
    let scaffolding_contract_version = ffi_isobox_swift_uniffi_contract_version()
    if bindings_contract_version != scaffolding_contract_version {
        return InitializationResult.contractVersionMismatch
    }
    if (uniffi_isobox_swift_checksum_func_end() != 64148) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_func_panic_on_purpose() != 9830) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_func_isobox_open() != 64671) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_func_isobox_shared() != 48709) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_func_sandbox_connect() != 33034) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_func_sandbox_create() != 25268) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_func_sandbox_get_or_create() != 62767) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_func_sandbox_list() != 5799) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_canceltoken_cancel() != 35649) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_bytesstream_close() != 41669) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_bytesstream_next() != 65150) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_eventstream_close() != 56705) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_eventstream_next() != 56571) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_filechangestream_close() != 57151) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_filechangestream_next() != 58114) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_filewriter_close() != 61190) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_filewriter_write() != 35622) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_files_append() != 2869) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_files_chmod() != 45505) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_files_chown() != 12099) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_files_copy() != 6915) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_files_download() != 5580) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_files_exists() != 450) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_files_list() != 34638) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_files_mkdir() != 41038) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_files_read() != 11384) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_files_read_link() != 10184) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_files_read_stream() != 6876) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_files_read_text() != 26930) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_files_remove() != 49773) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_files_remove_all() != 47065) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_files_rename() != 56125) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_files_stat() != 61328) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_files_stat_link() != 1729) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_files_symlink() != 6713) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_files_upload() != 61245) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_files_watch() != 42440) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_files_write() != 57614) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_files_write_stream() != 21114) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_git_clone_repository() != 26918) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_git_init() != 32741) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_git_open() != 11244) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_images_all() != 45251) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_images_load() != 50574) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_images_prune() != 27640) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_images_pull() != 64169) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_images_remove() != 61980) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_isobox_close() != 11796) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_isobox_collect_garbage() != 17180) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_isobox_connect() != 63997) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_isobox_create() != 2964) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_isobox_create_volume() != 1344) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_isobox_delete_snapshot() != 57108) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_isobox_delete_volume() != 30151) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_isobox_disk_usage() != 41309) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_isobox_events() != 64222) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_isobox_export_snapshot() != 61544) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_isobox_get_or_create() != 23080) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_isobox_home() != 18189) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_isobox_images() != 40128) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_isobox_import_snapshot() != 59065) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_isobox_inspect() != 35318) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_isobox_limits() != 12549) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_isobox_list() != 27599) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_isobox_pool() != 39642) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_isobox_post_mortem() != 17697) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_isobox_providers() != 2549) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_isobox_queue() != 16576) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_isobox_set_limits() != 46136) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_isobox_snapshot() != 34525) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_isobox_snapshots() != 29938) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_isobox_take_from() != 30685) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_isobox_volume() != 18658) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_isobox_volumes() != 17712) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_outputeventstream_close() != 4297) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_outputeventstream_next() != 47384) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_pool_close() != 2462) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_pool_ready() != 46520) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_pool_status() != 2484) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_pool_take() != 16234) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_repository_add() != 31205) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_repository_add_all() != 13461) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_repository_branches() != 17493) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_repository_changes() != 4180) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_repository_checkout() != 15243) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_repository_clear_credentials() != 50702) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_repository_commit() != 44781) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_repository_create_branch() != 28805) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_repository_diff() != 16387) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_repository_fetch() != 43240) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_repository_log() != 27842) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_repository_path() != 31784) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_repository_pull() != 63631) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_repository_push() != 64666) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_repository_rev_parse() != 19093) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_repository_set_config() != 11452) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_repository_set_credentials() != 49610) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_repository_status() != 43694) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_repository_untracked_files() != 31753) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_sandbox_adopt() != 14455) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_sandbox_capabilities() != 48104) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_sandbox_delete() != 38990) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_sandbox_detach() != 700) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_sandbox_ended() != 26470) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_sandbox_exec() != 42000) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_sandbox_files() != 37291) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_sandbox_fork() != 63302) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_sandbox_forward() != 1970) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_sandbox_git() != 6977) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_sandbox_home() != 16448) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_sandbox_id() != 1246) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_sandbox_image() != 50621) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_sandbox_listening_ports() != 42119) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_sandbox_metrics() != 6703) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_sandbox_pause() != 48880) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_sandbox_process() != 53987) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_sandbox_processes() != 46890) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_sandbox_provider() != 32107) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_sandbox_release() != 21316) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_sandbox_resize() != 2504) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_sandbox_resume() != 39732) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_sandbox_search() != 28309) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_sandbox_services() != 29455) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_sandbox_session() != 52651) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_sandbox_set_ttl() != 41510) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_sandbox_snapshot() != 54602) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_sandbox_spawn() != 54598) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_sandbox_start() != 64730) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_sandbox_status() != 25969) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_sandbox_stop() != 20078) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_sandbox_touch() != 43048) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_sandbox_wait_for_port() != 62204) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_sandbox_workdir() != 15540) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_sandboxprocess_close_stdin() != 16193) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_sandboxprocess_detach() != 33385) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_sandboxprocess_events() != 40279) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_sandboxprocess_id() != 44369) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_sandboxprocess_kill() != 39540) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_sandboxprocess_pid() != 43894) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_sandboxprocess_resize() != 41904) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_sandboxprocess_signal() != 17410) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_sandboxprocess_stop() != 60967) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_sandboxprocess_wait() != 4983) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_sandboxprocess_write() != 8619) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_search_glob() != 52075) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_search_grep() != 20002) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_search_walk() != 42993) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_service_logs() != 30455) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_service_name() != 23931) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_service_process() != 61244) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_service_status() != 6960) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_service_stop() != 29854) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_services_all() != 63786) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_services_get() != 26005) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_services_start() != 35583) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_session_close() != 61908) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_session_interrupt() != 9154) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_method_session_run() != 54987) {
        return InitializationResult.apiChecksumMismatch
    }
    if (uniffi_isobox_swift_checksum_constructor_canceltoken_new() != 21855) {
        return InitializationResult.apiChecksumMismatch
    }

    return InitializationResult.ok
}()

// Make the ensure init function public so that other modules which have external type references to
// our types can call it.
public func uniffiEnsureIsoboxSwiftInitialized() {
    switch initializationResult {
    case .ok:
        break
    case .contractVersionMismatch:
        fatalError("UniFFI contract version mismatch: try cleaning and rebuilding your project")
    case .apiChecksumMismatch:
        fatalError("UniFFI API checksum mismatch: try cleaning and rebuilding your project")
    }
}

// swiftlint:enable all
