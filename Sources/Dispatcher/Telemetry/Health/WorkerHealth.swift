import AMQP
import DispatchCore

/// Whether a worker works, as its own parts show it.
struct WorkerHealth: MonitoredProcess {
    let parts: WorkerParts
    let database: DatabaseWatch

    /// How long a pair of hands may take for one step: what a silent gateway may take, and a minute.
    let patience: Duration

    /// Whoever has made no step for so many times its patience will not make one any more.
    private static let mercies = 5

    func faults() async -> [String] {
        stuck(for: patience * Self.mercies).map { "a pair of hands on \($0) has stopped in the middle of its work" }
    }

    func obstacles() async -> [String] {
        guard !parts.planners.isStopping else { return ["the worker is stopping"] }
        var reasons: [String] = []
        if let obstacle = database.obstacle { reasons.append(obstacle) }
        if let obstacle = publishing { reasons.append(obstacle) }
        // While the database is away the lanes do not consume, and that is right.
        reasons += parts.intakes.compactMap { Self.obstacle($0, isDatabaseUp: database.upSince != nil) }
        reasons += stuck(for: patience).map { "\($0) consumes nothing: a pair of hands makes no progress" }
        return reasons
    }

    private var publishing: String? { Self.obstacle(toPublishing: parts.publishers[0].state.phase) }

    /// During an alarm of the broker nothing moves that has to be announced.
    static func obstacle(toPublishing phase: AMQPConnectionState.Phase) -> String? {
        switch phase {
        case .ready, .paused: nil
        case .connecting, .stopped: "the broker does not take messages"
        case .blocked: "the broker has stopped taking messages: an alarm of its memory or disk"
        }
    }

    private static func obstacle(_ intake: QueueIntake, isDatabaseUp: Bool) -> String? {
        switch intake.connection.phase {
        case .ready, .blocked: nil
        case .connecting, .stopped: "\(intake.queue) is not consumed: no subscription at the broker"
        case .paused: isDatabaseUp ? "\(intake.queue) is not consumed: what it has in hand cannot be written now" : nil
        }
    }

    /// Only time in which a step was possible counts.
    private func stuck(for limit: Duration) -> [String] {
        guard let since = database.upSince, parts.publishers[0].state.phase == .ready else { return [] }
        let start = max(since, parts.publishers[0].state.since)
        return parts.lanes.stuck(for: limit, since: start, now: .now)
    }
}

extension WorkerHealth {
    func write(to page: inout MetricPage) async {
        page.addProcess()
        page.add(.databaseUp, database.upSince == nil ? 0 : 1)
        parts.counters.connections.write(to: &page, connections)
        parts.counters.write(to: &page)
        page.add(.consuming, parts.intakes.map { .init([$0.queue], $0.connection.phase == .ready ? 1 : 0) })
        addHands(to: &page)
        page.add(.inFlight, parts.budgets.map { .init([$0.name], $0.budget.used) })
        page.add(.leaseAge, parts.lease.age / .seconds(1))
        addChannels(to: &page)
        guard let backlog = await database.backlog() else { return }
        page.add(.outboxWaiting, backlog.outboxCount)
        page.add(.outboxAge, backlog.outboxAge)
        page.add(.openDeadLetters, backlog.openDeadLetters)
        page.add(.retryLag, backlog.retryLag)
    }

    private var connections: [(name: String, state: AMQPConnectionState)] {
        parts.intakes.map { ($0.queue, $0.connection) }
            + zip(WorkerParts.publisherNames, parts.publishers).map { ($0, $1.state) }
    }

    private func addHands(to page: inout MetricPage) {
        let now = ContinuousClock.now
        let steps = Dictionary(grouping: parts.lanes.pulses, by: \.queue).mapValues { $0.compactMap(\.lastStep) }
        page.add(.busyHands, steps.map { .init([$0], $1.count) })
        page.add(
            .oldestWave,
            steps.map { queue, steps in .init([queue], steps.min().map { (now - $0) / .seconds(1) } ?? 0) }
        )
    }

    private func addChannels(to page: inout MetricPage) {
        let groups = Dictionary(grouping: parts.channels.pauses) { [$0.key.platform.name, $0.cause.rawValue] }
        page.add(.stoppedChannels, groups.map { .init($0, $1.count) })
        page.add(.channelChanges, parts.channels.changes.map { .init([$0.platform.name, $0.kind.rawValue], $1) })
        page.add(.heldRetries, parts.channels.heldRetryTotals.map { .init([$0.name], $1) })
    }
}
