/// What one credential reaches at a gateway: pushes that a refusal of the hub, not of a device, would all meet.
///
/// APNs is divided by topic and browsers by push service; at the other platforms a hub has one channel. As the reach of
/// a pause, hub 0 stands for every hub and an empty target for every target.
public struct ChannelKey: Hashable, Sendable {
    /// The hub's number, or 0 for all.
    public let hub: Int32

    /// The platform.
    public let platform: Platform

    /// The topic or the push service's origin; empty where there is none, or for all.
    public let target: String

    /// Names a channel, or the reach of a pause.
    public init(hub: Int32, platform: Platform, target: String = "") {
        self.hub = hub
        self.platform = platform
        self.target = target
    }

    /// The channel of a device by its topic and push channel.
    public init(hub: Int32, platform: Platform, topic: String?, channel: String) {
        self.init(hub: hub, platform: platform, target: Self.target(platform, topic: topic, channel: channel))
    }

    private static func target(_ platform: Platform, topic: String?, channel: String) -> String {
        switch platform {
        case .apns: topic ?? ""
        case .browser: origin(of: channel)
        case .fcmV1, .wns, .adm, .hms: ""
        }
    }

    /// Scheme and host of a subscription's endpoint, or of a bare address; empty when it has none.
    static func origin(of channel: String) -> String {
        var channel = channel
        return channel.withUTF8 { bytes in
            let start = bytes.starts(with: subscription) ? subscription.count : 0
            guard let colon = bytes[start...].firstIndex(of: UInt8(ascii: ":")) else { return "" }
            var end = colon + 3
            guard end <= bytes.count, bytes[colon + 1] == slash, bytes[colon + 2] == slash else { return "" }
            while end < bytes.count, bytes[end] != slash, bytes[end] != UInt8(ascii: "\"") { end += 1 }
            return String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<end]), as: UTF8.self)
        }
    }

    private static let slash = UInt8(ascii: "/")

    /// How a browser's channel begins: the canonical JSON of its subscription.
    private static let subscription = Array(#"{"endpoint":""#.utf8)
}

extension ChannelKey {
    /// How far an answer to this channel reaches; nil when it concerns a device or a connection alone.
    public func reach(of scope: PauseScope) -> ChannelKey? {
        switch scope {
        case .none, .device, .connection: nil
        case .app: self
        case .credential: platform == .browser ? self : ChannelKey(hub: hub, platform: platform)
        case .origin: ChannelKey(hub: 0, platform: platform, target: target)
        case .platform: ChannelKey(hub: 0, platform: platform)
        }
    }

    /// Every pause that holds this channel up has one of these keys.
    var reaches: [ChannelKey] {
        let all = [
            self, ChannelKey(hub: hub, platform: platform), ChannelKey(hub: 0, platform: platform, target: target),
            ChannelKey(hub: 0, platform: platform),
        ]
        return target.isEmpty ? [all[0], all[3]] : all
    }
}
