import DispatchCore

extension PushRequest {
    /// A request to `channel`, with a body of `size` bytes.
    static func example(
        _ channel: String,
        platform: Platform = .apns,
        attempt: Int = 1,
        size: Int = 20,
        installation: Int64 = 1
    ) -> PushRequest {
        let text = String(repeating: "x", count: size - 8)
        return PushRequest(
            push: PreparedPush(platform: platform, bodyHead: Array(#"{"a":"\#(text)"}"#.utf8)),
            notification: UUIDValue(high: 1, low: 2),
            number: NotificationID(rawValue: 3),
            installation: InstallationKey(rawValue: installation),
            installationID: "phone-\(installation)",
            channel: channel,
            attempt: attempt
        )
    }
}
