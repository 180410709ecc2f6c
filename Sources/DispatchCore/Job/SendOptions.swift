/// When and how a job is sent.
public struct SendOptions: Hashable, Sendable {
    /// How urgent it is.
    public let priority: SendPriority

    /// After this instant it is not sent; nil when `ttlSeconds` or the hub's default decides.
    public let expiresAt: Timestamp?

    /// The same as seconds after `sendAt`, or after the job was accepted when there is none.
    public let ttlSeconds: Int?

    /// A later notification with the same key replaces this one on the device.
    public let collapseKey: String?

    /// It is not sent before this instant; with ``local`` the first one that it means, once that is known.
    public private(set) var sendAt: Timestamp?

    /// It is not sent before this time by the clocks of a time zone.
    public internal(set) var local: LocalSchedule?

    /// The last instant that ``local`` means, once that is known.
    public private(set) var lastSendAt: Timestamp?

    /// What happens to ambiguous attempts.
    public let guarantee: DeliveryGuarantee

    /// What happens to a payload over its platform's limit.
    public var oversize = Oversize.refuse

    /// Which of an installation's templates is rendered; nil lets the installation decide.
    public var templateName: String?

    /// Whether users find it in their inboxes; nil lets the content and the hub decide.
    public var keepsInbox: Bool?

    /// The notification whose place it takes on the device, and which answers to it are about.
    public var replaces: UUIDValue?

    /// Which class of notifications it belongs to, and what of its rules does not hold.
    public var classes = ClassOptions()

    /// What each platform alone is told.
    public var platforms = PlatformOptions()

    /// Takes checked values.
    public init(
        priority: SendPriority = .normal,
        expiresAt: Timestamp? = nil,
        ttlSeconds: Int? = nil,
        collapseKey: String? = nil,
        sendAt: Timestamp? = nil,
        guarantee: DeliveryGuarantee = .atLeastOnce
    ) {
        self.priority = priority
        self.expiresAt = expiresAt
        self.ttlSeconds = ttlSeconds
        self.collapseKey = collapseKey
        self.sendAt = sendAt
        self.guarantee = guarantee
    }

    /// The instant after which a job accepted at `acceptedAt` is not sent, or nil when it sets none.
    ///
    /// A time to live of 0 gives the hub itself `JobLimits.nowOrNever` to hand it over.
    public func expiry(acceptedAt: Timestamp) -> Timestamp? {
        expiresAt ?? lifetime.map { (lastSendAt ?? sendAt ?? acceptedAt) + $0 }
    }

    /// How long it lives from the time at which it is sent, if the job says so.
    public var lifetime: Duration? { isNowOrNever ? JobLimits.nowOrNever : ttlSeconds.map { .seconds($0) } }

    /// The options with the instants that the local time means, from the first to the last zone.
    public func resolved(_ moments: ClosedRange<Timestamp>) -> SendOptions {
        var options = self
        options.sendAt = moments.lowerBound
        options.lastSendAt = moments.upperBound
        return options
    }

    /// Whether the gateway shall try once and keep nothing.
    public var isNowOrNever: Bool { ttlSeconds == 0 }
}

extension SendOptions {
    init(decoding value: JSONValue) throws(JobError) {
        var priority: SendPriority?
        var times: (expiresAt: Timestamp?, ttlSeconds: Int?, sendAt: JSONValue?, zone: LocalSchedule.Zone?)
        var collapseKey: String?
        var guarantee: DeliveryGuarantee?
        var keepsInbox: Bool?
        var replaces: UUIDValue?
        var rendering: (oversize: Oversize, templateName: String?, platforms: PlatformOptions) = (.refuse, nil, .init())
        var classes = ClassOptions()
        try value.forEachMember { (name, value) throws(JobError) in
            switch name {
            case "priority": priority = try value.choice(["high": .high, "normal": .normal, "low": .low])
            case "expiresAt": times.expiresAt = try value.timestamp()
            case "ttlSeconds": times.ttlSeconds = Int(try value.integer(in: JobLimits.timeToLive))
            case "sendAt": times.sendAt = value
            case "timeZone": times.zone = try LocalSchedule.Zone(decoding: value)
            case "collapseKey": collapseKey = try value.text(upTo: JobLimits.collapseKeyBytes)
            case "guarantee":
                guarantee = try value.choice(["at-least-once": .atLeastOnce, "at-most-once": .atMostOnce])
            case "inbox": keepsInbox = try value.boolean()
            case "oversize": rendering.oversize = try Oversize(decoding: value)
            case "replaces": replaces = try value.uuid()
            case "templateName": rendering.templateName = try value.text(upTo: JobLimits.nameBytes)
            default:
                if try classes.read(name, value) { return }
                guard try rendering.platforms.read(name, value) else { throw JobError.unknownMember }
            }
        }
        let (sendAt, local) = try Self.sendTime(times.sendAt, times.zone)
        try Self.checkTimes(times.expiresAt, times.ttlSeconds, sendAt)
        try classes.check(priority ?? .normal)
        self.init(
            priority: priority ?? .normal,
            expiresAt: times.expiresAt,
            ttlSeconds: times.ttlSeconds,
            collapseKey: collapseKey,
            sendAt: sendAt,
            guarantee: guarantee ?? .atLeastOnce
        )
        self.local = local
        self.keepsInbox = keepsInbox
        oversize = rendering.oversize
        self.replaces = replaces
        templateName = rendering.templateName
        platforms = rendering.platforms
        self.classes = classes
    }

    /// What `sendAt` says depends on whether there is a zone.
    private static func sendTime(
        _ value: JSONValue?,
        _ zone: LocalSchedule.Zone?
    ) throws(JobError) -> (sendAt: Timestamp?, local: LocalSchedule?) {
        guard let value else {
            guard zone == nil else { throw JobError.missing("sendAt") }
            return (nil, nil)
        }
        do {
            guard let zone else { return (try value.timestamp(), nil) }
            return (nil, LocalSchedule(time: try value.localTime(), zone: zone))
        } catch {
            throw error.under("sendAt")
        }
    }

    private static func checkTimes(
        _ expiresAt: Timestamp?,
        _ ttlSeconds: Int?,
        _ sendAt: Timestamp?
    ) throws(JobError) {
        guard let expiresAt else { return }
        guard ttlSeconds == nil else {
            throw JobError(.conflictingMembers, reason: "Only one of expiresAt and ttlSeconds can be given.")
        }
        guard let sendAt, expiresAt <= sendAt else { return }
        throw neverSent
    }

    private static var neverSent: JobError {
        JobError(.conflictingMembers, reason: "expiresAt is not after sendAt: it could never be sent.")
    }

    /// Refuses options whose end comes before the first instant of their local time, seen from the job.
    public func checkResolved() throws(JobError) {
        guard local != nil, let expiresAt, let sendAt, expiresAt <= sendAt else { return }
        throw Self.neverSent.under("options")
    }
}
