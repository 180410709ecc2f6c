extension Platform {
    /// The largest payload the gateway takes, in bytes of the encoded body.
    ///
    /// FCM counts the message without its address, so a long device token never makes a push too large.
    public var payloadLimit: Int {
        switch self {
        case .apns, .fcmV1, .browser, .hms: 4096
        case .wns: 5000
        case .adm: 6144
        }
    }
}
