import Postgres
import Synchronization

/// Does for many requests at once what each of them waits for: one transaction for all that came while one was under way.
///
/// A request that comes alone is never kept waiting for company. Each hub has waves of its own, because a transaction of the
/// API sees one hub.
///
/// One wave of a hub is under way at a time: the costs of a wave hardly depend on its size, so two halves cost more than
/// the whole. Only when a wave takes longer than usual, as on a connection that is stuck, another may go beside it.
final class RequestWaves<Item: Sendable, Answer: Sendable>: Sendable {
    /// Does the work of a wave of one hub; answers each item, in order.
    typealias Work = @Sendable (_ hub: Int32, _ items: [Item]) async throws -> [Answer]

    private struct Waiting: Sendable {
        let item: Item
        let continuation: CheckedContinuation<Answer, any Error>
    }

    private struct Queue {
        var waiting: [Waiting] = []
        var waves = 0
        /// When the latest wave began.
        var began: ContinuousClock.Instant?

        /// Whether a wave may go now, beside those under way; one that is about to begin is not stuck.
        func mayGo(at now: ContinuousClock.Instant) -> Bool {
            guard waves > 0 else { return true }
            guard waves < Self.most, let began else { return false }
            return began.duration(to: now) >= Self.patience
        }

        /// A second wave for the sake of a stuck one; each takes a connection.
        private static var most: Int { 2 }

        /// Several times what a large wave takes on a busy machine.
        private static var patience: Duration { .milliseconds(100) }
    }

    private let limit: Int
    private let now: @Sendable () -> ContinuousClock.Instant
    private let work: Work
    private let queues = Mutex<[Int32: Queue]>([:])

    /// - Parameters:
    ///   - limit: The most items of a wave.
    ///   - now: The time.
    ///   - work: Does it; all of a wave or, when it throws, nothing.
    init(
        limit: Int,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        work: @escaping Work
    ) {
        self.limit = limit
        self.now = now
        self.work = work
    }

    /// The answer to one item, when the wave it went with is done.
    func answer(_ item: Item, in hub: Int32) async throws -> Answer {
        try await withCheckedThrowingContinuation { continuation in
            let isFirst = queues.withLock { queues in
                queues[hub, default: Queue()].waiting.append(Waiting(item: item, continuation: continuation))
                guard queues[hub, default: Queue()].mayGo(at: now()) else { return false }
                queues[hub, default: Queue()].waves += 1
                return true
            }
            if isFirst { Task { await run(hub) } }
        }
    }

    /// Takes wave after wave until nothing waits.
    private func run(_ hub: Int32) async {
        while let wave = next(hub) {
            do {
                let answers = try await work(hub, wave.map(\.item))
                precondition(answers.count == wave.count, "each item of a wave has an answer")
                for (waiting, answer) in zip(wave, answers) { waiting.continuation.resume(returning: answer) }
            } catch  where wave.count > 1 && error.isOfOneItem {
                for waiting in wave { await runAlone(waiting, hub) }
            } catch {
                for waiting in wave { waiting.continuation.resume(throwing: error) }
            }
        }
    }

    /// One bad item takes no neighbour along.
    private func runAlone(_ waiting: Waiting, _ hub: Int32) async {
        do {
            let answers = try await work(hub, [waiting.item])
            waiting.continuation.resume(returning: answers[0])
        } catch {
            waiting.continuation.resume(throwing: error)
        }
    }

    /// The next wave of a hub; nil for who is done, or was stuck and leaves the rest to the other one.
    private func next(_ hub: Int32) -> [Waiting]? {
        queues.withLock { queues in
            guard var queue = queues[hub] else { return nil }
            let now = now()
            queue.waves -= 1
            guard !queue.waiting.isEmpty, queue.mayGo(at: now) else {
                queues[hub] = queue.waves == 0 ? nil : queue
                return nil
            }
            queue.waves += 1
            queue.began = now
            let wave = Array(queue.waiting.prefix(limit))
            queue.waiting.removeFirst(wave.count)
            queues[hub] = queue
            return wave
        }
    }
}

extension Error {
    /// Whether one item's data may be the cause, so that the others can go without it.
    fileprivate var isOfOneItem: Bool {
        (self as? PostgresError)?.isFaultOfInput ?? true
    }
}
