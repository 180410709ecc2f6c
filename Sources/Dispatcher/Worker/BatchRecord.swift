import DispatchCore

/// What is to be written about the answered part of a batch, column by column as COPY and arrays take it.
///
/// Pure: built from a batch and its results, then handed to the store in one piece.
struct BatchRecord: Sendable {
    private(set) var deliveries: [Row] = []
    private(set) var progress = ProgressLedger()
    private(set) var outcomes: [OutcomeKey: Int32] = [:]
    private(set) var retries: [Retry] = []
    private(set) var retirements: [Retirement] = []
    private(set) var newChannels: [NewChannel] = []
    private(set) var devicePauses: [PausedDevice] = []
    let recordedAt: Timestamp

    /// How many deliveries were answered or ended; the others are parked.
    var answered: Int { deliveries.count - parked }
    private(set) var parked = 0

    struct Row: Sendable {
        let notification: NotificationID
        let installation: InstallationKey
        let state: DeliveryState
        let platform: Int16
        let attempts: Int
        let isAmbiguous: Bool
        let reason: String?
    }

    struct OutcomeKey: Hashable, Sendable {
        let hub: Int32
        let platform: Int16
        let state: DeliveryState
        let reason: String?
    }

    struct Retry: Sendable {
        let notification: NotificationID
        let installation: InstallationKey
        let dueAt: Timestamp
        let attempt: Int

        /// The channel it waits for without an attempt, and since when.
        let parking: (channel: ChannelKey, since: Timestamp)?
    }

    /// A channel may have been resumed before its parking is decided: other workers hear of it within this time.
    private static let rumour = Duration.seconds(3)

    /// A push channel that the gateway named in the place of another.
    struct NewChannel: Sendable {
        let installation: InstallationKey
        let old: String
        let new: String
    }

    /// A device that its gateway wants to be left alone, on the push channel that was asked for.
    struct PausedDevice: Sendable {
        let installation: InstallationKey
        let channel: String
        let until: Timestamp
    }

    struct Retirement: Sendable {
        let notification: NotificationID
        let installation: InstallationKey
        let reason: String
        let invalidSince: Timestamp?
        let attempts: Int
    }

    init(_ batch: BatchWork, results: [DeliveryResult?], at now: Timestamp) {
        recordedAt = now
        deliveries.reserveCapacity(results.count)
        var position = 0
        for part in batch.parts {
            for target in part.targets {
                defer { position += 1 }
                guard let result = results[position] else { continue }
                add(result, target: target, notification: part.notification, batch: batch)
            }
        }
    }

    private mutating func add(
        _ result: DeliveryResult,
        target: DeliveryTarget,
        notification: NotificationWork,
        batch: BatchWork
    ) {
        let platform = target.device?.platform.rawValue ?? 0
        deliveries.append(
            Row(
                notification: notification.id,
                installation: target.installation,
                state: result.state,
                platform: platform,
                attempts: result.attempts,
                isAmbiguous: result.isAmbiguous || batch.isAmbiguous,
                reason: result.reason
            )
        )
        progress.count(result.state, of: notification.id, wasRetrying: batch.isRetry)
        addConsequences(of: result, target: target, notification: notification)
        // Parked: nobody has answered anything.
        guard !result.isParked else {
            parked += 1
            return
        }
        let key = OutcomeKey(
            hub: notification.hub.id,
            platform: platform,
            state: result.state,
            reason: result.reason
        )
        outcomes[key, default: 0] += 1
    }

    private mutating func addConsequences(
        of result: DeliveryResult,
        target: DeliveryTarget,
        notification: NotificationWork
    ) {
        if let dueAt = result.nextAttemptAt {
            retries.append(
                Retry(
                    notification: notification.id,
                    installation: target.installation,
                    dueAt: dueAt,
                    attempt: result.attempts + 1,
                    parking: parking(of: result, target: target, hub: notification.hub)
                )
            )
        }
        if let new = result.newChannel, let device = target.device, device.channel != new {
            newChannels.append(NewChannel(installation: target.installation, old: device.channel, new: new))
        }
        if let until = result.devicePause(from: recordedAt), let device = target.device {
            devicePauses.append(
                PausedDevice(installation: target.installation, channel: device.channel, until: until)
            )
        }
        if let retire = result.retire {
            retirements.append(
                Retirement(
                    notification: notification.id,
                    installation: target.installation,
                    reason: retire.reason,
                    invalidSince: retire.invalidSince,
                    attempts: result.attempts
                )
            )
        }
    }

    /// What was held before it was sent waits for what held it, and what was refused uncounted for what refused it.
    private func parking(
        of result: DeliveryResult,
        target: DeliveryTarget,
        hub: Hub
    ) -> (channel: ChannelKey, since: Timestamp)? {
        if result.isParked { return result.parkedFor.map { ($0, recordedAt + (.zero - Self.rumour)) } }
        guard result.attempts < target.attempt, let device = target.device else { return nil }
        return ChannelKey(device, of: hub).reach(of: result.scope).map { ($0, recordedAt) }
    }
}
