import AMQP
import Foundation
import Testing

@testable import Dispatcher

extension BrokerTests {
    /// Devices that register by messages.
    @Suite(.timeLimit(.minutes(4))) struct RegistrationTests {
        private static let all = """
            SELECT installation_id, tags::text, coalesce(retire_reason, '') FROM dashboard.installations ORDER BY 1
            """

        /// Waits until the table of installations shows exactly these rows of id, tags and reason.
        private func expect(_ rows: [[String]], _ stage: Stage) async throws {
            let isSo = await eventually { try await stage.database.texts(Self.all) == rows }
            let found = try await stage.database.texts(Self.all)
            #expect(isSo, "found \(found)")
        }

        @Test("a device that registers by a message is sent to, changed by another message, and revived when retired")
        func endToEnd() async throws {
            try await Stage.with { stage in
                try await stage.withWorkers {
                    try await stage.registerByMessage([Device("phone", channel: "dead-1", tags: ["a"])])
                    try await expect([["phone", "{a}", ""]], stage)
                    let first = Job(to: #"{"tags":"a"}"#)
                    try await stage.publish([first])
                    #expect(try await stage.finished(first).tally == ["audience": 1, "failed": 1])
                    try await expect([["phone", "{a}", "Unregistered"]], stage)
                    try await stage.registerByMessage([Device("phone", tags: ["b"])])
                    try await expect([["phone", "{b}", ""]], stage)
                    let second = Job(to: #"{"tags":"b"}"#)
                    try await stage.publish([second])
                    #expect(try await stage.finished(second).tally == ["audience": 1, "accepted": 1])
                }
                try await stage.expectEmpty(.installations)
            }
        }

        @Test("whoever registers a channel last keeps it, in one wave, across waves and in an import")
        func takeover() async throws {
            try await Stage.with { stage in
                let old = Device("old", channel: "c1")
                let new = Device("new", channel: "c1")
                try await stage.registerByMessage([old, new])
                try await stage.withWorkers {
                    try await expect([["new", "{}", ""], ["old", "{}", "ChannelTaken"]], stage)
                    try await stage.registerByMessage([old])
                    try await expect([["new", "{}", "ChannelTaken"], ["old", "{}", ""]], stage)
                    try await stage.register([new])
                    try await expect([["new", "{}", ""], ["old", "{}", "ChannelTaken"]], stage)
                }
            }
        }

        @Test("channels of other platforms and of direct addresses are not taken")
        func separateChannels() async throws {
            try await Stage.with { stage in
                try await stage.register([
                    Device("apple", channel: "ok-c"), Device("google", platform: "fcmV1", channel: "ok-c"),
                ])
                let direct = Job(to: #"{"channels":[{"platform":"apns","token":"ok-c"}]}"#)
                try await stage.withWorkers {
                    try await stage.publish([direct])
                    #expect(try await stage.finished(direct).tally == ["audience": 1, "accepted": 1])
                    try await stage.registerByMessage([Device("apple", channel: "ok-c", tags: ["again"])])
                    try await expect([["apple", "{again}", ""], ["google", "{}", ""]], stage)
                }
                #expect(
                    try await stage.database.count("SELECT count(*) FROM dispatcher.installation WHERE is_direct") == 1
                )
            }
        }

        @Test("channels that change hands within a chunk end as if each line had been written by itself")
        func exchanges() async throws {
            try await withDatabase { database in
                let store = InstallationStore(pool: database.pool)
                var generator = SystemDice()
                for _ in 0..<60 {
                    try await database.execute("DELETE FROM dispatcher.installation")
                    var expected = RegisteredChannels()
                    for _ in 0..<3 {
                        let chunk = (0..<Int.random(in: 1...8, using: &generator)).map { _ in
                            (Int.random(in: 0..<4, using: &generator), Int.random(in: 0..<4, using: &generator))
                        }
                        try await store.upsert(
                            try chunk.map { try Device("d\($0)", channel: "c\($1)").row(hub: 1) }
                        )
                        for (device, channel) in chunk { expected.register(device, channel) }
                        let found = try await database.texts(
                            """
                            SELECT installation_id || ' ' || push_channel || ' ' || coalesce(retire_reason, '-')
                            FROM dispatcher.installation ORDER BY 1
                            """
                        ).map { $0[0] }
                        #expect(found == expected.rows, "after \(chunk)")
                    }
                }
            }
        }

        @Test("writers that give the same channels to the same devices at once all succeed")
        func collisions() async throws {
            try await withDatabase { database in
                let store = InstallationStore(pool: database.pool)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<4 {
                        group.addTask {
                            for _ in 0..<10 {
                                let chunk = try (0..<4).map { _ in
                                    try Device("d\(Int.random(in: 0..<6))", channel: "c\(Int.random(in: 0..<6))").row(
                                        hub: 1
                                    )
                                }
                                try await store.upsert(chunk)
                            }
                        }
                    }
                    try await group.waitForAll()
                }
                #expect(try await database.count("SELECT count(*) FROM dispatcher.installation") == 6)
                // Whoever registered a channel last is alive, so each channel that was the last of somebody's has one.
                let alive = "SELECT count(*) FROM dispatcher.installation WHERE retired_at IS NULL"
                #expect(try await (1...6).contains(database.count(alive)))
            }
        }

        @Test("the last of many registrations of one device holds, whatever becomes of the workers")
        func order() async throws {
            try await Stage.with { stage in
                let devices = 20
                let rounds = 400
                var workers = try (0..<3).map { _ in try Program(["worker"], environment: stage.environment()) }
                for round in 1...rounds {
                    let group = (0..<devices).map { Device("d\($0)", tags: ["round:\(round)"]) }
                    try await stage.registerByMessage(group)
                    guard round % 40 == 0 else { continue }
                    // Every worker is killed in turn, so the active one too; but not before something has been written, or
                    // the queue's first message would become suspect.
                    let written = "SELECT max(substr(tags[1], 7)::int) FROM dashboard.installations"
                    try await stage.expect(atLeast: round - 20, written)
                    workers[0].signal(SIGKILL)
                    _ = await workers[0].exit(within: .seconds(10))
                    workers.removeFirst()
                    workers.append(try Program(["worker"], environment: stage.environment()))
                }
                let last = "SELECT count(*) FROM dashboard.installations WHERE tags = ARRAY['round:\(rounds)']"
                let isLast = await eventually(within: .seconds(60)) { try await stage.database.count(last) == devices }
                let found = try await stage.database.texts(Self.all)
                #expect(isLast, "\(found)")
                try await Program.stop(workers)
                // Nothing that came again after a kill was written over it.
                try await stage.expectEmpty(.installations)
                #expect(try await stage.database.count(last) == devices)
                #expect(try await DeadLetters.take(0).isEmpty)
            }
        }

        @Test("a worker whose turn is over writes nothing, and waits for one that is under way")
        func turns() async throws {
            try await withDatabase { database in
                let turns = TurnStore(pool: database.pool, queue: "q")
                let store = InstallationStore(pool: database.pool)
                let first = try await turns.begin()
                #expect(try await store.upsert([try Device("phone", tags: ["old"]).row(hub: 1)], turn: first))
                let second = try await turns.begin()
                #expect(try await store.upsert([try Device("phone", tags: ["new"]).row(hub: 1)], turn: second))
                #expect(try await !store.upsert([try Device("phone", tags: ["old"]).row(hub: 1)], turn: first))
                #expect(try await database.texts("SELECT tags::text FROM dispatcher.installation") == [["{new}"]])
            }
        }

        @Test("bad registrations are filed with their places, and their neighbours are written")
        func badDocuments() async throws {
            try await Stage.with { stage in
                let good = #""installationId":"x","platform":"apns","pushChannel":"t""#
                let bad: [(body: String, reason: String, path: String)] = [
                    ("{", "invalidJSON", "$"), ("[]", "wrongType", "$"),
                    (#"{"platform":"apns","pushChannel":"t"}"#, "missingMember", "$.installationId"),
                    ("{\(good),\"colour\":1}", "unknownMember", "$.colour"),
                    ("{\(good),\"tags\":[\"a b\"]}", "invalidFormat", "$.tags[0]"),
                    ("{\(good),\"hub\":\"nowhere\"}", "unknownHub", "$.hub"),
                ]
                let neighbours = bad.indices.map { Device("good-\($0)") }
                try await stage.publish(zip(bad, neighbours).flatMap { [$0.body, $1.json] }, to: .installations)
                try await stage.withWorkers {
                    try await expect(neighbours.map { [$0.id, "{}", ""] }, stage)
                }
                try await stage.expectEmpty(.installations)
                let messages = try await DeadLetters.take(bad.count)
                #expect(messages.count == bad.count)
                for input in bad {
                    let message = messages.first { $0.body == Array(input.body.utf8) }
                    #expect(message?.header("reason")?.stringValue == input.reason, "\(input.body)")
                    #expect(message?.header("path")?.stringValue == input.path, "\(input.body)")
                    #expect(message?.header("queue")?.stringValue == "push.installations")
                    #expect(message?.routingKey == "installations")
                }
            }
        }

        @Test("PostgreSQL away: registrations wait, none is refused, and the last of each holds")
        func databaseAway() async throws {
            let proxy = try Proxy(to: try #require(Servers.port(of: Servers.databaseURL)))
            defer { proxy.stop() }
            try await Stage.with { stage in
                let last = "SELECT count(*) FROM dashboard.installations WHERE tags = ARRAY['round:30']"
                let changes = [
                    "DISPATCHER_DATABASE_URL": try Servers.url(database: stage.database.name, port: proxy.port)
                ]
                try await stage.withWorkers(2, changes) {
                    try await stage.registerByMessage([Device("first")])
                    try await expect([["first", "{}", ""]], stage)
                    proxy.goAway()
                    for round in 1...30 {
                        try await stage.registerByMessage((0..<100).map { Device("d\($0)", tags: ["round:\(round)"]) })
                    }
                    try await Task.sleep(for: .seconds(2))
                    try proxy.comeBack()
                    #expect(await eventually { try await stage.database.count(last) == 100 })
                }
                try await stage.expectEmpty(.installations)
                #expect(try await stage.database.count(last) == 100)
                #expect(try await DeadLetters.take(0).isEmpty)
                #expect(try await stage.database.count("SELECT count(*) FROM dashboard.dead_letters") == 0)
            }
        }

        @Test("a registration that crashes workers is found out, and its neighbours are written")
        func poison() async throws {
            try await Stage.with { stage in
                let changes = ["DISPATCHER_FAULT_CRASH_ON": "CRASH-MARKER"]
                var devices = (0..<10).map { Device("d\($0)") }
                devices.insert(Device("bad", user: "CRASH-MARKER"), at: 5)
                try await stage.registerByMessage(devices)
                var worker = try Program(["worker"], environment: stage.environment(changes))
                let isFiled = await eventually(within: .seconds(60)) {
                    if worker.exit != nil { worker = try Program(["worker"], environment: stage.environment(changes)) }
                    return try await stage.database.count("SELECT count(*) FROM dashboard.dead_letters") > 0
                }
                #expect(isFiled)
                try await expect((0..<10).map { ["d\($0)", "{}", ""] }, stage)
                worker.signal(SIGTERM)
                #expect(await worker.exit(within: .seconds(30)) == .status(0))
                #expect(try await DeadLetters.take(1).first?.header("reason")?.stringValue == "crashesWorkers")
            }
        }
    }
}

/// What registering one device after another leads to, by the rules as they are written.
private struct RegisteredChannels {
    private var channels: [Int: Int] = [:]
    private var live: Set<Int> = []

    mutating func register(_ device: Int, _ channel: Int) {
        for (other, taken) in channels where taken == channel { live.remove(other) }
        channels[device] = channel
        live.insert(device)
    }

    var rows: [String] {
        channels.map { "d\($0) c\($1) \(live.contains($0) ? "-" : "ChannelTaken")" }.sorted()
    }
}
