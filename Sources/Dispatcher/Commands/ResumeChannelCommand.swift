import DispatchCore
import Postgres

/// Lets pushes flow on a stopped channel without waiting for its probes.
struct ResumeChannelCommand: Command {
    static let words = ["channels", "resume"]
    static let summary = "let pushes flow again on a stopped channel"
    static let help = """
        Usage: dispatcher channels resume HUB PLATFORM [TOPIC] [--sandbox] [--trust]

        Resumes a channel that the view dashboard.channels shows as open or half-open, by the hub, platform and topic
        that it shows there; '-' is the hub of a row without one, --sandbox is for the sandbox of APNs. What waits for it
        is sent at once. With --trust the mass-disable guard leaves the channel alone for an hour: that many devices are
        really gone. A channel that is not stopped is a failure.

        Environment: DISPATCHER_DATABASE_URL, DISPATCHER_EVENTS.
        """

    private let hub: String
    private let platform: Platform
    private let target: String
    private let isTrusted: Bool
    private let isSandbox: Bool

    init(_ arguments: inout ArgumentList) throws(UsageError) {
        isTrusted = arguments.flag("--trust")
        isSandbox = arguments.flag("--sandbox")
        hub = try arguments.positional("HUB")
        let name = try arguments.positional("PLATFORM")
        guard let platform = Platform(name: name) else { throw UsageError("'\(name)' is no platform") }
        self.platform = platform
        target = arguments.optionalPositional() ?? ""
    }

    func run() async throws {
        let configuration = try Configuration(.process)
        let pool = try configuration.pool(size: 1, log: Log(minimum: .error))
        let store = ChannelStore(pool: pool, worker: 0, told: configuration.events)
        let key = ChannelKey(hub: 0, platform: platform, target: target, isSandbox: isSandbox)
        let isResumed = try await store.resume(hub == "-" ? nil : hub, key, isTrusted: isTrusted)
        await pool.close()
        guard isResumed else { throw CommandFailure("there is no stopped channel \(hub) \(platform.name) \(target)") }
        print("\(hub) \(platform.name) \(target.isEmpty ? "-" : target) resumed")
    }
}
