import AMQP
import Foundation
import Testing

@testable import Dispatcher

extension BrokerTests {
    @Suite(.timeLimit(.minutes(4))) struct DeadLetterListTests {
        @Test("the list goes by reason, hub, queue, time and state, and page by page, the newest first")
        func list() async throws {
            try await Stage.with { stage in
                let jobs = [
                    Stage.homeless("north"), Stage.homeless("south"), Job(raw: Array("{".utf8), messageID: "m"),
                ]
                for job in jobs { try await stage.refuse([job]) }
                try await stage.refuse([Job(raw: Array("[]".utf8))], lane: .high)
                let all = try await lines(stage, [])
                #expect(all.map(\.reason) == ["wrongType", "invalidJSON", "unknownHub", "unknownHub"])
                #expect(all.map(\.id) == all.map(\.id).sorted(by: >))
                #expect(try await lines(stage, ["--reason", "unknownHub"]).map(\.id) == all.suffix(2).map(\.id))
                #expect(try await lines(stage, ["--queue", "push.jobs.high"]).map(\.id) == [all[0].id])
                #expect(try await lines(stage, ["--hub", "north"]).map(\.messageId) == [jobs[0].id])
                #expect(try await lines(stage, ["--since", all[1].receivedAt]).count == 2)
                #expect(try await lines(stage, ["--until", all[1].receivedAt]).count == 2)
                #expect(try await lines(stage, ["--state", "replayed"]).isEmpty)
                #expect(
                    try await lines(stage, ["--limit", "2", "--after", "\(all[0].id)"]).map(\.id)
                        == all[1...2].map(\.id)
                )
                let table = try await stage.deadLetters(["list"]).output.split(separator: "\n")
                #expect(table.count == 5 && table[0].hasPrefix("ID") && table[1].contains("wrongType"))
            }
        }

        private struct Line: Decodable {
            let id: Int
            let reason: String
            let messageId: String?
            let receivedAt: String
        }

        private func lines(_ stage: Stage, _ arguments: [String]) async throws -> [Line] {
            let run = try await stage.deadLetters(["list", "--json"] + arguments)
            #expect(run.exit == .status(0), "\(run.errors)")
            return try run.output.split(separator: "\n").map {
                try JSONDecoder().decode(Line.self, from: Data($0.utf8))
            }
        }

        @Test("show prints the body with a caret under the mistake, and base64 for what is no text")
        func show() async throws {
            try await Stage.with { stage in
                let bad = Job(raw: Array(#"{"id":}"#.utf8), messageID: "m1")
                var message = bad.message(.normal)
                message.properties.headers = ["x-team": "billing"]
                try await stage.withWorkers {
                    #expect(await stage.publisher.publish([message], deadline: .seconds(10)) == [.confirmed])
                    let isFiled = await eventually { try await stage.count("published_at IS NOT NULL") == 1 }
                    #expect(isFiled)
                }
                let text = try await stage.deadLetters(["show", try await stage.letter(bad)])
                #expect(text.exit == .status(0), "\(text.errors)")
                #expect(text.output.contains("{\"id\":}\n      ^\n"))
                for word in ["invalidJSON", "push.jobs.normal", "push.in", "jobs.normal", #"{"x-team":"billing"}"#] {
                    #expect(text.output.contains(word), "\(word)")
                }
                let binary = Job(raw: [0xFF, 0xFE], messageID: "m2")
                try await stage.refuse([binary])
                let json = try await stage.deadLetters(["show", try await stage.letter(binary), "--json"])
                #expect(json.output.contains(#""bodyBase64":"//4=""#), "\(json.output)")
                let unknown = try await stage.deadLetters(["show", "999999"])
                #expect(unknown.exit == .status(1) && unknown.errors.contains("there is no dead letter 999999"))
            }
        }

        @Test("the worker's role may replay and discard; the dashboard's may list and nothing else")
        func roles() async throws {
            try await Stage.with { stage in
                try await stage.refuse([Stage.homeless(), Stage.homeless()])
                func url(_ role: String) -> [String: String] {
                    ["DISPATCHER_DATABASE_URL": "\(stage.database.url)?options=-c%20role%3Ddispatcher_\(role)"]
                }
                let listed = try await stage.deadLetters(["list", "--json"], url("dashboard"))
                #expect(
                    listed.exit == .status(0) && listed.output.split(separator: "\n").count == 2,
                    "\(listed.errors)"
                )
                for arguments in [["show", "1"], ["discard", "--all"], ["replay", "--all"]] {
                    let refused = try await stage.deadLetters(arguments, url("dashboard"))
                    #expect(refused.exit == .status(1) && refused.errors.contains("42501"), "\(arguments): \(refused)")
                }
                try await stage.expectAgreement(2)
                let discarded = try await stage.deadLetters(["discard", "1"], url("worker"))
                #expect(discarded.exit == .status(0), "\(discarded.errors)")
                let replayed = try await stage.deadLetters(["replay", "--all"], url("worker"))
                #expect(replayed.exit == .status(0) && replayed.output.hasPrefix("replayed 1,"), "\(replayed.errors)")
                try await stage.expectAgreement(0)
            }
        }

        @Test(
            "a wrong call is a usage error",
            arguments: [
                ["show"], ["show", "x"], ["replay"], ["replay", "--all", "7"], ["replay", "7", "--hub", "a"],
                ["discard", "--since", "today", "--all"], ["list", "--state", "lost"], ["list", "--limit", "0"],
                ["mend"],
            ]
        )
        func usage(_ arguments: [String]) async throws {
            let run = try await Program.run(["dead-letters"] + arguments)
            #expect(run.exit == .status(64), "\(run.errors)")
        }
    }
}
