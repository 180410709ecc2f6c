import DispatchCore

@testable import Dispatcher

/// What must be true when all has ended.
extension Promises {
    func checkEnd(isQuiet: Bool, broker: FakeBroker, witness: [DeliveryKey: [FakeGateway.Sending]]) {
        let data = database.data
        if !isQuiet { report(1, "not finished: \(data.openWork)") }
        for breach in data.history.breaches { report(2, breach) }
        for loss in data.history.losses where loss.deliveries > profile.sharedBudget + profile.urgentBudget {
            report(3, "worker \(loss.worker) leaves \(loss.deliveries) in doubt")
        }
        let over = Set(broker.overDelivered)
        for (job, _) in confirmed { checkAccepted(job, data, over) }
        for id in data.notifications.keys.sorted(by: { $0.rawValue < $1.rawValue }) { checkCounts(id, data) }
        for key in Set(data.deliveries.keys).union(witness.keys).sorted() {
            checkDelivery(key, data, witness[key] ?? [])
        }
    }

    private func checkAccepted(_ job: ModelJob, _ data: FakeDatabase, _ overDelivered: Set<[UInt8]>) {
        let accepted = data.notifications.values.filter { $0.jobID == job.id }
        if accepted.count > 1 { report(4, "job \(job.id) is \(accepted.count) notifications") }
        let isDead = data.deadLetters[job.body] != nil || overDelivered.contains(job.body)
        if accepted.isEmpty, !isDead { report(1, "job \(job.id) was confirmed and is nowhere") }
        guard let notification = accepted.first, notification.body != job.body else {
            return checkAudience(job, accepted.first, data)
        }
        if !isDead { report(4, "job \(job.id) with another body was swallowed") }
    }

    /// Everybody who was there all along has a row, and nobody who was not meant.
    private func checkAudience(_ job: ModelJob, _ notification: FakeDatabase.Notification?, _ data: FakeDatabase) {
        guard let notification else { return }
        for device in data.devices {
            let key = DeliveryKey(notification: notification.id, installation: device.key)
            let hasRow = data.deliveries[key] != nil
            let isMeant = job.means(device)
            if hasRow, !isMeant { report(2, "\(key) was not meant") }
            guard isMeant, !hasRow, device.retireReason == nil, notification.cancelledAt == nil else { continue }
            report(1, "\(key) has no row")
        }
    }

    private func checkCounts(_ id: NotificationID, _ data: FakeDatabase) {
        guard let notification = data.notifications[id] else { return }
        let rows = data.deliveries.filter { $0.key.notification == id }
        if rows.count != notification.audience {
            report(1, "n\(id.rawValue & 0xFFFF): \(rows.count) rows of \(notification.audience)")
        }
        for state in DeliveryState.allCases {
            let counted = data.progress[id]?[state] ?? 0
            let found = rows.values.count { $0.state == state }
            if counted != found { report(2, "n\(id.rawValue & 0xFFFF): \(counted) of \(found) \(state.name) counted") }
        }
    }

    private func checkDelivery(_ key: DeliveryKey, _ data: FakeDatabase, _ sendings: [FakeGateway.Sending]) {
        guard let row = data.deliveries[key] else { return report(1, "\(key) was sent and has no row") }
        if !row.state.isTerminal { report(1, "\(key) is still \(row.state.name)") }
        let taken = sendings.count(where: \.answer.isTaken)
        if row.state == .accepted, taken == 0 { report(3, "\(key) is accepted and no gateway has it") }
        if !row.isAmbiguous {
            if taken > 1 { report(3, "\(key) was taken \(taken) times and is not flagged") }
            if taken == 1, row.state != .accepted { report(3, "\(key) was taken, is \(row.state.name), not flagged") }
        }
        if data.notifications[key.notification]?.isAtMostOnce == true {
            let perhaps = sendings.count { $0.answer.isTaken || $0.answer.isDoubtful }
            if perhaps > 1 { report(3, "\(key) may have been taken \(perhaps) times, at most once was asked for") }
        }
        checkAttempts(key, row, sendings)
    }

    /// The attempts are numbered without a gap; one comes twice only if it was in doubt or did not count.
    private func checkAttempts(_ key: DeliveryKey, _ row: FakeDatabase.Delivery, _ sendings: [FakeGateway.Sending]) {
        var last = 0
        var isUncounted = true
        for sending in sendings {
            if sending.attempt > last + 1 { report(3, "\(key): attempt \(sending.attempt) comes after \(last)") }
            if sending.attempt <= last, !isUncounted, !row.isAmbiguous {
                report(3, "\(key): attempt \(sending.attempt) is made again without doubt")
            }
            isUncounted = sending.answer == .refuseCredential
            last = max(last, sending.attempt)
        }
        if last > profile.policy.maxAttempts { report(3, "\(key): \(last) attempts") }
    }
}

extension FakeGateway.Answer {
    /// Whether the sender cannot tell that the push was not taken.
    fileprivate var isDoubtful: Bool { self == .breakConnection || self == .fallSilent }
}

extension ModelJob {
    fileprivate func means(_ device: FakeDatabase.Device) -> Bool {
        switch audience {
        case .everyone: true
        case .nobodyKnows: false
        case .users(let users): users.contains { device.user == "u\($0)" }
        }
    }
}

extension FakeDatabase {
    fileprivate var openWork: String {
        let open = batches.keys.sorted().map { "b\($0)" } + plans.keys.map { "plan n\($0.rawValue & 0xFFFF)" }.sorted()
        return (open + retries.keys.sorted().map { "retry \($0)" }).prefix(20).joined(separator: ", ")
    }
}
