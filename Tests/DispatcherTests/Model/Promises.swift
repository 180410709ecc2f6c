import DispatchCore
import Gateways

@testable import Dispatcher

/// The promises of the design, checked while a run goes on and when it is over.
final class Promises {
    let database: FakeDatabaseServer
    let simulation: Simulation
    let profile: ModelProfile

    /// What is broken, each with its promise's number.
    private(set) var breaches: [String] = []
    var confirmed: [(job: ModelJob, at: Timestamp)] = []

    /// The first time that a push of a notification was handed over.
    private(set) var firstSending: [NotificationID: Timestamp] = [:]

    /// How far a worker's idea of the database's time may be behind: one round trip of its heartbeat.
    private static let clockError = Duration.milliseconds(250)

    init(database: FakeDatabaseServer, simulation: Simulation, profile: ModelProfile) {
        self.database = database
        self.simulation = simulation
        self.profile = profile
    }

    func report(_ promise: Int, _ text: String) {
        guard breaches.count < 20 else { return }
        breaches.append("promise \(promise): \(text)")
        simulation.note("BREACH \(breaches[breaches.count - 1])")
    }

    func confirm(_ job: ModelJob, at instant: Timestamp) { confirmed.append((job, instant)) }

    /// Looks at a push that is handed to the gateway.
    func check(_ key: DeliveryKey, _ request: PushRequest, _ sending: FakeGateway.Sending) {
        let data = database.data
        firstSending[key.notification] = firstSending[key.notification] ?? sending.at
        guard let notification = data.notifications[key.notification] else {
            return report(1, "\(key) is sent and nowhere accepted")
        }
        if notification.expiresAt + Self.clockError <= sending.at {
            report(6, "\(key) is sent \(sending.at - notification.expiresAt) after it has expired")
        }
        guard let cancelled = data.history.intents[sending.batch] else {
            return report(3, "\(key) is sent without an intent")
        }
        if cancelled.contains(key.notification) { report(6, "\(key) was cancelled before its batch was begun") }
    }
}
