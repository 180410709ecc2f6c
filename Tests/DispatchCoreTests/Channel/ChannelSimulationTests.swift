import Testing

@testable import DispatchCore

/// Workers, a gateway that falls ill and recovers, and the shared table of pauses, on a made-up clock.
struct ChannelSimulationTests {
    private enum Health { case well, failing, refusing, killing }

    /// Workers with books of their own that meet once a second, as through PostgreSQL.
    private struct Model {
        var books: [ChannelBook]
        var shared: [ChannelKey: ChannelPause] = [:]
        var revision = 0
        var unsaved: [[ChannelChange]]
        var random: SplitMix
        let key = ChannelExample.key
        var sentWhileStopped = 0
        var sent = 0
        var held = 0

        init(workers: Int, seed: UInt64) {
            books = Array(repeating: ChannelBook(), count: workers)
            unsaved = Array(repeating: [], count: workers)
            random = SplitMix(seed: seed)
        }

        /// What PostgreSQL's functions do: the first word counts, and every pause has a number.
        mutating func save(_ change: ChannelChange) {
            switch change {
            case .open(let pause): if shared[pause.key] == nil { impose(pause) }
            case .reopen(let pause): if shared[pause.key]?.revision == pause.revision - 1 { impose(pause) }
            case .close(let key, let revision): if shared[key]?.revision == revision { shared[key] = nil }
            }
        }

        private mutating func impose(_ pause: ChannelPause) {
            revision += 1
            shared[pause.key] = ChannelPause(
                key: pause.key,
                cause: pause.cause,
                reason: pause.reason,
                until: pause.until,
                round: pause.round,
                revision: revision
            )
        }

        mutating func synchronise(_ worker: Int) {
            for change in unsaved[worker] { save(change) }
            unsaved[worker] = []
            books[worker].replace(Array(shared.values), trusted: [])
        }

        mutating func sendBatch(_ worker: Int, of size: Int, _ health: Health, now: Timestamp) {
            let isStopped = shared.values.contains { $0.until > now }
            var report = ChannelReport(key)
            for _ in 0..<size {
                guard books[worker].hold(key, now: now) == nil else {
                    held += 1
                    continue
                }
                sent += 1
                if isStopped { sentWhileStopped += 1 }
                report.add(ChannelExample.result(answer(health, now: now), at: now), attempt: 1, now: now)
            }
            unsaved[worker] += books[worker].observe(report, now: now)
        }

        private mutating func answer(_ health: Health, now: Timestamp) -> DeliveryOutcome {
            let draw = random.next() % 100
            return switch health {
            case .well: draw < 3 ? ChannelExample.gone(since: now) : ChannelExample.accepted
            case .failing: draw < 3 ? ChannelExample.accepted : ChannelExample.unavailable
            case .refusing: ChannelExample.refused
            case .killing: draw < 2 ? ChannelExample.accepted : ChannelExample.suspect
            }
        }

        /// Ten steps a second; each worker meets the others once a second, at a moment of its own.
        mutating func run(_ health: Health, from start: Timestamp, steps: Int, batch: Int) -> Timestamp {
            for step in 0..<steps {
                let now = start + .milliseconds(100 * step)
                for worker in books.indices {
                    if step % 10 == worker % 10 { synchronise(worker) }
                    sendBatch(worker, of: batch, health, now: now)
                }
            }
            return start + .milliseconds(100 * steps)
        }
    }

    @Test("an illness stops the channel for all workers and its end resumes it", arguments: 0..<24 as Range<UInt64>)
    func illness(seed: UInt64) {
        let workers = Int(seed % 4) + 1
        var model = Model(workers: workers, seed: seed)
        let illness = [Health.failing, .refusing, .killing][Int(seed % 3)]
        var now = model.run(.well, from: ChannelExample.start, steps: 700, batch: 40)
        #expect(model.shared.isEmpty && model.held == 0)
        let seconds = Int(seed % 7) * 60 + 30
        // Within five seconds, then nothing but probes.
        now = model.run(illness, from: now, steps: 50, batch: 40)
        #expect(!model.shared.isEmpty)
        let (sent, early) = (model.sent, model.sentWhileStopped)
        now = model.run(illness, from: now, steps: seconds * 10, batch: 40)
        #expect(model.sentWhileStopped - early <= workers * ChannelPolicy.probes * 10)
        #expect(model.sent - sent <= workers * ChannelPolicy.probes * 16)
        #expect(!model.shared.isEmpty)
        // The longest pause, and the time to agree.
        now = model.run(.well, from: now, steps: 3_100, batch: 5)
        #expect(model.shared.isEmpty)
        let held = model.held
        now = model.run(.well, from: now, steps: 600, batch: 40)
        #expect(model.held == held)
    }
}
