extension JobContent {
    /// Whether nobody notices the push: nothing is shown and nothing is heard.
    ///
    /// A template may do either, and a browser must show something.
    public func isSilent(on platform: Platform) -> Bool {
        switch self {
        case .neutral(let content): !content.hasText && (content.sound == nil || content.sound == .silent)
        case .native(let payloads): payloads[platform].map { Self.isSilent($0, on: platform) } ?? false
        case .template: false
        }
    }

    private static func isSilent(_ payload: JSONValue, on platform: Platform) -> Bool {
        switch platform {
        case .apns: payload["aps"]?["alert"] == nil && payload["aps"]?["sound"] == nil
        case .fcmV1, .hms, .adm:
            [payload, payload["message"]].allSatisfy { message in
                message?["notification"] == nil && message?["android"]?["notification"] == nil
            }
        case .wns: !(payload.string?.contains("<toast") ?? false)
        case .browser: false
        }
    }
}
