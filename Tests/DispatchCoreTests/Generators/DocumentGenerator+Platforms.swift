import DispatchCore

/// What content says to one platform alone.
extension DocumentGenerator {
    mutating func apnsExtras() -> JSONValue {
        object(
            50,
            atLeastOne: true,
            ["launchImage": { $0.name() }, "filterCriteria": { $0.name() }, "mutableContent": { $0.flag() }]
        )
    }

    mutating func fcmExtras() -> JSONValue {
        object(
            25,
            atLeastOne: true,
            [
                "channelId": { $0.name() }, "color": { $0.color() }, "icon": { $0.name() }, "tag": { $0.name() },
                "visibility": { $0.choice("private", "public", "secret") }, "image": { $0.secureURL() },
                "clickAction": { $0.name() }, "ticker": { $0.name() }, "sticky": { $0.flag() },
                "localOnly": { $0.flag() },
                "notificationPriority": { $0.choice("min", "low", "default", "high", "max") },
                "directBootOk": { $0.flag() }, "dataOnly": { $0.flag() }, "restrictedPackageName": { $0.name() },
                "analyticsLabel": { $0.choice("a", "A-_.~%9", "x1") },
            ]
        )
    }

    mutating func browserExtras() -> JSONValue {
        let isSilent = chance(30)
        let loud: KeyValuePairs<String, Maker> = [
            "tag": { $0.name() }, "renotify": { $0.flag() }, "requireInteraction": { $0.flag() },
            "silent": { _ in .bool(false) }, "vibrate": { $0.list(1...64) { $0.integer(0...10_000) } },
            "timestamp": { $0.time() }, "dir": { $0.choice("auto", "ltr", "rtl") },
            "lang": { .string($0.locale()) }, "image": { $0.secureURL() }, "icon": { $0.url() },
            "badge": { $0.url() },
        ]
        let quiet: KeyValuePairs<String, Maker> = [
            "silent": { _ in .bool(true) }, "tag": { $0.name() }, "renotify": { _ in .bool(false) },
            "timestamp": { $0.time() },
        ]
        return isSilent ? object(50, needed: ["silent"], quiet) : object(25, atLeastOne: true, loud)
    }

    mutating func wnsExtras() -> JSONValue {
        object(
            30,
            atLeastOne: true,
            [
                "scenario": { $0.choice("reminder", "alarm", "incomingCall", "urgent") },
                "launch": { .string($0.words(upTo: 2_048)) }, "duration": { $0.choice("short", "long") },
                "image": { $0.toastImage() },
                "audio": {
                    $0.object(
                        50,
                        atLeastOne: true,
                        ["src": { $0.url() }, "loop": { $0.flag() }, "silent": { $0.flag() }]
                    )
                },
                "inputs": { $0.toastInputs() },
            ]
        )
    }

    private mutating func toastImage() -> JSONValue {
        object(
            50,
            needed: ["src"],
            [
                "src": { $0.url() }, "placement": { $0.choice("hero", "appLogoOverride", "inline") },
                "crop": { _ in .string("circle") }, "alt": { $0.name() },
            ]
        )
    }

    private mutating func toastInputs() -> JSONValue {
        var number = 0
        return list(1...5) { generator in
            number += 1
            return generator.toastInput(number)
        }
    }

    private mutating func toastInput(_ number: Int) -> JSONValue {
        let isSelection = chance(50)
        let selections: Maker = { generator in
            var number = 0
            return generator.list(1...5) { generator in
                number += 1
                return .object([
                    JSONMember(name: "id", value: generator.uniqueName(number)),
                    JSONMember(name: "content", value: generator.name()),
                ])
            }
        }
        let common: KeyValuePairs<String, Maker> = [
            "title": { $0.name() }, "placeholder": { $0.name() }, "default": { $0.name() },
        ]
        guard case .object(var members) = object(40, common) else { return .null }
        members.append(JSONMember(name: "id", value: uniqueName(number)))
        members.append(JSONMember(name: "type", value: .string(isSelection ? "selection" : "text")))
        if isSelection { members.append(JSONMember(name: "selections", value: selections(&self))) }
        return .object(members)
    }

    mutating func hmsExtras() -> JSONValue {
        object(
            25,
            atLeastOne: true,
            [
                "category": { $0.name() }, "importance": { $0.choice("low", "normal", "high") },
                "channelId": { $0.name() }, "icon": { $0.name() }, "color": { $0.color() },
                "image": { $0.secureURL() }, "clickIntent": { .string($0.words(upTo: 2_048)) },
                "badgeClass": { $0.name() }, "notifyId": { $0.integer(0...2_147_483_647) }, "biTag": { $0.name() },
                "testUser": { $0.flag() },
            ]
        )
    }

    mutating func liveActivity() -> JSONValue {
        let event = dice.pick(["start", "update", "end"])
        let makers: KeyValuePairs<String, Maker> = [
            "timestamp": { $0.time() }, "staleDate": { $0.time() }, "relevance": { $0.anyNumber() },
        ]
        guard case .object(var members) = object(40, makers) else { return .null }
        members.append(JSONMember(name: "event", value: .string(event)))
        members.append(JSONMember(name: "contentState", value: object(depth: 2)))
        if event == "end", chance(50) { members.append(JSONMember(name: "dismissalDate", value: time())) }
        if event == "start" {
            members.append(JSONMember(name: "attributesType", value: name()))
            members.append(JSONMember(name: "attributes", value: object(depth: 2)))
            if chance(40) { members.append(JSONMember(name: "inputPushToken", value: flag())) }
            if chance(40) { members.append(JSONMember(name: "inputPushChannel", value: choice("AAAA", "dHN0LQ=="))) }
        }
        return .object(members)
    }
}
