import AMQP
import DispatchCore
import Foundation
import Testing

@testable import Dispatcher

extension BrokerTests {
    /// What is handed to the gateways, from the message on the queue to the witness's file.
    @Suite(.timeLimit(.minutes(4))) struct ContentTests {
        private static let channels: [(platform: String, channel: String)] = [
            ("apns", #""ok-token""#), ("fcmV1", #""ok-token""#), ("adm", #""ok-token""#), ("hms", #""ok-token""#),
            ("browser", #"{"endpoint":"https://push.example.net/ok-token","p256dh":"BNcR","auth":"tBHI"}"#),
            ("wns", #""https://wns2.notify.windows.com/ok-token""#),
        ]

        private static func register(
            _ stage: Stage,
            _ id: String,
            _ platform: String,
            extras: String = ""
        ) async throws {
            // A channel of its own: a channel that two register belongs to the second.
            let channel = try #require(channels.first { $0.platform == platform }).channel
                .replacingOccurrences(of: "ok-token", with: "ok-\(id)")
            let body = #"{"installationId":"\#(id)","platform":"\#(platform)","pushChannel":\#(channel)\#(extras)}"#
            let hub = try await #require(HubDirectory(pool: stage.database.pool).hub(named: "default"))
            let installation = try Installation(decoding: Array(body.utf8))
            try await InstallationStore(pool: stage.database.pool)
                .upsert([InstallationRow(hub: hub.id, installation: installation)])
        }

        /// The payload of each device as the gateway got it; text where it is no JSON.
        private static func payloads(_ stage: Stage, of job: Job) throws -> [String: JSONValue] {
            try stage.witness.payloads(of: job.id)
        }

        @Test("one content reaches a device on each of the six platforms")
        func sixPlatforms() async throws {
            try await Stage.with { stage in
                for (platform, _) in Self.channels { try await Self.register(stage, "on-\(platform)", platform) }
                let job = Job(to: #"{"broadcast":true}"#)
                try await stage.withWorkers {
                    try await stage.publish([job])
                    #expect(try await stage.finished(job).tally == ["audience": 6, "accepted": 6])
                }
                let payloads = try Self.payloads(stage, of: job)
                #expect(payloads["on-apns"]?["aps"]?["alert"]?["body"] == .string("World"))
                #expect(payloads["on-fcmV1"]?["message"]?["token"] == .string("ok-on-fcmV1"))
                #expect(payloads["on-hms"]?["message"]?["token"] == .array([.string("ok-on-hms")]))
                #expect(payloads["on-browser"]?["notification"]?["title"] == .string("Hello"))
                #expect(payloads["on-adm"]?["data"]?["notificationId"] == .string(job.id))
                #expect(payloads["on-wns"]?.string?.contains("<text>World</text>") == true)
            }
        }

        @Test("each device gets its language, the others the content's own")
        func languages() async throws {
            try await Stage.with { stage in
                for (id, locale) in [("paris", "fr-FR"), ("wien", "de-AT"), ("lima", "es-PE")] {
                    try await Self.register(stage, id, "fcmV1", extras: #","locale":"\#(locale)""#)
                }
                try await Self.register(stage, "nowhere", "fcmV1")
                let content =
                    #"{"title":"Hello","localizations":{"fr":{"title":"Bonjour"},"de-AT":{"title":"Servus"}}}"#
                let job = Job(to: #"{"broadcast":true}"#, content: content)
                try await stage.withWorkers {
                    try await stage.publish([job])
                    #expect(try await stage.finished(job).tally == ["audience": 4, "accepted": 4])
                }
                let titles = try Self.payloads(stage, of: job).mapValues {
                    $0["message"]?["notification"]?["title"]?.string
                }
                #expect(titles == ["paris": "Bonjour", "wien": "Servus", "lima": "Hello", "nowhere": "Hello"])
            }
        }

        @Test("each device renders its own template; one without is suppressed, one with a broken one fails")
        func templates() async throws {
            try await Stage.with { stage in
                let body = #"{\"aps\":{\"alert\":\"{'Hello ' + $(name)}\"}}"#
                let loud = #"{\"aps\":{\"alert\":\"$(name)\",\"sound\":\"default\"}}"#
                let both = #","templates":{"default":{"body":"\#(body)"},"loud":{"body":"\#(loud)"}}"#
                try await Self.register(stage, "both", "apns", extras: both)
                try await Self.register(stage, "one", "apns", extras: #","templates":{"x":{"body":"\#(loud)"}}"#)
                try await Self.register(stage, "none", "apns")
                try await Self.register(stage, "broken", "apns", extras: both)
                try await stage.database.execute(
                    #"UPDATE dispatcher.installation SET templates = '{"a":{"body":"{"}}' WHERE installation_id = 'broken'"#
                )
                let usual = Job(to: #"{"broadcast":true}"#, content: #"{"name":"Zoë"}"#, kind: "template")
                let named = Job(
                    to: #"{"installations":["both","one"]}"#,
                    content: #"{"NAME":"Zoë"}"#,
                    kind: "template",
                    options: #"{"templateName":"loud"}"#
                )
                try await stage.withWorkers {
                    try await stage.publish([usual, named])
                    let tally = ["audience": 4, "accepted": 2, "suppressed": 1, "failed": 1]
                    #expect(try await stage.finished(usual).tally == tally)
                    #expect(try await stage.finished(named).tally == ["audience": 2, "accepted": 1, "suppressed": 1])
                }
                let reasons = try await stage.deliveries(usual).map { [$0.installation, $0.reason ?? ""] }
                #expect(
                    reasons == [
                        ["both", ""], ["broken", "malformed-template"], ["none", "no-template"], ["one", ""],
                    ]
                )
                let alerts = try Self.payloads(stage, of: usual).mapValues { $0["aps"]?["alert"]?.string }
                #expect(alerts == ["both": "Hello Zoë", "one": "Zoë"])
                #expect(try Self.payloads(stage, of: named)["both"]?["aps"]?["sound"] == .string("default"))
            }
        }

        @Test("what no platform takes is a dead letter with the member and the rule")
        func unsendable() async throws {
            try await Stage.with { stage in
                let activity = #"{"liveActivity":{"event":"update","contentState":{}}}"#
                let job = Job(to: #"{"broadcast":true,"platforms":["fcmV1","wns"]}"#, content: activity)
                try await stage.withWorkers {
                    try await stage.publish([job])
                    let letters = try await DeadLetters.take(1)
                    #expect(letters.map { $0.header("reason")?.stringValue } == ["unsendable"])
                    #expect(letters.map { $0.header("path")?.stringValue } == ["$.content.liveActivity"])
                }
            }
        }
    }
}
