import Dispatch
public import DispatchCore
import Synchronization

/// A gateway within the process that answers without a network, the same way every time.
///
/// Scripted channels answer by their prefix: `ok-…` accepted, `dead-…` unregistered, `retryN-…` N times overloaded and
/// then accepted, `afterN-…` once throttled with `Retry-After: N` and then accepted, `large-…` too large, `hang-…` silence,
/// `deny-…` credential refused. Where the channel is an address, the prefix is that of its last part, as in
/// `https://push.example/dead-1`. All others follow the configured shares, by a draw that depends on seed, channel and
/// attempt only, never on order. Each platform answers in its own words.
public final class SimulatedGateway: Gateway {
    private let behavior: SimulatedBehavior
    private let log: SimulatedGatewayLog?
    private let now: @Sendable () -> Timestamp
    private let isInstant: Bool
    private let queue = DispatchQueue(label: "simulated-gateway")

    /// What is due in each millisecond of the monotonic clock.
    private let due = Mutex<[UInt64: [AnswerGroup]]>([:])

    /// Makes a gateway; `now` dates the death of unregistered channels, `log` witnesses what is accepted.
    public init(
        configuration: Configuration = .perfect,
        log: SimulatedGatewayLog? = nil,
        now: @escaping @Sendable () -> Timestamp
    ) {
        behavior = SimulatedBehavior(configuration)
        isInstant = configuration.latency == .none
        self.log = log
        self.now = now
    }

    /// Answers at once without latency, else from a queue of its own when the answers are due.
    public func send(_ requests: [PushRequest], exchange: GatewayExchange) {
        if isInstant {
            var answers: [(Int, DeliveryOutcome)] = []
            answers.reserveCapacity(requests.count)
            for (index, request) in requests.enumerated() {
                if let answer = answer(to: request, at: index) { answers.append(answer) }
            }
            give(AnswerGroup(requests: requests, answers: answers, exchange: exchange))
        } else {
            schedule(requests, exchange: exchange)
        }
    }

    private func answer(to request: PushRequest, at index: Int) -> (Int, DeliveryOutcome)? {
        behavior.answer(to: request).outcome(on: request.push.platform, now: now).map { (index, $0) }
    }
}

extension SimulatedGateway {
    /// Answers to some of the requests of one `send` that are given together.
    private struct AnswerGroup: Sendable {
        let requests: [PushRequest]
        var answers: [(Int, DeliveryOutcome)]
        let exchange: GatewayExchange
    }

    /// Writes the witness first: what is answered as accepted is in the log, even if the process dies right after.
    private func give(_ group: AnswerGroup) {
        guard let log else { return group.exchange.answer(group.answers) }
        do throws(SimulatedGatewayLog.Failure) {
            try log.append(accepted: group.answers, of: group.requests, now: now())
            group.exchange.answer(group.answers)
        } catch {
            // Without a witness nothing counts as accepted; the reason shows in every delivery.
            let failure = TransportFailure(reason: error.description, mayHaveBeenSent: true)
            group.exchange.answer(group.answers.map { ($0, $1.isAccepted ? .failed(failure) : $1) })
        }
    }

    private func schedule(_ requests: [PushRequest], exchange: GatewayExchange) {
        let start = DispatchTime.now().uptimeNanoseconds
        var groups: [UInt64: AnswerGroup] = [:]
        for (index, request) in requests.enumerated() {
            guard let answer = answer(to: request, at: index) else { continue }
            let latency = behavior.latency(channel: request.channel, attempt: request.attempt)
            let millisecond = (start + UInt64(latency.microseconds) * 1_000 + 999_999) / 1_000_000
            let empty = AnswerGroup(requests: requests, answers: [], exchange: exchange)
            groups[millisecond, default: empty].answers.append(answer)
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
    fileprivate var isAccepted: Bool {
        if case .accepted = self { true } else { false }
    }
}
