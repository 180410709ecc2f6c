import AMQP
import Testing

@testable import Dispatcher

extension BrokerTests {
    @Suite(.timeLimit(.minutes(4))) struct BadInputTests {
        @Test("every kind of bad message is filed once, with its place, and its neighbours are delivered")
        func matrix() async throws {
            try await Stage.with { stage in
                try await stage.register([Device("well", tags: ["well"])])
                let inputs = BadInput.all
                let neighbours = inputs.map { _ in Job(to: #"{"tags":"well"}"#) }
                // Published before the worker starts, so that good and bad share waves.
                try await stage.publish(zip(inputs, neighbours).flatMap { [$0.job, $1] })
                try await stage.withWorkers {
                    for job in neighbours {
                        #expect(try await stage.finished(job).tally == ["audience": 1, "accepted": 1])
                    }
                    try await stage.expectQuiet()
                }
                try await expectFiled(inputs, stage)
                #expect(try stage.witness.lines().count == neighbours.count)
            }
        }

        private func expectFiled(_ inputs: [BadInput], _ stage: Stage) async throws {
            let messages = try await DeadLetters.take(inputs.count)
            #expect(messages.count == inputs.count)
            for input in inputs {
                let found = messages.filter { $0.body == input.job.body }
                #expect(found.count == 1, "\(input.name)")
                guard let message = found.first else { continue }
                let offset = message.header("offset")?.intValue
                #expect(message.header("reason")?.stringValue == input.reason, "\(input.name)")
                #expect(message.header("path")?.stringValue == input.path, "\(input.name)")
                #expect(message.header("queue")?.stringValue == "push.jobs.normal", "\(input.name)")
                #expect(offset == Int64(input.offset), "\(input.name)")
            }
            try await expectRows(inputs, stage)
        }

        private func expectRows(_ inputs: [BadInput], _ stage: Stage) async throws {
            let rows = try await stage.database.texts(
                """
                SELECT reason || ' ' || coalesce(path, '-'), count(*)::text
                FROM dashboard.dead_letters WHERE published_at IS NOT NULL GROUP BY 1
                """
            )
            let counts = Dictionary(uniqueKeysWithValues: rows.map { ($0[0], Int($0[1]) ?? 0) })
            let expected = inputs.reduce(into: [String: Int]()) { $0["\($1.reason) \($1.path)", default: 0] += 1 }
            #expect(counts == expected)
        }

        @Test("the same id with another body is refused, in one wave and across waves")
        func conflict() async throws {
            try await Stage.with { stage in
                try await stage.register([Device("well", tags: ["well"])])
                let first = Job(to: #"{"tags":"well"}"#)
                let sameWave = Job(to: #"{"tags":"well && well"}"#, id: first.id)
                let later = Job(to: #"{"users":["alice"]}"#, id: first.id)
                try await stage.publish([first, sameWave])
                try await stage.withWorkers {
                    #expect(try await stage.finished(first).tally == ["audience": 1, "accepted": 1])
                    try await stage.publish([later, first])
                    let areFiled = await eventually {
                        try await stage.database.count("SELECT count(*) FROM dashboard.dead_letters") == 2
                    }
                    #expect(areFiled)
                    try await stage.expectQuiet()
                }
                let messages = try await DeadLetters.take(2)
                #expect(Set(messages.map(\.body)) == [sameWave.body, later.body])
                #expect(messages.allSatisfy { $0.header("reason") == .string("conflictingJob") })
                #expect(messages.allSatisfy { $0.header("path") == .string("$.id") })
                #expect(try stage.witness.lines().count == 1)
            }
        }

        @Test("the id of the message property must agree with the body's, and may stand for it")
        func messageID() async throws {
            try await Stage.with { stage in
                try await stage.register([Device("well", tags: ["well"])])
                let good = Job(to: #"{"tags":"well"}"#)
                var other = Job(to: #"{"tags":"well"}"#)
                other.messageID = good.id
                let body = Array(#"{"to":{"tags":"well"},"content":{"title":"Hello"}}"#.utf8)
                let nameless = Job(raw: body, messageID: "6f6f6f6f-0000-4000-8000-000000000001")
                let nobody = Job(raw: body)
                try await stage.withWorkers {
                    try await stage.publish([other, nameless, nobody, good])
                    #expect(try await stage.finished(good).tally["accepted"] == 1)
                    #expect(try await stage.finished(nameless).tally["accepted"] == 1)
                    try await stage.expectQuiet()
                }
                let reasons = try await DeadLetters.take(2).map { $0.header("reason")?.stringValue ?? "" }
                #expect(reasons.sorted() == ["idMismatch", "missingMember"])
            }
        }

        @Test("the same bad message twice is one row that was seen twice, and one message in the queue")
        func twice() async throws {
            try await Stage.with { stage in
                let bad = Job(raw: Array("{".utf8))
                try await stage.withWorkers {
                    for times in 1...2 {
                        try await stage.publish([bad])
                        let isSeen = await eventually {
                            try await stage.database.count(
                                "SELECT max(times_seen) FROM dashboard.dead_letters WHERE published_at IS NOT NULL"
                            ) == times
                        }
                        #expect(isSeen)
                    }
                }
                #expect(try await DeadLetters.take(1).count == 1)
                #expect(try await stage.database.count("SELECT count(*) FROM dashboard.dead_letters") == 1)
            }
        }

        @Test("the same bad message in many hands at once is one message in the queue")
        func atOnce() async throws {
            try await Stage.with { stage in
                let bad = Job(raw: Array("{".utf8))
                try await stage.withWorkers(2) {
                    for _ in 0..<40 { try await stage.publish([bad, bad, bad]) }
                    try await stage.expectQuiet()
                    let isFiled = await eventually {
                        try await stage.database.count(
                            "SELECT count(*) FROM dispatcher.dead_letter WHERE claim IS NULL"
                        )
                            == 1
                    }
                    #expect(isFiled)
                }
                #expect(try await DeadLetters.take(1).count == 1)
            }
        }

        @Test("a client's own headers do not reach the dead-letter queue")
        func headers() async throws {
            try await Stage.with { stage in
                var message = Job(raw: Array("{".utf8)).message(.high)
                message.properties.headers = ["x-dispatcher-reason": "forged", "x-other": 1]
                message.properties.expiration = "60000"
                try await stage.withWorkers {
                    let results = await stage.publisher.publish([message], deadline: .seconds(10))
                    #expect(results == [.confirmed])
                    let dead = try await DeadLetters.take(1)
                    #expect(dead.count == 1)
                    #expect(dead.first?.header("reason") == .string("invalidJSON"))
                    #expect(dead.first?.properties.expiration == nil)
                    #expect(dead.first?.properties.headers["x-other"] == nil)
                }
            }
        }
    }
}
