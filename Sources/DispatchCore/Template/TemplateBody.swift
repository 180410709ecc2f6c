/// A body that was read, and what its platform needs to know of it.
struct TemplateBody: Hashable, Sendable {
    /// What the platform needs to know.
    enum Kind: Hashable, Sendable {
        case apns(APNsTemplateRules)
        case wns(WNSOptions.Kind)
        case fcm(TemplateOutline)
        case browser
        case adm(TemplateOutline)
        case hms
    }

    let program: TemplateProgram
    let kind: Kind

    /// Reads a body for `platform`; `wnsType` is the template's own `X-WNS-Type`.
    init(
        _ source: String,
        platform: Platform,
        syntax: TemplateSyntax,
        wnsType: String?
    ) throws(TemplateError) {
        if platform == .wns {
            (program, kind) = try Self.windows(source, syntax: syntax, type: wnsType)
            return
        }
        let value = try Self.json(Array(source.utf8))
        guard value.members != nil else {
            throw TemplateError(.unsupportedBody, reason: "The body must be a JSON object.")
        }
        program =
            try platform == .fcmV1
            ? FCMTemplateCompiler.compile(value, syntax: syntax) : Self.compile(value, syntax)
        switch platform {
        case .apns: kind = .apns(try APNsTemplateRules(value, syntax: syntax))
        case .fcmV1:
            kind = .fcm(try Self.outline(FCMTemplateCompiler.withoutData(value), on: platform, syntax: syntax))
        case .browser: kind = .browser
        case .adm: kind = .adm(try Self.outline(value, on: platform, syntax: syntax))
        case .hms:
            _ = try Self.outline(value, on: platform, syntax: syntax)
            kind = .hms
        case .wns: kind = .wns(.raw)
        }
    }

    /// What is to be checked of each rendering; the same for all of them is checked now.
    private static func outline(
        _ value: JSONValue,
        on platform: Platform,
        syntax: TemplateSyntax
    ) throws(TemplateError) -> TemplateOutline {
        let outline = try TemplateOutline(value, platform: platform, syntax: syntax)
        guard let settled = outline.settled else {
            if let lack = lack(of: value, on: platform) { throw TemplateError(.platformRule, reason: lack) }
            return outline
        }
        do { try PushRenderer.check(native: settled, on: platform) } catch { throw error.templateError }
        return outline
    }

    /// The member that no expression can bring: names have none.
    private static func lack(of body: JSONValue, on platform: Platform) -> String? {
        switch platform {
        case .adm where body["data"] == nil && body["notification"] == nil:
            return "The body needs data or notification."
        case .hms:
            let message = body["message"] ?? body
            let android = message["android"] ?? .object([])
            guard android.members != nil, message["notification"] != nil || android["notification"] != nil else {
                return nil
            }
            let drawn = android["notification"] ?? .object([])
            let lacks = drawn.members != nil && drawn["click_action"] == nil
            return lacks ? "A notification needs android.notification.click_action." : nil
        case .apns, .fcmV1, .browser, .wns, .adm: return nil
        }
    }

    private static func json(_ source: [UInt8]) throws(TemplateError) -> JSONValue {
        do {
            return try JSONParser.parse(source)
        } catch {
            let reason = "The body is not acceptable JSON: \(error.code.rawValue), expected \(error.expected)."
            throw TemplateError(.invalidJSON, offset: error.offset, reason: reason)
        }
    }

    private static func compile(_ value: JSONValue, _ syntax: TemplateSyntax) throws(TemplateError) -> TemplateProgram {
        var compiler = JSONTemplateCompiler(syntax: syntax)
        try compiler.value(value)
        return compiler.builder.program
    }
}

// A body for Windows is XML, a JSON object or, when the header says so, any text.
extension TemplateBody {
    private static func windows(
        _ source: String,
        syntax: TemplateSyntax,
        type: String?
    ) throws(TemplateError) -> (TemplateProgram, Kind) {
        let isRaw = type?.lowercased() == "wns/raw"
        let bytes = withoutMark(source)
        let first = bytes.first { $0 != 0x20 && !(0x09...0x0D).contains($0) }
        switch first {
        case UInt8(ascii: "<"): return try xml(bytes, syntax, isRaw: isRaw)
        case UInt8(ascii: "{"): return (try compile(try json(bytes), syntax), .wns(.raw))
        default:
            guard isRaw else {
                let reason = "The body must be XML or a JSON object, or the header X-WNS-Type must be wns/raw."
                throw TemplateError(.unsupportedBody, reason: reason)
            }
            var builder = TemplateBuilder()
            builder.text(try TemplateText(parsing: source, syntax: syntax), escaping: .none)
            return (builder.program, .wns(.raw))
        }
    }

    private static func xml(
        _ bytes: [UInt8],
        _ syntax: TemplateSyntax,
        isRaw: Bool
    ) throws(TemplateError) -> (TemplateProgram, Kind) {
        var compiler = XMLTemplateCompiler(
            Array(bytes.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }),
            syntax: syntax
        )
        let program = try compiler.compile()
        if isRaw { return (program, .wns(.raw)) }
        // Exactly so: names in XML, and in Windows' schemas, differ by case.
        guard let kind = WNSOptions.Kind(rawValue: compiler.rootName), kind != .raw else {
            let reason = "The outermost element must be toast, tile or badge, or the header X-WNS-Type wns/raw."
            throw TemplateError(.platformRule, path: "/", reason: reason)
        }
        return (program, .wns(kind))
    }

    /// The body without the byte order mark that editors put before it.
    private static func withoutMark(_ source: String) -> [UInt8] {
        let bytes = Array(source.utf8)
        return bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    }
}
