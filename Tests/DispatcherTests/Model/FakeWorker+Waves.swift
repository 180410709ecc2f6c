import AMQP
import DispatchCore

@testable import Dispatcher

/// `WaveHandler`, `WavePlanner` and `JobLane`.
extension FakeWorker {
    func runWaves(_ lane: Lane) {
        intakes[lane.jobsQueue]?.take(profile.waveLimit(lane)) { [self] messages in
            let suspicious = messages.filter { $0.deliveryCount >= WaveHandler.suspiciousDeliveryCount }
            let others = messages.filter { $0.deliveryCount < WaveHandler.suspiciousDeliveryCount }
            runAlone(suspicious[...], lane) { [self] in
                guard !others.isEmpty else { return runWaves(lane) }
                runWave(others, lane) { self.runWaves(lane) }
            }
        }
    }

    private func runAlone(_ messages: ArraySlice<AMQPDelivery>, _ lane: Lane, _ then: @escaping () -> Void) {
        guard let message = messages.first else { return then() }
        let fingerprint = message.fingerprint(queue: lane.jobsQueue)
        let clear = { [self] in
            insist(lane, "clears", { $0.suspects[fingerprint] = nil }) { [self] _ in
                runAlone(messages.dropFirst(), lane, then)
            }
        }
        insist(lane, "tries alone", { $0.tryAlone(fingerprint) }) { [self] result in
            guard case .success(let tries) = result, tries > SuspectStore.maximumTries else {
                return runWave([message], lane, clear)
            }
            reject([.poison(message, queue: lane.jobsQueue)], lane) { [self] in
                intakes[lane.jobsQueue]?.finish([message])
                clear()
            }
        }
    }

    /// A wave that is refused is taken apart.
    private func runWave(_ messages: [AMQPDelivery], _ lane: Lane, _ then: @escaping () -> Void) {
        step(messages, lane) { [self] isRefused in
            guard isRefused else { return then() }
            if messages.count == 1 {
                reject([.refused(messages[0], queue: lane.jobsQueue, reason: "refused")], lane) { [self] in
                    intakes[lane.jobsQueue]?.finish(messages)
                    then()
                }
            } else {
                runEach(messages[...], lane, then)
            }
        }
    }

    private func runEach(_ messages: ArraySlice<AMQPDelivery>, _ lane: Lane, _ then: @escaping () -> Void) {
        guard let message = messages.first else { return then() }
        runWave([message], lane) { [self] in runEach(messages.dropFirst(), lane, then) }
    }

    private func step(_ messages: [AMQPDelivery], _ lane: Lane, _ then: @escaping (_ isRefused: Bool) -> Void) {
        var jobs: [WaveJob] = []
        var rejections: [Rejection] = []
        for message in messages {
            if ModelJob.isPoison(message.body) { return process.kill() }
            do throws(JobError) {
                let job = try SendJob(decoding: message.body, messageID: nil)
                jobs.append(WaveJob(job: job, hub: ModelWorld.hub, message: message))
            } catch {
                rejections.append(Rejection(message, queue: lane.jobsQueue, error: error))
            }
        }
        if broken.contains(.earlyAcknowledgement) { intakes[lane.jobsQueue]?.finish(messages) }
        reject(rejections, lane) { [self] in
            guard !jobs.isEmpty else {
                intakes[lane.jobsQueue]?.finish(messages)
                return then(false)
            }
            budget(lane).acquire(profile.batchLimit(lane)) { [self] share in
                plan(jobs, lane) { [self] plan in
                    guard let plan else {
                        share.release()
                        return then(true)
                    }
                    carryOut(plan, of: messages, lane, share) { then(false) }
                }
            }
        }
    }

    private func carryOut(
        _ plan: WavePlan,
        of messages: [AMQPDelivery],
        _ lane: Lane,
        _ share: FakeBudget.Share,
        _ then: @escaping () -> Void
    ) {
        reject(plan.rejections, lane) { [self] in
            intakes[lane.jobsQueue]?.finish(messages)
            for large in plan.large { planner(lane)?.add(large) }
            runPlanned(plan.batches[...], after: nil, lane, share) {
                share.release()
                then()
            }
        }
    }

    /// `JobLane.run`: each batch is begun in the commit that records the one before.
    private func runPlanned(
        _ batches: ArraySlice<BatchWork>,
        after begun: BegunBatch?,
        _ lane: Lane,
        _ share: FakeBudget.Share,
        _ then: @escaping () -> Void
    ) {
        guard let first = batches.first else { return then() }
        let batch = begun.map { first.atNextEpoch.cancelling($0.cancelled) } ?? first
        let rest = batches.dropFirst()
        let next = rest.first.map { NextBatch(id: $0.id, epoch: $0.epoch) }
        run(batch, next: next, share) { [self] following in
            if let following { return runPlanned(rest, after: following, lane, share, then) }
            announce(rest.map { .init(id: $0.id, size: $0.count, lane: lane) }) { _ in }
            then()
        }
    }
}

extension FakeWorker {
    /// Nil when the database refuses the wave.
    private func plan(
        _ jobs: [WaveJob],
        _ lane: Lane,
        tries: Int = 0,
        failures: Int = 0,
        _ then: @escaping (WavePlan?) -> Void
    ) {
        let again = { [self] in
            pause(failures + 1) { self.plan(jobs, lane, failures: failures + 1, then) }
        }
        call(pool(lane), "resolves \(jobs.count)", { $0.resolve(jobs) }) { [self] result in
            guard case .success(let resolved) = result else { return again() }
            let draft = WaveDraft(
                jobs,
                resolved: resolved,
                queue: lane.jobsQueue,
                batchLimit: profile.batchLimit(lane),
                now: now
            )
            guard !draft.accepted.isEmpty else { return then(WavePlan(rejections: draft.rejections)) }
            call(pool(lane), "commits \(draft.summary)", { [id] in try $0.commit(draft, lane: lane, worker: id) }) {
                [self] result in
                switch result {
                case .success(let ids): then(WavePlan(draft, ids: ids, lane: lane))
                case .failure(is FakeDatabase.Refusal) where tries < WavePlanner.maximumTries:
                    plan(jobs, lane, tries: tries + 1, failures: failures, then)
                case .failure(is FakeDatabase.Refusal): then(nil)
                case .failure: again()
                }
            }
        }
    }

    /// `DeadLetterOffice.file`: a row, then a message that the broker confirms.
    private func reject(_ rejections: [Rejection], _ lane: Lane, _ then: @escaping () -> Void) {
        guard let rejection = rejections.first else { return then() }
        insist(lane, "files \(rejection.reason)", { $0.deadLetters[rejection.message.body] = rejection.reason }) {
            [self] _ in
            tell(rejection, failures: 0) { self.reject(Array(rejections.dropFirst()), lane, then) }
        }
    }

    private func tell(_ rejection: Rejection, failures: Int, _ then: @escaping () -> Void) {
        broker.publish(from: process, to: FakeBroker.deadQueue, rejection.message.body) { [self] isConfirmed in
            if isConfirmed { return then() }
            pause(failures + 1) { self.tell(rejection, failures: failures + 1, then) }
        }
    }
}

extension WaveDraft {
    fileprivate var summary: String {
        accepted.map { "n\($0.id.rawValue & 0xF_FFFF_FFFF)" }.joined(separator: ",")
    }
}

extension FakeDatabase {
    /// `SuspectStore.beginTry`.
    mutating func tryAlone(_ fingerprint: [UInt8]) -> Int {
        suspects[fingerprint, default: 0] += 1
        return suspects[fingerprint] ?? 0
    }
}
