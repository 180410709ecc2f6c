import DispatchCore

/// A registration as a request wants it, and the request's word on whether what is there allows it.
struct WantedRegistration: Sendable {
    let installation: Installation
    /// The device's secret from now on, unless it has one; nil where nobody would hear of it.
    let secretHash: [UInt8]?
    /// Sees what is there, locked, and may refuse.
    let decide: @Sendable (StoredInstallation?) throws -> Void

    /// The id by bytes: what only looks alike is another installation.
    var key: [UInt8] { Array(installation.id.utf8) }
}

/// A push channel as the database compares it.
struct ChannelIdentity: Hashable {
    let platform: Platform
    let text: [UInt8]

    init(_ installation: Installation) {
        platform = installation.platform
        text = Array(installation.pushChannel.utf8)
    }
}
