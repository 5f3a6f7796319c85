// swift-tools-version: 6.0
import PackageDescription

// The native library is built by cargo, and found by the linker: `cargo xtask test isobox-swift` shows how.
let package = Package(
    name: "isobox",
    platforms: [.macOS(.v13)],
    products: [.library(name: "Isobox", targets: ["Isobox"])],
    targets: [
        .systemLibrary(name: "IsoboxFFI"),
        .target(
            name: "IsoboxNative",
            dependencies: ["IsoboxFFI"],
            linkerSettings: [.linkedLibrary("isobox_swift")]
        ),
        .target(name: "Isobox", dependencies: ["IsoboxNative"]),
        .testTarget(name: "IsoboxTests", dependencies: ["Isobox"]),
    ]
)
