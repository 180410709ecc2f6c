/// When a template lets its push become worthless.
struct TemplateExpiry: Hashable, Sendable {
    /// The seconds of the times that can be written, which end with the year 9999.
    static let seconds: ClosedRange<Int64> = 0...253_402_300_799

    /// The instant; nil for a push that is sent now or never.
    let instant: Timestamp?

    /// The seconds of an instant, 0 for now or never.
    init(seconds: Int64) {
        instant = seconds == 0 ? nil : Timestamp(seconds: seconds)
    }

    /// Reads `0` or a time; nil for anything else.
    ///
    /// Taken are RFC 3339 and what the SDKs of Azure Notification Hubs write of ISO 8601: a day alone, no seconds, seven
    /// digits of fraction, no colon in the zone; without a zone it is UTC.
    init?(_ text: String) {
        if text == "0" {
            instant = nil
            return
        }
        guard let normal = Self.normal(Array(text.utf8)), let instant = Timestamp(rfc3339: normal) else { return nil }
        self.instant = instant
    }

    /// The context with this end, unless its own is earlier.
    func shortening(_ context: RenderContext) -> RenderContext {
        var context = context
        guard let instant else {
            context.options.isNowOrNever = true
            return context
        }
        context.options.expiresAt = context.options.expiresAt.map { min($0, instant) } ?? instant
        return context
    }

    /// The time as RFC 3339 spells it.
    private static func normal(_ text: [UInt8]) -> String? {
        guard text.count <= 64 else { return nil }
        let day = text.prefix(10)
        guard text.count > 10 else { return String(decoding: day, as: UTF8.self) + "T00:00:00Z" }
        let rest = text[10...].dropFirst()
        guard [UInt8(ascii: "T"), UInt8(ascii: "t"), 0x20].contains(text[10]) else { return nil }
        let time = rest.prefix { JSONReader.isDigit($0) || $0 == UInt8(ascii: ":") }
        let fraction = rest.dropFirst(time.count).prefix { JSONReader.isDigit($0) || $0 == UInt8(ascii: ".") }
        let zone = rest.dropFirst(time.count + fraction.count)
        let parts: [[UInt8]] = [
            Array(day), Array("T".utf8), Array(time), time.count == 5 ? Array(":00".utf8) : [],
            Array(fraction.prefix(7)), normalZone(Array(zone)),
        ]
        return String(decoding: parts.joined(), as: UTF8.self)
    }

    private static func normalZone(_ zone: [UInt8]) -> [UInt8] {
        if zone.isEmpty { return [UInt8(ascii: "Z")] }
        guard zone.count == 5, zone.dropFirst().allSatisfy(JSONReader.isDigit) else { return zone }
        return zone[..<3] + [UInt8(ascii: ":")] + zone[3...]
    }
}
