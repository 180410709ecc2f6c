import DispatchCore
import Testing

@testable import Dispatcher

@Suite("Pauses as they are stored", .enabled(if: Servers.areAvailable), .timeLimit(.minutes(4)))
struct ChannelStoreTests {
    private static let key = ChannelKey(hub: 1, platform: .apns, target: "a.b")
    private static let sandbox = ChannelKey(hub: 1, platform: .apns, target: "a.b", isSandbox: true)

    private static func store(_ database: TestDatabase, told: EventChoice = .usual) -> ChannelStore {
        ChannelStore(pool: database.pool, worker: 1, told: told)
    }

    private static func now(_ database: TestDatabase) async throws -> Timestamp {
        Timestamp(
            microseconds: Int64(
                try await database.count("SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::int8")
            )
        )
    }

    private static func stop(
        _ store: ChannelStore,
        _ database: TestDatabase,
        _ cause: PauseCause,
        key: ChannelKey = key
    ) async throws -> ChannelPause {
        // Long enough for a machine that is slow between here and the statement.
        let until = try await now(database) + .seconds(60)
        _ = try await store.save(.open(ChannelPause(key: key, cause: cause, reason: "Word", until: until)))
        return try #require(try await store.read().pauses.first { $0.key == key })
    }

    private static func resume(_ store: ChannelStore, _ pause: ChannelPause) async throws -> ChannelStore.Saved? {
        try await store.save(.close(pause.key, revision: pause.revision))
    }

    @Test("the same cause soon again makes the pause longer, another cause begins with its own first one")
    func rounds() async throws {
        try await withDatabase { database in
            let store = Self.store(database)
            for round in 1...3 {
                let pause = try await Self.stop(store, database, .throttled)
                #expect(pause.round == round)
                #expect(try await Self.resume(store, pause) != nil)
            }
            for round in 1...3 {
                let pause = try await Self.stop(store, database, .unavailable)
                #expect(pause.round == round)
                let length = try await database.count(
                    "SELECT extract(epoch FROM until - opened_at)::int8 FROM dispatcher.channel_pause"
                )
                let longest = 60 * (1 << (round - 1))
                #expect(length <= longest && length > longest / 2, "\(round): \(length)")
                #expect(try await Self.resume(store, pause) != nil)
            }
            #expect(try await Self.stop(store, database, .throttled).round == 1)
        }
    }

    @Test("only the first verdict on a pause is heard, and none on the one before it")
    func revisions() async throws {
        try await withDatabase { database in
            let store = Self.store(database)
            let first = try await Self.stop(store, database, .throttled)
            #expect(try await Self.resume(store, first) != nil)
            let second = try await Self.stop(store, database, .unavailable)
            #expect(second.round == 1)
            #expect(try await Self.resume(store, first) == nil)
            let longer = ChannelPause(
                key: Self.key,
                cause: .unavailable,
                reason: "x",
                until: second.until + .seconds(10),
                round: 2,
                revision: second.revision + 1
            )
            #expect(try await store.save(.reopen(longer)) != nil)
            #expect(try await store.save(.reopen(longer)) == nil)
            #expect(try await Self.resume(store, second) == nil)
            let pauses = try await store.read().pauses
            #expect(pauses == [longer])
            #expect(try await Self.resume(store, longer) != nil)
        }
    }

    @Test("the environments of APNs stop and restore apart, and the view names them")
    func environments() async throws {
        try await withDatabase { database in
            try await database.execute(
                """
                INSERT INTO dispatcher.installation
                    (hub_id, installation_id, platform, push_channel, topic, is_sandbox, retired_at, retire_reason)
                SELECT 1, 'i' || n, 1, 't' || n, 'a.b', n % 2 = 0, now(), 'BadDeviceToken' FROM generate_series(1, 7) n
                """
            )
            let store = Self.store(database)
            _ = try await Self.stop(store, database, .dead, key: Self.sandbox)
            let retired = try await database.texts(
                "SELECT DISTINCT environment FROM dashboard.installations WHERE retired_at IS NOT NULL"
            )
            #expect(retired == [["production"]])
            _ = try await Self.stop(store, database, .unavailable)
            #expect(try await store.read().pauses.count == 2)
            let shown = "SELECT environment, cause, retired_restored::text FROM dashboard.channels ORDER BY 1"
            #expect(
                try await database.texts(shown) == [["production", "unavailable", "0"], ["sandbox", "dead", "3"]]
            )
            #expect(try await store.resume("default", Self.sandbox, isTrusted: true))
            #expect(try await !store.resume("default", Self.sandbox, isTrusted: true))
            #expect(try await !store.resume("nobody", Self.key, isTrusted: true))
            #expect(try await store.read().trusted == [Self.sandbox])
        }
    }

    /// The bodies that wait in the outbox.
    private static func told(_ database: TestDatabase) async throws -> [JSONValue] {
        try await database.texts("SELECT convert_from(body, 'UTF8') FROM dispatcher.outbox ORDER BY id")
            .map { try JSONParser.parse(Array($0[0].utf8)) }
    }

    @Test("a stop and a resumption are told once each, by whoever made them")
    func events() async throws {
        try await withDatabase { database in
            let store = Self.store(database)
            let pause = try await Self.stop(store, database, .refused)
            _ = try await Self.stop(store, database, .refused)
            #expect(try await Self.resume(store, pause) != nil)
            #expect(try await Self.resume(store, pause) == nil)
            let all = ChannelKey(hub: 0, platform: .fcmV1)
            _ = try await Self.stop(store, database, .unavailable, key: all)
            #expect(try await store.resume(nil, all, isTrusted: false))
            let events = try await Self.told(database)
            #expect(
                events.map { $0["type"]?.string } == [
                    "dispatcher.channel.stopped", "dispatcher.channel.resumed", "dispatcher.channel.stopped",
                    "dispatcher.channel.resumed",
                ]
            )
            #expect(events.map { $0["source"]?.string } == ["/hubs/default", "/hubs/default", "/hubs", "/hubs"])
            #expect(
                events.map { $0["data"]?["cause"]?.string } == ["refused", "refused", "unavailable", "unavailable"]
            )
            #expect(Set(events.compactMap { $0["id"]?.string }).count == 4)
        }
    }

    @Test("what nobody wants to hear is not told")
    func silent() async throws {
        try await withDatabase { database in
            let store = Self.store(database, told: EventChoice([.failed], channels: [.resumed]))
            let pause = try await Self.stop(store, database, .refused)
            #expect(try await Self.told(database).isEmpty)
            _ = try await Self.resume(store, pause)
            #expect(try await Self.told(database).count == 1)
        }
    }
}
