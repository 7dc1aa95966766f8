// swift-tools-version: 6.2
import PackageDescription

// A target is a floor. Each stands only on what its line names, and the compiler holds it to that.

let package = Package(
  name: "banchan",
  products: [
    .executable(name: "banchan", targets: ["banchan"]),
    // For apps: stands on nothing but Foundation.
    .library(name: "BanchanClient", targets: ["BanchanClient"]),
    // The picture worker. It links the decoders, which the server does not: `swift build --product banchan` works without.
    .executable(name: "banchan-derive", targets: ["banchan-derive"]),
    // For LD_PRELOAD, by a test and by the benchmark.
    .library(name: "MallocCounter", type: .dynamic, targets: ["MallocCounter"]),
  ],
  targets: [
    // Floor 1: C headers, and the shims that Swift cannot say.
    .target(name: "CLinux"),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .target(
      name: "CCodecs",
      // Of no use to anybody unoptimised: a test would wait minutes for a large picture.
      cSettings: [.unsafeFlags(["-O2"])],
      linkerSettings: [
        .linkedLibrary("jpeg"), .linkedLibrary("png16"), .linkedLibrary("webp"), .linkedLibrary("lcms2"),
      ]),

    // Floor 2: values and system faces.
    .target(name: "Text"),
    .target(name: "JSON"),
    .target(name: "Metrics"),
    .target(name: "SQLite", dependencies: ["CSQLite"]),
    .target(name: "HTTP", dependencies: ["Text"]),
    .target(name: "Net", dependencies: ["Metrics", "CLinux", "COpenSSL"]),
    // What server and picture worker say to each other.
    .target(name: "DeriveWire"),

    // Floor 3: what the shop is made of.
    .target(name: "Server", dependencies: ["Net", "HTTP", "Metrics", "CLinux"]),
    .target(name: "Client", dependencies: ["Net", "HTTP"]),
    .target(name: "Catalog", dependencies: ["SQLite", "Text", "JSON"]),
    .target(
      name: "Images",
      dependencies: [
        "SQLite", "Client", "HTTP", "Net", "Text", "Metrics", "DeriveWire", "COpenSSL", "CZlib", "CLinux",
      ]),
    // The picture worker's work, beside the server: neither imports the other.
    .target(name: "Derive", dependencies: ["DeriveWire", "CCodecs", "CLinux"]),

    // Floor 4: the application.
    .target(
      name: "Shop",
      dependencies: [
        "Catalog", "Images", "Server", "Client", "SQLite", "Net", "HTTP", "Text", "JSON", "Metrics", "CZlib", "CLinux",
      ]),

    // Floor 5: the command line.
    .executableTarget(
      name: "banchan",
      dependencies: [
        "Shop", "Catalog", "Images", "Server", "Client", "Net", "HTTP", "Text", "JSON", "Metrics", "CLinux",
      ]),
    .executableTarget(name: "banchan-derive", dependencies: ["Derive", "CLinux"]),

    .target(name: "BanchanClient"),

    .testTarget(name: "BanchanClientTests", dependencies: ["BanchanClient"]),
    .testTarget(name: "TextTests", dependencies: ["Text"]),
    .testTarget(name: "JSONTests", dependencies: ["JSON"]),
    .testTarget(name: "MetricsTests", dependencies: ["Metrics"]),
    .testTarget(name: "SQLiteTests", dependencies: ["SQLite"]),
    .testTarget(name: "HTTPTests", dependencies: ["HTTP"]),
    .testTarget(name: "NetTests", dependencies: ["Net", "OriginScripts", "CLinux"]),
    .testTarget(name: "ServerTests", dependencies: ["Server", "Net", "HTTP", "OriginScripts", "CLinux"]),
    .target(name: "OriginScripts", dependencies: ["Net", "CLinux", "COpenSSL", "CZlib"], path: "Tests/OriginScripts"),
    .testTarget(name: "ClientTests", dependencies: ["Client", "OriginScripts", "Net", "HTTP", "CLinux"]),
    .testTarget(name: "CatalogTests", dependencies: ["Catalog", "SQLite", "JSON", "Text"], exclude: ["Fixtures"]),
    // A program that tests kill while it stores pictures, and what it stores.
    .target(name: "CacheStormPictures", path: "Tests/CacheStorm/Pictures"),
    .executableTarget(
      name: "cache-storm", dependencies: ["CacheStormPictures", "Images", "Client", "HTTP", "Net"],
      path: "Tests/CacheStorm/Program"),
    // A caching reverse proxy for everything, of the product's parts, for the public tests of HTTP caches.
    .executableTarget(
      name: "cache-proxy", dependencies: ["Images", "Client", "Server", "HTTP", "Net", "CLinux"],
      path: "Tests/CacheTests/Proxy"),
    .testTarget(
      name: "DeriveTests", dependencies: ["Derive", "DeriveWire", "OriginScripts", "CLinux"], exclude: ["Oracle"]),
    // What a picture worker may come to.
    .executableTarget(name: "bad-worker", dependencies: ["Derive", "DeriveWire", "CLinux"], path: "Tests/BadWorker"),
    .testTarget(
      name: "ImagesTests",
      dependencies: [
        "Images", "cache-storm", "CacheStormPictures", "Client", "OriginScripts", "SQLite", "HTTP", "Net", "DeriveWire",
        "CLinux", "bad-worker",
      ]),
    .testTarget(
      name: "ShopTests",
      dependencies: ["Shop", "Catalog", "SQLite", "Images", "Client", "OriginScripts", "HTTP", "Net", "JSON"],
      exclude: ["Backups/Fixtures"]),
    .target(name: "MallocCounter", path: "Tests/MallocCounter"),
    .testTarget(name: "BanchanTests", dependencies: ["banchan"]),
    .testTarget(
      name: "AcceptanceTests", dependencies: ["banchan", "BanchanClient", "OriginScripts", "CLinux", "JSON"]),

    // What must hold whatever the bytes are, checked over kept inputs; `make fuzz` checks it over random ones.
    .target(
      name: "FuzzTargets",
      dependencies: ["Shop", "Catalog", "Images", "Client", "HTTP", "Text", "JSON", "Derive", "DeriveWire"],
      path: "Tests/Fuzz/Targets"),
    .testTarget(name: "FuzzTests", dependencies: ["FuzzTargets"], path: "Tests/Fuzz/Replay"),
  ]
)

