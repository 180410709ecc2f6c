import DispatchCore
import Gateways

@testable import Dispatcher

/// The gateways of all platforms, and the witness of what reached them.
final class FakeGateway {
    /// One push that was handed over.
    struct Sending {
        let at: Timestamp
        let attempt: Int
        let batch: FakeDatabase.History.Intent
        let worker: String
        let answer: Answer
    }

    /// What the gateway does with a push.
    enum Answer: CaseIterable {
        case accept
        case acceptAndLoseAnswer
        case acceptAndFallSilent
        case acceptAndCallItError
        case refuseConnection
        case breakConnection
        case unavailable
        case throttle
        case refuseCredential
        case unregister
        case refuseForGood
        case fallSilent

        var isTaken: Bool {
            switch self {
            case .accept, .acceptAndLoseAnswer, .acceptAndFallSilent, .acceptAndCallItError: true
            default: false
            }
        }
    }

    private let simulation: Simulation

    /// Per mille of the pushes that are not simply accepted.
    var trouble = 0

    /// How much longer than usual an answer may take.
    var slowness = Duration.zero
    private(set) var witness: [DeliveryKey: [Sending]] = [:]

    /// Called for each push before it is answered.
    var onSending: (DeliveryKey, PushRequest, Sending) -> Void = { _, _, _ in }

    init(in simulation: Simulation) { self.simulation = simulation }

    func send(_ requests: [PushRequest], of batch: BatchWork, from process: FakeProcess) -> FakeExchange {
        let exchange = FakeExchange(count: requests.count, of: process)
        for (index, request) in requests.enumerated() {
            let answer = decide(request.push.platform)
            let sending = Sending(
                at: simulation.now,
                attempt: request.attempt,
                batch: .init(batch: batch.id, epoch: batch.epoch),
                worker: process.name,
                answer: answer
            )
            let key = DeliveryKey(notification: request.number, installation: request.installation)
            simulation.note(
                "\(process.name) sends \(key) attempt \(request.attempt) of b\(batch.id).\(batch.epoch): \(answer)"
            )
            onSending(key, request, sending)
            witness[key, default: []].append(sending)
            guard let outcome = outcome(answer, on: request.push.platform) else { continue }
            process.after(delay()) { exchange.answer(index, outcome) }
        }
        return exchange
    }

    private func decide(_ platform: Platform) -> Answer {
        guard simulation.chance(trouble) else { return .accept }
        let answer = Answer.allCases[simulation.dice.below(Answer.allCases.count)]
        // Where an error is a clear no, the push is not taken.
        return answer == .acceptAndCallItError && platform == .apns ? .unavailable : answer
    }

    /// Mostly soon, sometimes after the sender's patience.
    private func delay() -> Duration {
        let usual = simulation.time(.milliseconds(5), .milliseconds(60))
        return simulation.chance(30)
            ? simulation.time(.milliseconds(300), .seconds(3)) : usual + simulation.time(.zero, slowness)
    }

    private func outcome(_ answer: Answer, on platform: Platform) -> DeliveryOutcome? {
        let isAPNs = platform == .apns
        return switch answer {
        case .accept: .accepted(gatewayID: nil)
        case .acceptAndFallSilent, .fallSilent: nil
        case .acceptAndLoseAnswer, .breakConnection:
            .failed(TransportFailure(reason: "ConnectionLost", mayHaveBeenSent: true))
        case .refuseConnection: .failed(TransportFailure(reason: "ConnectionRefused", mayHaveBeenSent: false))
        case .acceptAndCallItError, .unavailable: rejection(503, isAPNs ? "ServiceUnavailable" : "UNAVAILABLE")
        case .throttle: rejection(429, isAPNs ? "TooManyRequests" : "QUOTA_EXCEEDED", after: .seconds(3))
        case .refuseCredential: rejection(403, isAPNs ? "InvalidProviderToken" : "PERMISSION_DENIED")
        case .unregister: rejection(isAPNs ? 410 : 404, isAPNs ? "Unregistered" : "UNREGISTERED")
        case .refuseForGood: rejection(400, isAPNs ? "BadPriority" : "INVALID_ARGUMENT")
        }
    }

    private func rejection(_ status: Int, _ reason: String, after: Duration? = nil) -> DeliveryOutcome {
        let since = status == 410 ? simulation.now : nil
        return .rejected(GatewayRejection(status: status, reason: reason, retryAfter: after, invalidSince: since))
    }
}

/// Where a gateway leaves its answers to one array of requests; as `GatewayExchange`.
final class FakeExchange {
    private(set) var outcomes: [DeliveryOutcome?]
    private let process: FakeProcess
    private var waiter: (() -> Void)?

    init(count: Int, of process: FakeProcess) {
        outcomes = Array(repeating: nil, count: count)
        self.process = process
    }

    func answer(_ index: Int, _ outcome: DeliveryOutcome) {
        outcomes[index] = outcome
        if !outcomes.contains(where: { $0 == nil }) { stopWaiting() }
    }

    /// Goes on when all is answered or the time is over, whichever is first.
    func wait(_ limit: Duration, _ then: @escaping () -> Void) {
        waiter = then
        guard outcomes.contains(where: { $0 == nil }) else { return stopWaiting() }
        process.after(limit) { [self] in stopWaiting() }
    }

    private func stopWaiting() { waiter.take()?() }
}
