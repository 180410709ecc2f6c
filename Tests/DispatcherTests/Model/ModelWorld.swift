import DispatchCore

@testable import Dispatcher

/// One run: publishers, workers and servers, what befalls them, and the promises they are held to.
final class ModelWorld {
    let simulation: Simulation
    let database: FakeDatabaseServer
    let broker: FakeBroker
    let gateway: FakeGateway
    let profile = ModelProfile()
    let broken: Set<BrokenRule>
    let promises: Promises
    private(set) var workers: [FakeWorker] = []
    private var started = 0
    private(set) var publishers: FakePublishers?

    /// Whether a worker that ends is followed by another.
    var isSupervised = true

    static let hub = Hub(id: 1, name: "default", apnsTopic: "com.example.app")
    static let users = 60

    init(seed: UInt64, broken: Set<BrokenRule> = []) {
        simulation = Simulation(seed: seed, start: Timestamp(seconds: 1_900_000_000))
        self.broken = broken
        var data = FakeDatabase(now: simulation.now, hub: Self.hub, broken: broken)
        data.devices = Self.devices(registeredAt: simulation.now - .seconds(1_000))
        database = FakeDatabaseServer(data, in: simulation)
        broker = FakeBroker(in: simulation)
        gateway = FakeGateway(in: simulation)
        promises = Promises(database: database, simulation: simulation, profile: profile)
        gateway.onSending = { [promises] in promises.check($0, $1, $2) }
        publishers = FakePublishers(in: self)
    }

    /// One to three devices for each user.
    private static func devices(registeredAt: Timestamp) -> [FakeDatabase.Device] {
        (0..<users).flatMap { user in
            (0...user % 3).map { device in
                FakeDatabase.Device(
                    key: InstallationKey(rawValue: Int64(user * 3 + device + 1)),
                    installationID: "d\(user)-\(device)",
                    user: "u\(user)",
                    platform: (user + device) % 2 == 0 ? .apns : .fcmV1,
                    channel: "ok-\(user)-\(device)",
                    registeredAt: registeredAt
                )
            }
        }
    }

    /// Starts a worker; when it ends, another takes its place.
    func startWorker() {
        started += 1
        let worker = FakeWorker("w\(started)", in: self)
        workers.append(worker)
        simulation.note("\(worker.process.name) starts")
        worker.process.whenEnded { [weak self, weak worker] in
            guard let self else { return }
            simulation.note("\(worker?.process.name ?? "a worker") has ended")
            workers.removeAll { $0 === worker }
            guard isSupervised else { return }
            simulation.after(simulation.time(.milliseconds(100), .seconds(8))) { [weak self] in self?.startWorker() }
        }
        worker.start()
    }

    /// Whether nothing is left to be done.
    var isQuiet: Bool {
        let data = database.data
        return publishers?.isDone == true && broker.isEmpty && data.batches.isEmpty && data.plans.isEmpty
            && data.retries.isEmpty
    }

    /// Breaks the rings of references between the parts.
    func dismantle() {
        isSupervised = false
        for worker in workers { worker.dismantle() }
        gateway.onSending = { _, _, _ in }
        simulation.dismantle()
        broker.dismantle()
        publishers = nil
    }
}
