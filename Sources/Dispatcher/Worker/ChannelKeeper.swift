import DispatchCore

/// Carries decisions about channels to PostgreSQL, and everybody's from there.
struct ChannelKeeper: Sendable {
    let watch: ChannelWatch
    let store: ChannelStore
    let clock: DatabaseClock
    let log: Log

    /// How long another worker may go on after a channel was stopped.
    static let interval = Duration.seconds(1)

    func synchronise() async throws { try await synchronise(at: clock.now) }

    func synchronise(at now: Timestamp) async throws {
        try await save()
        watch.replace(try await store.read())
        try await confer(at: now)
        try await save()
        for (gateway, count) in watch.takeHeldRetries() {
            log.warning(
                "retries.held",
                ["hub": gateway.hub, "platform": gateway.platform.name, "target": Self.shown(gateway), "count": count]
            )
        }
    }

    private func save() async throws {
        for change in watch.unsaved {
            let saved = try await store.save(change)
            watch.saved(1)
            if let saved { report(change, saved) }
        }
    }

    /// Tells of channels in trouble and hears of them; who only now hears of one tells what it knows at once.
    private func confer(at now: Timestamp) async throws {
        try await tell(watch.testimony(), at: now)
        let more = watch.testimony()
        if !more.isEmpty { try await tell(more, at: now) }
    }

    private func tell(_ testimony: [ChannelSecond], at now: Timestamp) async throws {
        do {
            watch.hear(try await store.share(testimony, now: now), now: now)
        } catch {
            watch.takeBack(testimony)
            throw error
        }
    }

    private static func shown(_ key: ChannelKey) -> String {
        let target = key.target.isEmpty ? "-" : key.target
        return key.isSandbox ? "sandbox:" + target : target
    }

    /// Says it once: only the worker whose word was the first is told that it was.
    private func report(_ change: ChannelChange, _ saved: ChannelStore.Saved) {
        let turn = ChannelTurn(change)
        watch.count(turn)
        let (event, key) = ("channel.\(turn.kind.rawValue)", change.key)
        let (platform, target) = (key.platform.name, Self.shown(key))
        switch change {
        case .open(let pause), .reopen(let pause):
            log.warning(
                event,
                [
                    "hub": key.hub, "platform": platform, "target": target, "cause": pause.cause.rawValue,
                    "reason": pause.reason, "round": saved.round, "until": pause.until.rfc3339,
                    "restored": saved.restored,
                ]
            )
        case .close:
            log.warning(
                event,
                ["hub": key.hub, "platform": platform, "target": target, "restored": saved.restored]
            )
        }
    }
}
