import DispatchCore

/// Renders a batch: one shared push per notification and platform, and a decision for each device that is not sent to.
struct BatchRendering {
    /// What is handed to the gateway, and where in the batch each request's device stands.
    private(set) var requests: [PushRequest] = []
    private(set) var positions: [Int] = []

    /// Decisions already made, by position; nil where the gateway is asked.
    private(set) var results: [DeliveryResult?]

    private let now: Timestamp
    private let holds: [Int: ClassHold]
    private var position = 0

    /// Nil while no channel is stopped, which is the usual case and costs nothing more.
    private let channels: ChannelWatch?

    /// Nil for first attempts, which no budget holds up.
    private let retries: ChannelWatch?
    private var random = SystemDice()

    init(_ batch: BatchWork, now: Timestamp, channels: ChannelWatch? = nil) {
        self.now = now
        holds = batch.holds
        self.channels = channels?.isAnyPaused == true ? channels : nil
        retries = batch.isRetry ? channels : nil
        let count = batch.count
        results = Array(repeating: nil, count: count)
        requests.reserveCapacity(count)
        positions.reserveCapacity(count)
        for part in batch.parts {
            render(part, of: batch)
        }
    }

    private mutating func render(_ part: BatchWork.Part, of batch: BatchWork) {
        let notification = part.notification
        let refusal = refusal(of: notification, isAmbiguous: batch.isAmbiguous)
        var cache = PushCache(notification: notification, of: batch, now: now)
        for target in part.targets {
            if let refusal {
                // What ends as unknown ends so because an attempt was begun.
                let begun = refusal.state == .unknown ? target.attempt : target.attempt - 1
                results[position] = .ended(refusal.state, reason: refusal.reason, attempts: begun)
            } else {
                render(target, notification: notification, cache: &cache)
            }
            position += 1
        }
    }

    /// Why the whole notification is not sent any more, if so.
    private func refusal(of notification: NotificationWork, isAmbiguous: Bool) -> (
        state: DeliveryState, reason: String
    )? {
        if notification.isCancelled { return (.cancelled, "Cancelled") }
        if notification.expiresAt <= now { return (.expired, "Expired") }
        if notification.unreadable != nil { return (.failed, "UnreadableJob") }
        let isOnce = notification.job.options.guarantee == .atMostOnce
        if isAmbiguous && isOnce { return (.unknown, "WorkerLost") }
        return notification.isQuarantined ? (.failed, "CrashesWorkers") : nil
    }

    private mutating func render(_ target: DeliveryTarget, notification: NotificationWork, cache: inout PushCache) {
        guard let device = target.device else {
            results[position] = .ended(.failed, reason: "InstallationGone", attempts: target.attempt - 1)
            return
        }
        guard device.permission != .denied else {
            results[position] = .ended(.suppressed, reason: "PermissionDenied", attempts: target.attempt - 1)
            return
        }
        guard !cache.isWithoutNumber(target.installation) else {
            results[position] = .ended(.suppressed, reason: "NoUser", attempts: target.attempt - 1)
            return
        }
        if let result = held(target, device, notification) {
            results[position] = result
            return
        }
        switch cache.push(for: device, key: target.installation) {
        case .success(let push):
            append(push, device: device, target: target, notification: notification)
        case .failure(let error):
            let outcome = Self.outcome(of: error.code)
            results[position] = .ended(outcome.state, reason: outcome.reason, attempts: target.attempt - 1)
        }
    }

    /// What is decided about a push that its class, its device's gateway or its channel keeps from being sent now.
    private mutating func held(
        _ target: DeliveryTarget,
        _ device: DeliveryTarget.Device,
        _ notification: NotificationWork
    ) -> DeliveryResult? {
        let attempts = target.attempt - 1
        let expiresAt = notification.expiresAt
        if !holds.isEmpty, let hold = holds[position] { return hold.result(attempts: attempts, expiresAt: expiresAt) }
        if let until = device.pause(at: now) {
            return .deferred(until: until, reason: DevicePause.reason, attempts: attempts, expiresAt: expiresAt)
        }
        guard let hold = hold(target, device, of: notification.hub) else { return nil }
        return .parked(by: hold, attempts: attempts, now: now, expiresAt: expiresAt, using: &random)
    }

    private func hold(_ target: DeliveryTarget, _ device: DeliveryTarget.Device, of hub: Hub) -> ChannelHold? {
        if let hold = channels?.hold(device, of: hub, now: now) { return hold }
        return target.attempt > 1 ? retries?.holdRetry(device, of: hub, now: now) : nil
    }

    /// A device without a template of that name was not meant, and time passes; all other refusals are mistakes.
    private static func outcome(of code: RenderError.Code) -> (state: DeliveryState, reason: String) {
        switch code {
        case .noTemplate: (.suppressed, code.rawValue)
        case .expired: (.expired, "Expired")
        case .noContentAddress, .tooLarge, .reservedKey, .malformedNative, .missingNative, .emptyContent,
            .notExpressible, .vendorRule,
            .malformedTemplate:
            (.failed, code.rawValue)
        }
    }

    private mutating func append(
        _ push: PreparedPush,
        device: DeliveryTarget.Device,
        target: DeliveryTarget,
        notification: NotificationWork
    ) {
        CrashHook.check(push.bodyHead, for: device.installationID)
        CrashHook.check(push.bodyTail, for: device.installationID)
        positions.append(position)
        requests.append(
            PushRequest(
                push: push,
                notification: notification.job.id,
                number: notification.id,
                installation: target.installation,
                installationID: device.installationID,
                channel: device.channel,
                topic: device.topic ?? notification.hub.apnsTopic,
                attempt: target.attempt
            )
        )
    }
}
