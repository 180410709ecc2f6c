import AMQP
import DispatchCore
import Postgres

/// What an operator does with dead letters, over connections of its own.
struct DeadLetterDesk: Sendable {
    let store: DeadLetterStore
    private let publisher: AMQPPublisher
    private let endpoint: AMQPEndpoint
    private let database: PostgresConfiguration

    /// Letters in hand at a time.
    static let step = 50
    private static let confirmDeadline = Duration.seconds(15)

    /// The advisory lock of whoever turns the queue ("dead").
    private static let lockKey: Int64 = 0x6465_6164
    private static let lockPatience = Duration.seconds(60)

    /// Opens the desk, lends it to the body and closes it.
    static func with<R>(_ configuration: Configuration, _ body: (DeadLetterDesk) async throws -> R) async throws -> R {
        let desk = try DeadLetterDesk(configuration)
        desk.publisher.start()
        let result: Result<R, any Error>
        do {
            result = .success(try await body(desk))
        } catch {
            result = .failure(error)
        }
        await desk.publisher.stop()
        await desk.store.pool.close()
        return try result.get()
    }

    private init(_ configuration: Configuration) throws {
        endpoint = try configuration.brokerEndpoint()
        database = try configuration.database(applicationName: "dispatcher dead-letters")
        store = DeadLetterStore(pool: PostgresPool(configuration: database, size: 2))
        publisher = AMQPPublisher(endpoint: endpoint, connectionName: "dispatcher dead-letters", onEvent: { _ in })
    }

    /// Publishes these once more, as they were; each is marked when the broker has confirmed it.
    ///
    /// Those whose own key leads nowhere go with the one given, or stay.
    func replay(_ ids: [Int64], again: Bool, key: String? = nil) async throws -> DeadLetterTally {
        var generator = SystemDice()
        let claim = UUIDValue.timeOrdered(at: DatabaseClock().now, using: &generator)
        let claimed = try await store.claim(ids, as: claim, again: again)
        let stranded = claimed.filter { $0.replayKey(else: key) == nil }
        try await store.release(stranded, of: claim)
        let letters = claimed.filter { $0.replayKey(else: key) != nil }
        let messages = letters.compactMap { $0.replay(key: key) }
        let results = await publisher.publishSigned(messages, deadline: Self.confirmDeadline)
        CrashHook.check(Array("dead-letters.replay.confirmed".utf8))
        let confirmed = zip(letters, results).filter { $1 == .confirmed }.map(\.0)
        let failed = zip(letters, results).filter { $1 != .confirmed }
        try await store.markReplayed(confirmed)
        try await store.release(failed.map(\.0), of: claim)
        var tally = DeadLetterTally(done: confirmed.map(\.id))
        tally.failed = failed.map { ($0.id, "was not confirmed: \($1)") }
        tally.skipped = stranded.map { ($0.id, Self.reason(stranded: $0)) }
        tally.skipped += try await reasons(ids, except: claimed.map(\.id), again: again)
        return tally
    }

    /// Closes these without publishing them.
    func discard(_ ids: [Int64]) async throws -> DeadLetterTally {
        let done = try await store.discard(ids)
        var tally = DeadLetterTally(done: done)
        tally.skipped = try await reasons(ids, except: done, again: false)
        return tally
    }

    private func reasons(_ ids: [Int64], except done: [Int64], again: Bool) async throws -> [(Int64, String)] {
        let left = Set(ids).subtracting(done).sorted()
        guard !left.isEmpty else { return [] }
        let states = try await store.states(of: left)
        return left.map { ($0, Self.reason(states[$0], again: again)) }
    }

    private static func reason(stranded letter: DeadLetterContent) -> String {
        let message = letter.rejection.message
        return switch letter.rejection.queue {
        case UnroutableLane.queue:
            "was published with the key \(message.routingKey), which leads nowhere; name the right one with --key"
        case let queue where MessageOrigin(queue: queue) != nil:
            "is from \(queue), which workers fill by themselves; discard it"
        case let queue:
            "is of unknown origin (queue \(queue), exchange \(message.exchange), key \(message.routingKey)); "
                + "look at it, and name where it belongs with --key"
        }
    }

    private static func reason(_ letter: DeadLetterSummary?, again: Bool) -> String {
        guard let letter else { return "is not there" }
        if letter.state != "open", !again { return "is \(letter.state) already" }
        if letter.replays > 0, !again { return "was replayed before and came back; --again replays it once more" }
        if letter.byteCount > DeadLetterStore.bodyLimit { return "is too large to be a job" }
        return "is in the hands of another command"
    }

    /// Makes the queue agree with the table, one command at a time.
    func settle() async throws -> DeadQueueTurn.Outcome {
        let connection = try await PostgresConnection.connect(database)
        let result: Result<DeadQueueTurn.Outcome, any Error>
        do {
            try await lock(connection)
            result = .success(try await DeadQueueTurn(store: store, publisher: publisher, endpoint: endpoint).run())
        } catch {
            result = .failure(error)
        }
        // The lock ends with its connection, also when the process is killed.
        await connection.close()
        return try result.get()
    }

    private func lock(_ connection: PostgresConnection) async throws {
        let clock = ContinuousClock()
        let end = clock.now + Self.lockPatience
        let statement = PostgresStatement("SELECT pg_try_advisory_lock($1)", [.int8(Self.lockKey)])
        while true {
            let isHeld = try await connection.withSession { session throws(PostgresError) in
                try session.execute(statement).bool(0, 0)
            }
            if isHeld { return }
            guard clock.now < end else { throw DeadLetterFailure.isLocked }
            try await Task.sleep(for: .milliseconds(200))
        }
    }
}
