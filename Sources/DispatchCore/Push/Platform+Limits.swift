extension Platform {
    /// The largest payload the gateway takes, in bytes of the encoded body.
    ///
    /// FCM counts the message without its address, so a long device token never makes a push too large. A browser's
    /// payload grows by a fixed size when it is encrypted for the device: 3993 bytes become 4096.
    public var payloadLimit: Int {
        switch self {
        case .apns, .fcmV1, .hms: 4096
        case .browser: WebPushRenderer.bodyLimit - WebPushRenderer.encryptionOverhead
        case .wns: 5000
        case .adm: 6144
        }
    }
}
