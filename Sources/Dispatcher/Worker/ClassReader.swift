import DispatchCore

/// Gives a batch what the rules of its notifications' classes hold back; a hub without classes costs one look per notification.
struct ClassReader: Sendable {
    let store: ClassUseStore
    let clock: DatabaseClock
    let channels: ChannelWatch
    let log: Log
    let backoff: Backoff

    /// The batch with what is held back; nil when the drain has run out of time.
    func read(for batch: BatchWork) async -> BatchWork? {
        guard batch.parts.contains(where: { !$0.notification.hub.classes.isEmpty }) else { return batch }
        let targets = targets(of: batch)
        guard !targets.isEmpty else { return batch }
        return await backoff.insist("classes.failed", batch: batch.id, log: log) {
            var batch = batch
            let awake = try await holdQuiet(targets.filter(\.mindsQuietHours), in: &batch)
            let capped = targets.filter { $0.mindsCaps && awake[$0.position] == nil }
            for position in try await store.overCaps(capped) { batch.holds[position] = .capped }
            return batch
        }
    }

    private func holdQuiet(_ targets: [ClassTarget], in batch: inout BatchWork) async throws -> [Int: ClassHold] {
        for (target, until) in try await store.quiet(targets) {
            batch.holds[target.position] = target.dropsQuiet ? .dropped : .quiet(until: until)
        }
        return batch.holds
    }

    /// The deliveries that a class has rules for and that would be sent otherwise.
    private func targets(of batch: BatchWork) -> [ClassTarget] {
        let now = clock.now
        var targets: [ClassTarget] = []
        var position = 0
        for part in batch.parts {
            let notification = part.notification
            defer { position += part.targets.count }
            guard let rules = notification.notificationClass, notification.isOpen(at: now) else { continue }
            for (index, target) in part.targets.enumerated() {
                guard let device = target.device, device.permission != .denied,
                    !notification.job.content.isSilent(on: device.platform)
                else { continue }
                targets.append(
                    ClassTarget(
                        position: position + index,
                        notification: notification,
                        target: target,
                        rules: rules,
                        isParked: device.pause(at: now) != nil
                            || channels.isAnyPaused && channels.isStopped(device, of: notification.hub)
                    )
                )
            }
        }
        return targets
    }
}

extension NotificationWork {
    fileprivate var notificationClass: NotificationClass? {
        hub.classes[job.options.classes.name ?? ClassOptions.usual]
    }

    fileprivate func isOpen(at now: Timestamp) -> Bool {
        !isCancelled && unreadable == nil && expiresAt > now
    }
}
