import DispatchCore

/// Carries decisions about channels to PostgreSQL, and everybody's from there.
struct ChannelKeeper: Sendable {
    let watch: ChannelWatch
    let store: ChannelStore
    let log: Log

    /// How long another worker may go on after a channel was stopped.
    static let interval = Duration.seconds(1)

    func synchronise() async throws {
        for change in watch.unsaved {
            let saved = try await store.save(change)
            watch.saved(1)
            if let saved { report(change, saved) }
        }
        watch.replace(try await store.read())
        for (gateway, count) in watch.takeHeldRetries() {
            log.warning(
                "retries.held",
                ["hub": gateway.hub, "platform": gateway.platform.name, "target": Self.shown(gateway), "count": count]
            )
        }
    }

    private static func shown(_ key: ChannelKey) -> String {
        let target = key.target.isEmpty ? "-" : key.target
        return key.isSandbox ? "sandbox:" + target : target
    }

    /// Says it once: only the worker whose word was the first is told that it was.
    private func report(_ change: ChannelChange, _ saved: ChannelStore.Saved) {
        let key = change.key
        let target = Self.shown(key)
        switch change {
        case .open(let pause), .reopen(let pause):
            log.warning(
                "channel.stopped",
                [
                    "hub": key.hub, "platform": key.platform.name, "target": target, "cause": pause.cause.rawValue,
                    "reason": pause.reason, "round": saved.round, "restored": saved.restored,
                ]
            )
        case .close:
            log.warning(
                "channel.resumed",
                ["hub": key.hub, "platform": key.platform.name, "target": target, "restored": saved.restored]
            )
        }
    }
}
