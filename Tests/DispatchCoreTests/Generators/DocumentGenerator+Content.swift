import DispatchCore

extension DocumentGenerator {
    /// A neutral content that decodes.
    mutating func content() -> JSONValue {
        let names = contentMakers.map(\.key)
        let percent = dice.pick([8, 20, 50])
        var wanted = names.filter { _ in chance(percent) }
        if wanted.contains("attachment") || chance(70) { wanted.append(dice.pick(["title", "subtitle", "body"])) }
        let activity = chance(8) ? liveActivity() : nil
        if activity?["event"] == .string("start") { wanted.append(dice.pick(["title", "body"])) }
        if Set(wanted).isDisjoint(with: ["title", "subtitle", "body", "badge", "data", "rich"]), activity == nil {
            wanted.append(dice.pick(["badge", "data", "rich"]))
        }
        guard case .object(var members) = object(0, needed: wanted, contentMakers) else { return .null }
        if let activity { members.append(JSONMember(name: "liveActivity", value: activity)) }
        return .object(members)
    }

    private var contentMakers: KeyValuePairs<String, Maker> {
        [
            "title": { $0.text() }, "subtitle": { $0.text() }, "body": { $0.text() },
            "localizations": { $0.localizations() },
            "badge": { $0.chance(30) ? .string("unread") : $0.integer(0...2_147_483_647) },
            "sound": { $0.sound() }, "category": { $0.name() }, "actions": { $0.actions(1...10) },
            "thread": { $0.name() },
            "summary": {
                $0.object(
                    50,
                    atLeastOne: true,
                    ["argument": { $0.name() }, "count": { $0.integer(1...2_147_483_647) }]
                )
            },
            "interruptionLevel": { $0.choice("passive", "active", "time-sensitive", "critical") },
            "relevance": { $0.share() }, "attachment": { $0.attachment() }, "rich": { $0.rich() },
            "link": { $0.url() }, "targetContentId": { $0.name() }, "data": { $0.data() },
            "apns": { $0.apnsExtras() }, "fcmV1": { $0.fcmExtras() }, "browser": { $0.browserExtras() },
            "wns": { $0.wnsExtras() }, "hms": { $0.hmsExtras() },
        ]
    }

    mutating func text() -> JSONValue {
        guard chance(15) else { return .string(words(upTo: 4_096)) }
        return object(
            60,
            needed: ["key"],
            [
                "key": { $0.name() },
                "args": { $0.list(0...16) { $0.chance(10) ? .string("") : .string($0.words(upTo: 1_024)) } },
                "fallback": { .string($0.words(upTo: 4_096)) },
            ]
        )
    }

    private mutating func localizations() -> JSONValue {
        let count = isLavish && chance(3) ? 10 : 1 + dice.below(3)
        var names: [String] = []
        for _ in 0..<count {
            let name = locale()
            if !names.contains(name) { names.append(name) }
        }
        return .object(names.map { JSONMember(name: $0, value: localization()) })
    }

    private mutating func localization() -> JSONValue {
        let text: Maker = { .string($0.words(upTo: 4_096)) }
        return object(50, atLeastOne: true, ["title": text, "subtitle": text, "body": text])
    }

    private mutating func sound() -> JSONValue {
        switch dice.below(5) {
        case 0: .string("default")
        case 1: .string("none")
        case 2: name()
        case 3: object(50, atLeastOne: true, ["name": { $0.name() }, "critical": { $0.flag() }])
        default:
            .object([
                JSONMember(name: "critical", value: .bool(true)), JSONMember(name: "volume", value: share()),
                JSONMember(name: "name", value: name()),
            ])
        }
    }

    mutating func actions(_ range: ClosedRange<Int>) -> JSONValue {
        var number = 0
        return list(range) { generator in
            number += 1
            return generator.action(number)
        }
    }

    private mutating func action(_ number: Int) -> JSONValue {
        object(
            30,
            needed: ["id", "title"],
            [
                "id": { $0.uniqueName(number) }, "title": { $0.name() },
                "icon": { $0.chance(50) ? .string("https://example.com/i.png") : $0.name() },
                "options": { $0.list(0...3) { $0.choice("foreground", "destructive", "authenticationRequired") } },
                "input": { $0.object(50, ["buttonTitle": { $0.name() }, "placeholder": { $0.name() }]) },
            ]
        )
    }

    private mutating func attachment() -> JSONValue {
        object(
            50,
            needed: ["url"],
            [
                "url": { $0.secureURL() }, "type": { $0.choice("image/jpeg", "video/mp4", "a/b", "IMAGE/x+y.z") },
                "key": { .string("k" + $0.words(upTo: 200)) },
            ]
        )
    }

    private mutating func rich() -> JSONValue {
        if chance(50) { return object(50, needed: ["url"], ["url": { $0.secureURL() }, "type": { $0.name() }]) }
        return object(
            50,
            [
                "id": { $0.chance(50) ? $0.name() : $0.integer(.min ... .max) },
                "message": { .string($0.words(upTo: 4_096)) }, "type": { $0.name() }, "content": { $0.richContent() },
            ]
        )
    }

    private mutating func richContent() -> JSONValue {
        object(
            50,
            needed: ["type", "data"],
            [
                "type": { $0.choice("image/jpeg", "text/html") }, "data": { $0.choice("AQID", "AQ==", "R0lGODlh") },
                "name": { $0.choice("photo.jpg", "é.txt") },
            ]
        )
    }
}
