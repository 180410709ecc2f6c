import DispatchCore
import Testing

@Suite struct EventSchemaTests {
    static func event(_ kind: EventKind) -> NotificationEvent {
        let isAnswer = kind == .action || kind == .reply
        return NotificationEvent(
            id: "e-1",
            hub: "shop",
            kind: kind,
            notificationID: NotificationEventTests.job,
            installationID: "phone",
            userID: "alice",
            platform: .hms,
            reason: kind == .failed ? "BadDeviceToken" : nil,
            attempts: kind == .failed ? 3 : nil,
            actionID: isAnswer ? "comment" : nil,
            text: kind == .reply ? "On my way" : nil,
            response: isAnswer ? .dismiss : nil,
            at: isAnswer ? NotificationEventTests.time : nil,
            time: NotificationEventTests.time + .microseconds(250)
        )
    }

    /// The members of `value` one after another, each with what is left without it.
    static func shortened(_ value: JSONValue) -> [(name: String, rest: JSONValue)] {
        let members = value.members ?? []
        return members.indices.map { index in
            var rest = members
            return (rest.remove(at: index).name, .object(rest))
        }
    }

    @Test("the schema takes every kind of event, with and without what may be left out")
    func everyKind() throws {
        let least = NotificationEvent(
            id: "e-1",
            kind: .expired,
            notificationID: NotificationEventTests.job,
            installationID: "phone",
            time: NotificationEventTests.time
        )
        let events = EventKind.allCases.map(Self.event) + [least]
        let verdicts = try SchemaFolder.verdicts(of: events.map { ("event", $0.encode()) })
        #expect(verdicts.count == events.count)
        for (event, verdict) in zip(events, verdicts) {
            #expect(verdict == nil, "\(event.kind)")
        }
    }

    @Test("the schema misses what an event must have")
    func missing() throws {
        let event = try JSONParser.parse(Self.event(.reply).encode())
        let data = try #require(event["data"])
        let outside = Self.shortened(event)
        let inside = Self.shortened(data).map { name, rest in
            let members = (event.members ?? []).map { $0.name == "data" ? JSONMember(name: "data", value: rest) : $0 }
            return (name: "data." + name, rest: JSONValue.object(members))
        }
        let verdicts = try SchemaFolder.verdicts(
            of: (outside + inside).map { ("event", JSONWriter.encode($0.rest)) }
        )
        let missed = zip(outside + inside, verdicts).filter { $1 != nil }.map(\.0.name)
        #expect(
            missed == [
                "specversion", "id", "source", "type", "subject", "time", "datacontenttype", "data",
                "data.notificationId",
                "data.installationId", "data.actionId", "data.text", "data.at",
            ]
        )
    }

    @Test("the schema misses no wrong value")
    func wrongValues() throws {
        let text = String(decoding: Self.event(.reply).encode(), as: UTF8.self)
        let replacements = [
            (#""specversion":"1.0""#, #""specversion":"0.3""#), (#""id":"e-1""#, #""id":"""#),
            (#""id":"e-1""#, #""id":7"#),
            (#""/hubs/shop""#, #""shop""#), (#""/hubs/shop""#, #""/hubs/""#),
            (#"notification.reply""#, #"notification.sent""#),
            (#""subject":"0193"#, #""subject":"193"#), (#""notificationId":"0193"#, #""notificationId":"193"#),
            (#""time":"2026-12-01T"#, #""time":"2026-12-01 "#), (#"application/json"#, "text/json"),
            (#""installationId":"phone""#, #""installationId":"a phone""#), (#""userId":"alice""#, #""userId":"""#),
            (#""platform":"hms""#, #""platform":"gcm""#), (#""actionId":"comment""#, #""actionId":null"#),
            (#""text":"On my way""#, #""text":"""#), (#""text":"On my way""#, #""text":true"#),
            (#""response":"dismiss""#, #""response":"stay""#), (#""at":"2026-12-01T"#, #""at":"2026-12-01 "#),
            (#""userId""#, #""attempts":-1,"userId""#), (#""userId""#, #""attempts":"2","userId""#),
            (#""userId""#, #""reason":"","userId""#), (#""userId""#, #""reason":410,"userId""#),
            (#""userId""#, #""pushChannel":"00fc13","userId""#),
        ]
        let wrong = replacements.map { text.replacing($0.0, with: $0.1) }
        #expect(!wrong.contains(text))
        let verdicts = try SchemaFolder.verdicts(of: wrong.map { ("event", Array($0.utf8)) })
        #expect(verdicts.count == wrong.count)
        for (event, verdict) in zip(wrong, verdicts) {
            #expect(verdict != nil, "\(event)")
        }
    }
}
