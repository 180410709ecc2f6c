import DispatchCore

/// What devices and apps tell the hub.
extension DocumentGenerator {
    /// An installation that decodes.
    mutating func installation() -> JSONValue {
        let platform = platform()
        guard
            case .object(var members) = object(
                40,
                needed: ["installationId", "platform", "pushChannel"],
                [
                    "installationId": { .string($0.word()) }, "platform": { _ in .string(platform) },
                    "pushChannel": { $0.address(on: platform) }, "hub": { $0.choice("default", "shop") },
                    "userId": { $0.choice("alice", "Zoë Ölander", "x y") }, "topic": { $0.name() },
                    "tags": { $0.list(0...60) { .string($0.word()) } },
                    "templates": { _ in .object([JSONMember(name: "default", value: Self.soundTemplate(on: platform))])
                    },
                    "locale": { .string($0.locale()) }, "timeZone": { $0.choice("Europe/Paris", "UTC", "Etc/GMT+5") },
                    "permission": { $0.choice("notDetermined", "authorized", "denied", "provisional", "ephemeral") },
                    "expirationTime": { $0.time() },
                ]
            )
        else { return .null }
        if platform == "apns", chance(50) {
            members.append(JSONMember(name: "environment", value: choice("sandbox", "production")))
        }
        return .object(members)
    }

    /// A category that decodes.
    mutating func category() -> JSONValue {
        object(
            40,
            needed: ["id"],
            [
                "id": { $0.name() }, "actions": { $0.actions(0...10) }, "intents": { $0.list(0...16) { $0.name() } },
                "options": {
                    $0.list(0...5) {
                        $0.choice(
                            "customDismissAction",
                            "allowInCarPlay",
                            "hiddenPreviewsShowTitle",
                            "hiddenPreviewsShowSubtitle",
                            "allowAnnouncement"
                        )
                    }
                },
                "hiddenPreviewsBodyPlaceholder": { $0.name() }, "summaryFormat": { $0.name() },
                "contentExtension": { $0.contentExtension() },
            ]
        )
    }

    private mutating func contentExtension() -> JSONValue {
        object(
            50,
            [
                "defaultContentHidden": { $0.flag() },
                "initialContentSizeRatio": { Self.number($0.dice.pick(["1", "0.50", "10", "1e-9"])) },
                "mediaPlayPauseButton": { $0.choice("none", "default", "overlay") },
            ]
        )
    }

    /// A receipt that decodes.
    mutating func receipt() -> JSONValue {
        let kind = dice.pick(["fetched", "displayed", "read", "dismissed", "action", "reply"])
        var members = [
            JSONMember(name: "id", value: name()), JSONMember(name: "installationId", value: .string(word())),
            JSONMember(name: "kind", value: .string(kind)), JSONMember(name: "at", value: time()),
            JSONMember(
                name: "notificationId",
                value: chance(50) ? .string("0193f2c4-7d1e-7abc-8def-0123456789ab") : integer(1...9_007_199_254_740_991)
            ),
        ]
        if chance(30) { members.append(JSONMember(name: "hub", value: .string("shop"))) }
        if kind == "action" || kind == "reply" {
            members.append(JSONMember(name: "actionId", value: name()))
            if chance(50) { members.append(JSONMember(name: "response", value: choice("doNotDismiss", "dismiss"))) }
        }
        if kind == "reply" { members.append(JSONMember(name: "text", value: .string(words(upTo: 4_096)))) }
        members.shuffle(using: &dice)
        return .object(members)
    }

    /// An installation's template: JSON or XML with holes, or text that is neither.
    mutating func template() -> JSONValue {
        object(
            30,
            needed: ["body"],
            [
                "body": { .string($0.templateBody()) },
                "headers": {
                    .object([
                        JSONMember(name: $0.dice.pick(["apns-priority", "X-WNS-Type", "x"]), value: $0.headerText())
                    ])
                },
                "expiry": { $0.choice("$(expiry)", "2026-12-01T12:00:00Z", "60", "") },
                "tags": { $0.list(0...3) { .string($0.word()) } }, "syntax": { $0.choice("azure", "extended") },
            ]
        )
    }

    private mutating func headerText() -> JSONValue { choice("5", "wns/toast", "$(x)", "{'a' + $(x)}", "wns/raw") }

    private mutating func templateBody() -> String {
        let hole = hole()
        return switch dice.below(5) {
        case 0: #"{"aps":{"alert":{"title":"\#(hole)","body":"\#(self.hole())"},"badge":"\#(self.hole())"},"x":1.10}"#
        case 1: #"{"message":{"notification":{"body":"\#(hole)"},"data":{"k":"\#(self.hole())"}}}"#
        case 2:
            #"<toast launch="\#(hole)"><visual><binding template="ToastGeneric"><text>\#(self.hole())</text></binding></visual></toast>"#
        case 3: #"{"data":{"a":"\#(hole)","\#(self.hole())":["\#(self.hole())"]},"title":"\#(hole)"}"#
        default: words(upTo: 200) + hole
        }
    }

    private mutating func hole() -> String {
        dice.pick([
            "$(title)", "$(body)", "$(missing)", "#(count)", "#(x)", ".(name, 3)", "%(name)", "{'Hi ' + $(name)}",
            "{$(a.b) + ' ' + .(body, 5)}", "$(x:{fallback})", "$(x", "{'", "{$(x) + }", "plain", "$body", "$(Name)",
            "@(upper(title))", "$(deep[0].a)", "\\\"$(title)\\\"", "é$(body)🎉",
        ])
    }
}

extension DocumentGenerator {
    /// A template's body that each platform takes whatever the properties are.
    static let templateBodies: KeyValuePairs<Platform, String> = [
        .apns: ##"{"aps":{"alert":{"title":"$(title)","body":"$(body)"},"badge":"#(count)"},"x":"$(x)"}"##,
        .fcmV1: #"{"message":{"notification":{"title":"$(title)"},"data":{"x":"$(x)"}}}"#,
        .browser: #"{"title":"$(title)","x":"{'Hi ' + $(name)}"}"#,
        .wns:
            #"<toast launch="$(x)"><visual><binding template="ToastGeneric"><text>$(title)</text></binding></visual></toast>"#,
        .adm: #"{"data":{"title":"$(title)"}}"#,
        .hms: #"{"message":{"data":"$(x)"}}"#,
    ]

    private static func soundTemplate(on platform: String) -> JSONValue {
        let body = templateBodies.first { $0.key.name == platform }?.value ?? ""
        return .object([JSONMember(name: "body", value: .string(body))])
    }
}
