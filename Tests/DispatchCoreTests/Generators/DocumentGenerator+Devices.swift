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
                    "userId": { $0.choice("alice", "Zoë Ölander", "x y") },
                    "topic": { $0.choice("com.example.app", "!~") },
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
                "id": { $0.categoryID() }, "actions": { $0.actions(0...10) },
                "intents": { $0.list(0...16) { $0.name() } },
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
                "contentExtension": { $0.contentExtension() }, "rules": { $0.list(0...32) { $0.rule() } },
            ]
        )
    }

    private mutating func rule() -> JSONValue {
        // Short ones: an update has a limit as a whole.
        let wasLavish = isLavish
        isLavish = false
        defer { isLavish = wasLavish }
        return object(
            40,
            needed: ["on", "update"],
            [
                "on": { .string("on" + $0.word()) }, "from": { $0.integer(1...5) }, "to": { $0.integer(5...1_000) },
                "since": { .string("since" + $0.word()) }, "for": { $0.choice("device", "user") },
                "update": {
                    guard case .object(let members) = $0.content() else { return .object([]) }
                    let some = members.prefix(2).filter { $0.name != "liveActivity" }
                    return .object(some + [JSONMember(name: "liveActivity", value: .null)])
                },
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

    /// An installation's template: JSON or XML with holes; one in five has something that no platform takes.
    mutating func template() -> JSONValue {
        let isOdd = chance(20)
        let header = isOdd ? headerText() : choice("5", "10")
        return object(
            isOdd ? 40 : 15,
            needed: ["body"],
            [
                "body": { .string($0.templateBody(isOdd: isOdd)) },
                "headers": { .object([JSONMember(name: isOdd ? $0.word() : "apns-priority", value: header)]) },
                "expiry": { $0.choice("$(expiry)", "2026-12-01T12:00:00Z", "0", "$(title)") },
                "tags": { $0.list(0...3) { .string($0.word()) } }, "syntax": { $0.choice("azure", "extended") },
            ]
        )
    }

    private mutating func headerText() -> JSONValue { choice("5", "wns/toast", "$(x)", "{'a' + $(x)}", "wns/raw", "") }

    private mutating func templateBody(isOdd: Bool) -> String {
        guard isOdd else { return filled(dice.pick(Self.templateBodies.map(\.value)), isOdd: false) }
        let bodies = [
            #"{"data":{"a":"HOLE","HOLE":["HOLE"]},"title":"HOLE"}"#, words(upTo: 200) + "HOLE", "<tile>HOLE</tile>",
            #"{"aps":{"alert":"HOLE","badge":"HOLE HOLE"}}"#, #"<badge value="HOLE"/>"#, "<toast><!-- HOLE --></toast>",
        ]
        return filled(dice.pick(bodies + Self.templateBodies.map(\.value)), isOdd: true)
    }

    /// The body with other expressions in some of its places.
    private mutating func filled(_ body: String, isOdd: Bool) -> String {
        var body = body
        for place in ["HOLE", "$(title)", "$(body)", "$(x)", "#(count)"] {
            body = body.replacing(place, with: chance(50) && place != "HOLE" ? place : hole(isOdd: isOdd))
        }
        return body
    }

    private mutating func hole(isOdd: Bool) -> String {
        let sound = [
            "$(title)", "$(missing)", ".(name,3)", ".(body, 20)", "%(name)", "{'Hi ' + $(name)}", "plain", "#(count)",
            "{.(title,5) + ' ' + $(body)}", "é🎉", "",
        ]
        let odd = [
            "$(a.b)", "$(x:{fallback})", "$(x", "{'", "{$(x) + }", "$body", "#(x) #(x)", "$(deep[0].a)", "$()", "{}",
            "@(upper(title))", "é$(body)🎉", "{'it''s'}", "%(x, 3)", ".(x)", ".(x,99999999999)", "&amp;", "$(x y)",
        ]
        return dice.pick(isOdd && chance(50) ? odd : sound)
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