// The fuzzer links only when the compiler is told to add libFuzzer, which `make fuzz` does; nothing else sees it.
if Context.environment["BANCHAN_FUZZ"] != nil {
  package.targets += [
    .systemLibrary(name: "CLibFuzzer", path: "Tests/Fuzz/CLibFuzzer"),
    .executableTarget(name: "fuzz", dependencies: ["FuzzTargets", "CLibFuzzer"], path: "Tests/Fuzz/Driver"),
  ]
}

// The container is built from what is shipped, without looking at a test.
if Context.environment["BANCHAN_SHIPPED_ONLY"] != nil {
  package.targets.removeAll { $0.type == .test || $0.path?.hasPrefix("Tests/") == true }
  package.products.removeAll { $0.name == "MallocCounter" }
}

for target in package.targets where target.type != .system {
  // An async function runs on its caller's executor, and so asks the runtime nothing when it starts and when it ends.
  target.swiftSettings = [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]
}

// On the way of every request, what is shipped does not look for overlapping accesses to a variable: the tests do, which
// run the same code in a build that checks each access.
for target in package.targets where ["HTTP", "Metrics", "Net", "Server"].contains(target.name) {
  target.swiftSettings?.append(.unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release)))
}

// Pixels by the million: unoptimised, the tests of large pictures would take minutes. Every check stays on.
for target in package.targets where target.name == "Derive" {
  target.swiftSettings?.append(.unsafeFlags(["-O"], .when(configuration: .debug)))
}
