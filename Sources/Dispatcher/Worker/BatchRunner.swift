import DispatchCore

/// Sends batches and records them: the part of the flow that waves and published batches share.
struct BatchRunner: Sendable {
    let sender: Sender
    let recorder: Recorder
    let limits: GatewayLimits
    let active: ActiveWork
    let ends: LocalExpiryReader
    let templates: TemplateReader
    let unread: UnreadReader
    let categories: CategoryReader
    let classes: ClassReader
    let channels: ChannelWatch

    /// Sends one begun batch and records it.
    ///
    /// What the gateway leaves unanswered is handed to `stragglers`.
    ///
    /// Answers what was found when `next` was begun with the record; nil when it was not.
    func run(_ batch: BatchWork, next: NextBatch?, budget: BudgetShare, stragglers: StragglerGroup) async -> BegunBatch?
    {
        active.insert(batch.id)
        guard let batch = await equipped(batch) else {
            active.remove(batch.id)
            return nil
        }
        logUnreadable(batch)
        let start = ContinuousClock.now
        let sending = sender.send(batch)
        let clock = recorder.clock
        let results = await sending.results(within: limits.patience, isFinal: false) { clock.now }
        let remaining = sending.remaining(after: results)
        if remaining == nil { recorder.counters.addGatewayTime(.now - start) }
        // With a rest outstanding the share is still in use, so nothing follows on it.
        let following = remaining == nil ? next : nil
        CrashHook.reach(.sent)
        let begun = await recorder.record(batch, results: results, remaining: remaining, next: following)
        CrashHook.reach(.recorded)
        channels.observe(batch, results: results, now: clock.now)
        if let remaining {
            let share = budget.split(remaining.count)
            stragglers.add {
                await finish(sending, answered: results, remaining: remaining, share: share, since: start)
            }
        } else {
            active.remove(batch.id)
        }
        return begun
    }

    /// The batch with all that its notifications need to be rendered; what depends on the moment is read last.
    private func equipped(_ batch: BatchWork) async -> BatchWork? {
        guard let timed = await ends.read(for: batch), let described = await templates.read(for: timed),
            let declared = await categories.read(for: described), let counted = await unread.read(for: declared)
        else { return nil }
        return await classes.read(for: counted)
    }

    private func logUnreadable(_ batch: BatchWork) {
        for part in batch.parts {
            guard let error = part.notification.unreadable else { continue }
            recorder.log.error("job.unreadable", ["notification": part.notification.job.id, "error": error])
        }
    }

    private func finish(
        _ sending: SendInProgress,
        answered: [DeliveryResult?],
        remaining: BatchWork,
        share: BudgetShare,
        since start: ContinuousClock.Instant
    ) async {
        let clock = recorder.clock
        let wait = limits.deadline - limits.patience
        let results = await sending.results(within: wait, isFinal: true) { clock.now }
        recorder.counters.addGatewayTime(.now - start)
        let late = zip(answered, results).compactMap { $0 == nil ? $1 : nil }
        CrashHook.reach(.sentLate)
        _ = await recorder.record(remaining, results: late, remaining: nil, next: nil)
        channels.observe(remaining, results: late, now: clock.now)
        active.remove(remaining.id)
        share.release()
    }
}
