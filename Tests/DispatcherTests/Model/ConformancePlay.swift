import AMQP
import DispatchCore

@testable import Dispatcher

/// The same random operations on the fake database and, through the program's stores, on PostgreSQL.
struct ConformancePlay {
    let real: TestDatabase
    let clock: TestClock
    var fake: FakeDatabase
    var dice: SplitMix

    /// PostgreSQL's number of each of the fake's batches; both give out their own.
    var realBatches: [Int64: Int64] = [:]
    var jobs: [ModelJob] = []
    var drafts: [(draft: WaveDraft, lane: Lane, worker: Int64)] = []
    var hands: [(batch: BatchWork, worker: Int64)] = []
    var plans: [(plan: PlanWork, worker: Int64)] = []
    var log: [String] = []

    static let workers: ClosedRange<Int64> = 1...3
    static let users = 40
    private static let devices = 130

    static func prepare(
        _ database: TestDatabase,
        seed: UInt64,
        broken: Set<BrokenRule> = []
    ) async throws -> ConformancePlay {
        let start = Timestamp(seconds: DatabaseClock().now.seconds)
        let clock = try await TestClock.install(in: database, at: start)
        try await TestDatabase.migrate(database.url)
        try await database.execute(
            """
            INSERT INTO dispatcher.installation (hub_id, installation_id, user_id, platform, push_channel)
            SELECT h.id, 'd' || n, 'u' || n % \(users), 1 + n % 2, 'ok-' || n
            FROM dispatcher.hub h, generate_series(1, \(devices)) n WHERE h.name = 'default' ORDER BY n
            """
        )
        guard let hub = try await HubDirectory(pool: database.pool).hub(named: "default") else {
            throw Drift(text: "no hub")
        }
        var fake = FakeDatabase(now: start, hub: hub, broken: broken)
        fake.devices = try await devices(of: database, registeredAt: start)
        return ConformancePlay(real: database, clock: clock, fake: fake, dice: SplitMix(seed: seed))
    }

    private static func devices(
        of database: TestDatabase,
        registeredAt start: Timestamp
    ) async throws -> [FakeDatabase.Device] {
        let rows = try await database.texts(
            "SELECT i.id::text, installation_id, user_id, platform::text FROM dispatcher.installation i ORDER BY i.id"
        )
        return rows.map { row in
            FakeDatabase.Device(
                key: InstallationKey(rawValue: Int64(row[0]) ?? 0),
                installationID: row[1],
                user: row[2],
                platform: row[3] == "1" ? .apns : .fcmV1,
                channel: "ok-\(row[1].dropFirst())",
                registeredAt: start
            )
        }
    }

    private init(real: TestDatabase, clock: TestClock, fake: FakeDatabase, dice: SplitMix) {
        self.real = real
        self.clock = clock
        self.fake = fake
        self.dice = dice
    }

    /// Plays one operation on both, and compares what they answer and what they hold.
    mutating func step() async throws {
        let worker = Int64.random(in: Self.workers, using: &dice)
        switch dice.below(30) {
        case 0, 1: try await passTime()
        case 2, 3, 4: try await plan(worker)
        case 5: try await commitDraft()
        case 6, 7, 8, 9: try await claim(worker)
        case 10, 11, 12, 13, 14, 15: try await record()
        case 16: try await cutPlan(worker)
        case 17: try await writePage()
        case 18, 19, 20: try await takeRetries(worker)
        case 21: try await rescue(worker)
        case 22: try await giveBack(worker)
        case 23: try await announce(worker)
        case 24: try await cancel()
        case 25: try await read(worker)
        case 26, 27: try await takeCancelled(worker)
        default: try await live(worker)
        }
        try await compareStates()
    }

    mutating func note(_ text: String) { log.append(text) }

    private func compareStates() async throws {
        let expected = ConformanceState.lines(of: fake)
        let found = try await ConformanceState.lines(of: real)
        guard expected != found else { return }
        let missing = Set(expected).subtracting(found).sorted().prefix(10)
        let extra = Set(found).subtracting(expected).sorted().prefix(10)
        throw Drift(
            text: """
                only in the model:
                \(missing.joined(separator: "\n"))
                only in PostgreSQL:
                \(extra.joined(separator: "\n"))
                after
                \(log.suffix(30).joined(separator: "\n"))
                """
        )
    }

    /// The two do not agree.
    struct Drift: Error, CustomStringConvertible {
        let text: String

        var description: String { text }
    }

    func agree<Value: Equatable>(_ model: Value, _ store: Value, _ what: String) throws {
        guard model != store else { return }
        let story = log.suffix(30).joined(separator: "\n")
        throw Drift(text: "\(what): the model says \(model), the store \(store), after\n\(story)")
    }
}

extension ConformancePlay {
    /// What a play must have come across to be worth something.
    var seen: [String: Int] {
        [
            "deliveries": fake.deliveries.count,
            "retries": fake.deliveries.values.count { $0.attempts > 1 },
            "ambiguous": fake.deliveries.values.count(where: \.isAmbiguous),
            "cancelled": fake.notifications.values.count { $0.cancelledAt != nil },
            "retired": fake.devices.count { $0.retireReason != nil },
        ]
    }

    var hasSeenEverything: Bool { seen.values.allSatisfy { $0 > 0 } }
}
