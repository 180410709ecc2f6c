import Dispatch
public import DispatchCore
import Synchronization

/// A gateway within the process that answers without a network, the same way every time.
///
/// Scripted channels answer by their prefix: `ok-…` accepted, `dead-…` unregistered, `retryN-…` N times overloaded and
/// then accepted, `afterN-…` once throttled with `Retry-After: N` and then accepted, `large-…` too large, `hang-…` silence,
/// `deny-…` credential refused, `moved-…` accepted and moved to `ok-…`. Where the channel is an address, the prefix is that of its last part, as in
/// `https://push.example/dead-1`. All others follow the configured shares, by a draw that depends on seed, channel and
/// attempt only, never on order. Each platform answers in its own words. A `SimulatedModeFile` overrides all of that for as
/// long as it says so.
public final class SimulatedGateway: Gateway {
    private let behavior: SimulatedBehavior
    private let log: SimulatedGatewayLog?
    private let modeFile: SimulatedModeFile?
    private let now: @Sendable () -> Timestamp
    private let isInstant: Bool
    private let queue = DispatchQueue(label: "simulated-gateway")

    /// What is due in each millisecond of the monotonic clock.
    private let due = Mutex<[UInt64: [AnswerGroup]]>([:])

    /// Makes a gateway; `now` dates the death of unregistered channels, `log` witnesses what is accepted.
    public init(
        configuration: Configuration = .perfect,
        log: SimulatedGatewayLog? = nil,
        modeFile: SimulatedModeFile? = nil,
        now: @escaping @Sendable () -> Timestamp
    ) {
        behavior = SimulatedBehavior(configuration)
        isInstant = configuration.latency == .none
        self.log = log
        self.modeFile = modeFile
        self.now = now
    }

    /// Answers at once without latency, else from a queue of its own when the answers are due.
    public func send(_ requests: [PushRequest], exchange: GatewayExchange) {
        let modes = modeFile?.modes
        guard isInstant, modes?.haveLatency != true else {
            return schedule(requests, modes: modes, exchange: exchange)
        }
        var group = AnswerGroup(requests: requests, exchange: exchange)
        group.answers.reserveCapacity(requests.count)
        for (index, request) in requests.enumerated() {
            guard let answer = answer(to: request, modes: modes) else { continue }
            group.add(answer, to: index)
        }
        give(group)
    }
}

extension SimulatedGateway {
    /// An answer that the gateway gives, and whether it gets there.
    private struct Answer {
        let outcome: DeliveryOutcome
        var isLost = false
    }

    /// Answers to some of the requests of one `send` that are given together.
    private struct AnswerGroup: Sendable {
        let requests: [PushRequest]
        var answers: [(Int, DeliveryOutcome)] = []

        /// The requests whose connection breaks between the gateway's decision and its answer.
        var lost: Set<Int> = []
        let exchange: GatewayExchange

        init(requests: [PushRequest], exchange: GatewayExchange) {
            self.requests = requests
            self.exchange = exchange
        }

        mutating func add(_ answer: Answer, to index: Int) {
            answers.append((index, answer.outcome))
            if answer.isLost { lost.insert(index) }
        }

        /// What arrives at the sender.
        var arriving: [(Int, DeliveryOutcome)] {
            lost.isEmpty ? answers : answers.map { ($0, lost.contains($0) ? .connectionLost : $1) }
        }
    }

    /// Nil for silence.
    private func answer(to request: PushRequest, modes: SimulatedModes?) -> Answer? {
        let platform = request.push.platform
        let mode = modes?[platform].flatMap { behavior.isConcerned(request, by: $0) ? $0 : nil }
        switch mode?.answer {
        case nil, .usual: return usualAnswer(to: request).map { Answer(outcome: $0) }
        case .acceptThenDrop: return usualAnswer(to: request).map { Answer(outcome: $0, isLost: true) }
        case .hang: return nil
        case .drop: return Answer(outcome: .connectionLost)
        case .refuse: return refusal(.denied, platform)
        case .dead: return refusal(.unregistered, platform)
        case .unavailable: return refusal(.unavailable, platform, asked: mode?.retryAfter)
        case .throttled: return refusal(.throttled(seconds: 1), platform, asked: mode?.retryAfter)
        }
    }

    private func usualAnswer(to request: PushRequest) -> DeliveryOutcome? {
        behavior.answer(to: request).outcome(on: request.push.platform, now: now)
    }

    private func refusal(_ answer: SimulatedAnswer, _ platform: Platform, asked field: String? = nil) -> Answer? {
        let pause = field.flatMap { RetryAfter.pause($0, now: now()) }
        return answer.outcome(on: platform, retryAfter: pause, now: now).map { Answer(outcome: $0) }
    }

    /// Writes the witness first: what is answered as accepted is in the log, even if the process dies right after.
    private func give(_ group: AnswerGroup) {
        guard let log else { return group.exchange.answer(group.arriving) }
        do throws(SimulatedGatewayLog.Failure) {
            try log.append(accepted: group.answers, of: group.requests, now: now())
            group.exchange.answer(group.arriving)
        } catch {
            // Without a witness nothing counts as accepted; the reason shows in every delivery.
            let failure = TransportFailure(reason: error.description, mayHaveBeenSent: true)
            group.exchange.answer(group.answers.map { ($0, $1.isAccepted ? .failed(failure) : $1) })
        }
    }

    private func schedule(_ requests: [PushRequest], modes: SimulatedModes?, exchange: GatewayExchange) {
        let start = DispatchTime.now().uptimeNanoseconds
        var groups: [UInt64: AnswerGroup] = [:]
        for (index, request) in requests.enumerated() {
            guard let answer = answer(to: request, modes: modes) else { continue }
            let latency =
                modes?[request.push.platform]?.latency
                ?? behavior.latency(channel: request.channel, attempt: request.attempt)
            let millisecond = (start + UInt64(latency.microseconds) * 1_000 + 999_999) / 1_000_000
            let empty = AnswerGroup(requests: requests, exchange: exchange)
            groups[millisecond, default: empty].add(answer, to: index)
        }
        for millisecond in add(groups) {
            let deadline = DispatchTime(uptimeNanoseconds: millisecond * 1_000_000)
            queue.asyncAfter(deadline: deadline) { self.giveAll(dueIn: millisecond) }
        }
    }

    /// Returns the milliseconds that had nothing due before: one timer each, however many answers it gives.
    private func add(_ groups: [UInt64: AnswerGroup]) -> [UInt64] {
        due.withLock { due in
            var added: [UInt64] = []
            for (millisecond, group) in groups {
                if due[millisecond] == nil { added.append(millisecond) }
                due[millisecond, default: []].append(group)
            }
            return added
        }
    }

    private func giveAll(dueIn millisecond: UInt64) {
        for group in due.withLock({ $0.removeValue(forKey: millisecond) }) ?? [] { give(group) }
    }
}

extension DeliveryOutcome {
    fileprivate static let connectionLost = failed(TransportFailure(reason: "ConnectionLost", mayHaveBeenSent: true))

    fileprivate var isAccepted: Bool {
        if case .accepted = self { true } else { false }
    }
}
