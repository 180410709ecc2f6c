/// What one credential reaches at a gateway: pushes that a refusal of the hub, not of a device, would all meet.
///
/// APNs is divided by environment and topic, browsers by push service; at the other platforms a hub has one channel. As the
/// reach of a pause, hub 0 stands for every hub and an empty target for every target, but no environment for the other.
public struct ChannelKey: Hashable, Sendable {
    /// The hub's number, or 0 for all.
    public let hub: Int32

    /// The platform.
    public let platform: Platform

    /// The topic or the push service's origin; empty where there is none, or for all.
    public let target: String

    /// Whether it is APNs' sandbox, whose hosts and tokens are not those of production.
    public let isSandbox: Bool

    /// Names a channel, or the reach of a pause.
    public init(hub: Int32, platform: Platform, target: String = "", isSandbox: Bool = false) {
        self.hub = hub
        self.platform = platform
        self.target = target
        self.isSandbox = isSandbox
    }

    /// The channel of a device by its topic, push channel and environment.
    public init(hub: Int32, platform: Platform, topic: String?, channel: String, isSandbox: Bool = false) {
        let target = Self.target(platform, topic: topic, channel: channel)
        self.init(hub: hub, platform: platform, target: target, isSandbox: isSandbox)
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
        case .credential: platform == .browser ? self : reaching(hub, target: "")
        case .origin: reaching(0, target: target)
        case .platform: reaching(0, target: "")
        }
    }

    /// The gateway as one credential reaches it: what a retry budget is for.
    var gateway: ChannelKey { platform == .browser ? self : reaching(hub, target: "") }

    private func reaching(_ hub: Int32, target: String) -> ChannelKey {
        ChannelKey(hub: hub, platform: platform, target: target, isSandbox: isSandbox)
    }

    /// Every pause that holds this channel up has one of these keys.
    var reaches: [ChannelKey] {
        let everywhere = reaching(0, target: "")
        return target.isEmpty
            ? [self, everywhere] : [self, reaching(hub, target: ""), reaching(0, target: target), everywhere]
    }
}
