// swift-tools-version: 6.2
import PackageDescription

/// Every target is built in the Swift 6 language mode, with warnings as errors and strict memory safety.
let strict: [SwiftSetting] = [
  .strictMemorySafety(),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  // An asynchronous call stays on its caller's executor: the other default asks which that is at each call and return.
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableExperimentalFeature("Lifetimes"),
  .treatAllWarnings(as: .error),
]

/// For code whose `var`s each belong to one thread or stand behind a lock. That no two accesses to one overlap is checked
/// while debug builds run, at each access to a property of a class, and not in release builds (HTTPServer Decisions 0003
/// and 0004).
let confined: [SwiftSetting] = [
  .unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release))
]

/// libFuzzer's targets need `swift build --sanitize fuzzer`, so they are there only for scripts/fuzz.
let isFuzzing = Context.environment["MOORING_FUZZ"] == "1"

/// A target that libFuzzer runs: it brings the main function.
func fuzzTarget(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(
    name: "Fuzz\(name)", dependencies: ["CFuzzer", "FuzzSupport", "Checker"] + dependencies,
    path: "Tests/Fuzz/\(name)", swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])])
}

let fuzzTargets: [Target] = [
  .systemLibrary(name: "CFuzzer", path: "Tests/Fuzz/CFuzzer"),
  .target(
    name: "FuzzSupport", dependencies: ["CFuzzer", "Checker", "TestSupport"], path: "Tests/Fuzz/Support",
    swiftSettings: strict),
  fuzzTarget("Engine", ["Markup"]),
  fuzzTarget("Diff", ["Markup", "BlockDiff"]),
  fuzzTarget("HTTP", ["HTTPServer"]),
]

let package = Package(
  name: "mooring",
  products: [
    .executable(name: "mooring", targets: ["mooring"])
  ],
  targets: [
    // C libraries: each is imported by exactly one Swift target.
    .systemLibrary(name: "CLinux"),
    .systemLibrary(name: "CVectors"),
    .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
    .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),

    // Pure: bytes and values in, values out.
    .target(name: "Digest", dependencies: ["CCrypto"], swiftSettings: strict),
    .target(name: "ByteStorage", swiftSettings: strict),
    .target(name: "Markup", dependencies: ["CVectors", "ByteStorage", "Digest"], swiftSettings: strict),
    .target(name: "BlockDiff", dependencies: ["ByteStorage", "Markup"], swiftSettings: strict),
    .target(name: "Checker", dependencies: ["ByteStorage", "Markup", "BlockDiff"], swiftSettings: strict),
    .target(name: "Bench", dependencies: ["Markup", "BlockDiff"], swiftSettings: strict),

    // Edges: files, sockets, clocks.
    .target(
      name: "StreamStore", dependencies: ["ByteStorage", "Markup", "BlockDiff"], swiftSettings: strict),
    .target(
      name: "SQLiteLog", dependencies: ["CSQLite", "Markup", "BlockDiff", "StreamStore"],
      swiftSettings: strict),
    .target(name: "HTTPServer", dependencies: ["CLinux"], swiftSettings: strict + confined),
    .target(
      name: "LoadTest", dependencies: ["Markup", "BlockDiff", "Checker", "StreamStore", "HTTPServer"],
      swiftSettings: strict),
    .target(name: "Configuration", dependencies: ["CYAML", "Markup"], swiftSettings: strict),
    .target(
      name: "Service",
      dependencies: [
        "Markup", "BlockDiff", "Checker", "StreamStore", "HTTPServer", "Configuration", "LoadTest",
      ],
      swiftSettings: strict + confined),
    .executableTarget(
      name: "mooring",
      dependencies: [
        "Markup", "BlockDiff", "Checker", "Bench", "StreamStore", "SQLiteLog", "HTTPServer",
        "Configuration", "Service", "LoadTest",
      ],
      swiftSettings: strict),

    // For scripts/count-instructions: no threads, which a program that counts may not stand.
    .executableTarget(
      name: "BenchPasses", dependencies: ["Bench"], swiftSettings: strict,
      // Nothing here imports Foundation, which would bring it.
      linkerSettings: [.linkedLibrary("m")]),

    .target(
      name: "TestSupport", dependencies: ["Markup", "BlockDiff", "Checker"], path: "Tests/TestSupport",
      swiftSettings: strict),
    .testTarget(name: "ByteStorageTests", dependencies: ["ByteStorage"], swiftSettings: strict),
    .testTarget(name: "DigestTests", dependencies: ["Digest"], swiftSettings: strict),
    .testTarget(
      name: "MarkupTests", dependencies: ["ByteStorage", "Markup", "BlockDiff", "Checker", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "BlockDiffTests", dependencies: ["ByteStorage", "BlockDiff", "Markup", "Checker", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "CheckerTests", dependencies: ["Checker", "BlockDiff", "Markup", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "StreamStoreTests",
      dependencies: ["StreamStore", "Markup", "BlockDiff", "Checker", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "SQLiteLogTests",
      dependencies: ["SQLiteLog", "StreamStore", "Markup", "BlockDiff", "Checker", "TestSupport"],
      swiftSettings: strict),
    .testTarget(name: "HTTPServerTests", dependencies: ["HTTPServer"], swiftSettings: strict),
    .testTarget(
      name: "ConfigurationTests", dependencies: ["Configuration", "Markup"], swiftSettings: strict),
    .testTarget(
      name: "LoadTestTests",
      dependencies: ["LoadTest", "HTTPServer", "StreamStore", "BlockDiff", "Markup", "Checker"],
      swiftSettings: strict),
    .testTarget(
      name: "ServiceTests",
      dependencies: [
        "Service", "HTTPServer", "Configuration", "StreamStore", "SQLiteLog", "BlockDiff", "Markup",
        "Checker", "LoadTest",
        "TestSupport",
      ],
      swiftSettings: strict),
  ] + (isFuzzing ? fuzzTargets : []),
  swiftLanguageModes: [.v6]
)
