import DispatchCore

extension DocumentGenerator {
    /// A send job that decodes.
    mutating func job() -> JSONValue {
        let payload: JSONMember =
            switch dice.below(10) {
            case 0: JSONMember(name: "native", value: native())
            case 1: JSONMember(name: "template", value: properties())
            default: JSONMember(name: "content", value: content())
            }
        return job(payload)
    }

    /// A send job with this payload.
    mutating func job(_ payload: JSONMember) -> JSONValue {
        guard
            case .object(var members) = object(
                60,
                needed: ["id", "to"],
                [
                    "id": { _ in .string("0193f2c4-7d1e-7abc-8def-0123456789ab") },
                    "hub": { $0.choice("default", "a.b") },
                    "to": { $0.target() }, "options": { $0.options() },
                ]
            )
        else { return .null }
        members.insert(payload, at: dice.below(members.count + 1))
        return .object(members)
    }

    private mutating func target() -> JSONValue {
        let audience: JSONMember =
            switch dice.below(5) {
            case 0: JSONMember(name: "tags", value: .string(expression()))
            case 1: JSONMember(name: "users", value: list(1...20) { .string($0.word()) })
            case 2: JSONMember(name: "installations", value: list(1...20) { .string($0.word()) })
            case 3: JSONMember(name: "channels", value: list(1...8) { $0.channel() })
            default: JSONMember(name: "broadcast", value: .bool(true))
            }
        let platforms = JSONMember(name: "platforms", value: list(1...6) { .string($0.platform()) })
        return .object(chance(40) ? [audience, platforms] : [audience])
    }

    mutating func expression() -> String {
        TagExpressionPropertyTests.expression(depth: 3, using: &dice).description
    }

    mutating func platform() -> String { dice.pick(Platform.allCases).name }

    private mutating func channel() -> JSONValue {
        let platform = platform()
        return .object([
            JSONMember(name: "platform", value: .string(platform)),
            JSONMember(name: "token", value: address(on: platform)),
        ])
    }

    /// The push channel of a device.
    mutating func address(on platform: String) -> JSONValue {
        guard platform == "browser" else { return choice("t", "token:1/+=\"\\", "https://x/?token=a&b", "tök€n") }
        return .object([
            JSONMember(
                name: "endpoint",
                value: choice("https://push.example.net/v1/a", "https://x.notify.windows.com/w")
            ),
            JSONMember(name: "p256dh", value: .string("BNcR")), JSONMember(name: "auth", value: .string("tBHI==")),
        ])
    }

    mutating func options() -> JSONValue {
        let makers: KeyValuePairs<String, Maker> = [
            "priority": { $0.choice("high", "normal", "low") },
            "collapseKey": { .string($0.words(upTo: 255)) },
            "guarantee": { $0.choice("at-least-once", "at-most-once") },
            "oversize": { $0.choice("refuse", "truncate") }, "templateName": { $0.name() },
            "replaces": { $0.choice("0193f2c4-7d1e-7abc-8def-0123456789ab", "0193F2C4-7D1E-7ABC-8DEF-0123456789AB") },
            "apns": {
                .object([JSONMember(name: "pushType", value: .string($0.dice.pick(APNsPushType.allCases).rawValue))])
            },
            "browser": {
                .object([JSONMember(name: "urgency", value: $0.choice("very-low", "low", "normal", "high"))])
            },
            "wns": { $0.wnsOptions() },
        ]
        guard case .object(var members) = object(20, makers) else { return .null }
        switch dice.below(4) {
        case 0: members.append(JSONMember(name: "expiresAt", value: time()))
        case 1: members.append(JSONMember(name: "ttlSeconds", value: integer(0...2_419_200)))
        default: break
        }
        if dice.below(4) == 0 { members.append(JSONMember(name: "class", value: choice("news", "a.b-c_1"))) }
        if dice.below(3) == 0 {
            members.append(JSONMember(name: "timeZone", value: choice("device", "Europe/Paris", "Etc/GMT+5")))
            members.append(JSONMember(name: "sendAt", value: choice("2026-12-24T18:00:00", "2026-12-24t18:00:00.25")))
        }
        return .object(members)
    }

    private mutating func wnsOptions() -> JSONValue {
        object(
            40,
            atLeastOne: true,
            [
                "type": { $0.choice("toast", "tile", "badge", "raw") },
                "cachePolicy": { $0.choice("cache", "no-cache") }, "group": { $0.choice("g", "ABCdef0123456789") },
            ]
        )
    }

    private mutating func native() -> JSONValue {
        let payload: Maker = { $0.nativePayload() }
        let text: Maker = { $0.nativeText() }
        return object(
            40,
            atLeastOne: true,
            ["apns": payload, "fcmV1": payload, "hms": payload, "adm": payload, "browser": text, "wns": text]
        )
    }

    /// Something near to what some vendor takes.
    private mutating func nativePayload(depth: Int = 3) -> JSONValue {
        let words = [
            "aps", "alert", "message", "data", "notification", "android", "token", "title", "body", "badge", "sound",
            "content-available", "event", "content-state", "timestamp", "priority", "ttl", "consolidationKey",
        ]
        var seen: Set<String> = []
        let members = (0...dice.below(4)).compactMap { _ in
            let name = dice.pick(words)
            guard seen.insert(name).inserted else { return nil as JSONMember? }
            return JSONMember(
                name: name,
                value: depth > 0 && chance(50) ? nativePayload(depth: depth - 1) : anything(depth: 1)
            )
        }
        return .object(members)
    }

    private mutating func nativeText() -> JSONValue {
        switch dice.below(3) {
        case 0: nativePayload()
        case 1: .string(words(upTo: 5_000))
        default:
            choice(
                "<toast/>",
                "<tile>",
                "<badge value=\"1\"/>",
                "<?xml version=\"1.0\"?><!-- x --><toast></toast>",
                "<"
            )
        }
    }

    /// The properties of a template.
    mutating func properties() -> JSONValue {
        let names = ["title", "body", "x", "name", "count", "a.b", "Name"]
        var members = names.compactMap { name in
            chance(60) ? JSONMember(name: name, value: property()) : nil
        }
        members += (0..<dice.below(3)).map { JSONMember(name: "p\($0)" + words(upTo: 20), value: property()) }
        return .object(members)
    }

    private mutating func property() -> JSONValue {
        let value = anything(depth: 2)
        return value == .null ? .string("") : value
    }
}
