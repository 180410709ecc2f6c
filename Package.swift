// swift-tools-version: 6.2

import PackageDescription

// Every target is compiled with the same rules: language mode 6, no warnings, explicit existentials and imports.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let package = Package(
    name: "dispatcher",
    products: [
        .executable(name: "dispatcher", targets: ["Dispatcher"])
    ],
    targets: [
        .systemLibrary(name: "CRabbit", pkgConfig: "librabbitmq", providers: [.apt(["librabbitmq-dev"])]),
        .systemLibrary(name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .systemLibrary(name: "CMicroHTTPD", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
        .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .target(name: "AMQP", dependencies: ["CRabbit"], swiftSettings: settings),
        .target(name: "Postgres", dependencies: ["CPostgres"], swiftSettings: settings),
        .target(name: "HTTP", dependencies: ["CMicroHTTPD"], swiftSettings: settings),
        .target(name: "Crypto", dependencies: ["COpenSSL"], swiftSettings: settings),
        .target(name: "DispatchCore", swiftSettings: settings),
        .target(name: "Gateways", dependencies: ["DispatchCore"], swiftSettings: settings),
        .executableTarget(
            name: "Dispatcher",
            dependencies: ["DispatchCore", "Gateways", "AMQP", "Postgres", "HTTP", "Crypto"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "DispatchCoreTests",
            dependencies: ["DispatchCore"],
            exclude: ["Corpus"],
            resources: [.copy("Fixtures")],
            swiftSettings: settings
        ),
        .testTarget(name: "AMQPTests", dependencies: ["AMQP"], swiftSettings: settings),
        .testTarget(name: "PostgresTests", dependencies: ["Postgres"], swiftSettings: settings),
        .testTarget(name: "HTTPTests", dependencies: ["HTTP"], swiftSettings: settings),
        .testTarget(name: "CryptoTests", dependencies: ["Crypto"], swiftSettings: settings),
        .testTarget(name: "GatewaysTests", dependencies: ["Gateways", "DispatchCore"], swiftSettings: settings),
        .testTarget(
            name: "DispatcherTests",
            dependencies: ["Dispatcher", "DispatchCore", "Gateways", "AMQP", "Postgres", "HTTP", "Crypto"],
            swiftSettings: settings
        ),
    ]
)
