import AMQP
import DispatchCore

/// The decisions about a resolved wave, before anything is written: what is new, what is small, how it is packed.
struct WaveDraft {
    /// New notifications, in wave order, with their audience as far as it is known.
    private(set) var accepted: [Accepted] = []

    /// Runs of `accepted` that are sent together; each is at most the batch limit.
    private(set) var batches: [Range<Int>] = []
    private(set) var rejections: [Rejection] = []

    /// Jobs that are the same as one that is known.
    private(set) var repeated = 0

    struct Accepted: Sendable {
        let id: NotificationID
        let wave: WaveJob
        let expiresAt: Timestamp

        /// Empty when the audience is large or scheduled: a plan cuts it into batches.
        let targets: [DeliveryTarget]
        let isPlanned: Bool

        /// Planned by this worker now, rather than by whoever is there when its time comes.
        let isDue: Bool

        /// How its users' inboxes keep it; nil when they do not.
        let inbox: InboxEntry?

        /// Nothing of it is kept, because whom it was for was erased.
        let isEmptied: Bool

        var sendAt: Timestamp? { wave.job.options.sendAt }
        var target: String { isEmptied ? "erased" : wave.job.audience.summary }
        var body: [UInt8] { isEmptied ? [] : wave.body }

        var work: NotificationWork {
            NotificationWork(id: id, hub: wave.hub, job: wave.job, expiresAt: expiresAt, isCancelled: false)
        }
    }

    init(_ jobs: [WaveJob], resolved: ResolvedWave, queue: String, batchLimit: Int, now: Timestamp) {
        var seen: [WaveIdentity: [UInt8]?] = resolved.existing
        accepted.reserveCapacity(jobs.count)
        for (ordinal, job) in jobs.enumerated() {
            let identity = WaveIdentity(job: job.job.id, hub: job.hub.id)
            if let body = seen[identity] {
                rejectUnlessSame(job, as: body, queue: queue)
            } else {
                seen.updateValue(job.message.body, forKey: identity)
                accept(job, resolved.targets[ordinal], id: resolved.ids[ordinal], now: now)
            }
        }
        pack(limit: batchLimit)
    }

    /// The same id with the same body is the same notification and needs nothing; with another body it is a conflict.
    private mutating func rejectUnlessSame(_ job: WaveJob, as body: [UInt8]?, queue: String) {
        guard let body, body != job.message.body else {
            repeated += 1
            return
        }
        rejections.append(
            Rejection(
                job.message,
                queue: queue,
                hub: job.hub.name,
                reason: "conflictingJob",
                path: "$.id",
                jobID: job.job.id,
                detail: "A job with this id and another body was accepted before."
            )
        )
    }

    private mutating func accept(_ job: WaveJob, _ targets: [DeliveryTarget], id: NotificationID, now: Timestamp) {
        let isPlanned = !job.isStopped && (job.job.isPlanned(now: now) || targets.count > LaneProfile.smallAudience)
        let isEmptied = job.isStopped || (job.isDeparted && !isPlanned && targets.isEmpty)
        let expiresAt = job.job.options.expiry(from: now)
        let isKept = expiresAt > now && !isEmptied
        accepted.append(
            Accepted(
                id: id,
                wave: job,
                expiresAt: expiresAt,
                targets: isPlanned ? [] : targets,
                isPlanned: isPlanned,
                isDue: isPlanned && job.job.isDue(now: now),
                inbox: isKept ? InboxEntry(job.job, hubKeepsInbox: job.hub.keepsInbox) : nil,
                isEmptied: isEmptied
            )
        )
    }

    private mutating func pack(limit: Int) {
        var start = 0
        var size = 0
        for (index, item) in accepted.enumerated() {
            if size > 0, size + item.targets.count > limit {
                batches.append(start..<index)
                start = index
                size = 0
            }
            size += item.targets.count
        }
        if size > 0 { batches.append(start..<accepted.count) }
    }
}

extension SendJob {
    /// A broadcast is always large, and what waits for its time is resolved when the time comes.
    func isPlanned(now: Timestamp) -> Bool {
        if case .broadcast = audience { return true }
        return isByDevice || options.sendAt.map { $0 > now } ?? false
    }

    /// Whether planning begins at once; what goes by the devices' clocks begins with a look at which zones there are.
    func isDue(now: Timestamp) -> Bool { isByDevice || options.sendAt.map { $0 <= now } ?? true }

    /// What the devices' clocks show then, if each device has a time of its own.
    var localTime: Timestamp? { isByDevice ? options.local?.time : nil }

    /// Whether each device has a time of its own.
    var isByDevice: Bool { options.local?.isPerDevice ?? false }
}

extension SendOptions {
    /// Platforms keep an undelivered push for up to four weeks; a job that says nothing gets that.
    private static let defaultLifetime = Duration.seconds(28 * 86_400)

    func expiry(from now: Timestamp) -> Timestamp {
        expiry(acceptedAt: now) ?? max(now, lastSendAt ?? sendAt ?? now) + Self.defaultLifetime
    }
}
