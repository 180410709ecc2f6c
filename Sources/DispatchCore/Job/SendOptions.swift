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

    /// It is not sent before this instant.
    public let sendAt: Timestamp?

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
        let lifetime = isNowOrNever ? JobLimits.nowOrNever : ttlSeconds.map { .seconds($0) }
        return expiresAt ?? lifetime.map { (sendAt ?? acceptedAt) + $0 }
    }

    /// Whether the gateway shall try once and keep nothing.
    public var isNowOrNever: Bool { ttlSeconds == 0 }
}

extension SendOptions {
    init(decoding value: JSONValue) throws(JobError) {
        var priority: SendPriority?
        var times: (expiresAt: Timestamp?, ttlSeconds: Int?, sendAt: Timestamp?)
        var collapseKey: String?
        var guarantee: DeliveryGuarantee?
        var keepsInbox: Bool?
        var replaces: UUIDValue?
        var rendering: (oversize: Oversize, templateName: String?, platforms: PlatformOptions) = (.refuse, nil, .init())
        try value.forEachMember { (name, value) throws(JobError) in
            switch name {
            case "priority": priority = try value.choice(["high": .high, "normal": .normal, "low": .low])
            case "expiresAt": times.expiresAt = try value.timestamp()
            case "ttlSeconds": times.ttlSeconds = Int(try value.integer(in: JobLimits.timeToLive))
            case "sendAt": times.sendAt = try value.timestamp()
            case "collapseKey": collapseKey = try value.text(upTo: JobLimits.collapseKeyBytes)
            case "guarantee":
                guarantee = try value.choice(["at-least-once": .atLeastOnce, "at-most-once": .atMostOnce])
            case "timeZone":
                throw JobError(.notAvailable, reason: "Sending in the device's time zone is not available yet.")
            case "inbox": keepsInbox = try value.boolean()
            case "oversize": rendering.oversize = try Oversize(decoding: value)
            case "replaces": replaces = try value.uuid()
            case "templateName": rendering.templateName = try value.text(upTo: JobLimits.nameBytes)
            default: guard try rendering.platforms.read(name, value) else { throw JobError.unknownMember }
            }
        }
        try Self.checkTimes(times.expiresAt, times.ttlSeconds, times.sendAt)
        self.init(
            priority: priority ?? .normal,
            expiresAt: times.expiresAt,
            ttlSeconds: times.ttlSeconds,
            collapseKey: collapseKey,
            sendAt: times.sendAt,
            guarantee: guarantee ?? .atLeastOnce
        )
        self.keepsInbox = keepsInbox
        oversize = rendering.oversize
        self.replaces = replaces
        templateName = rendering.templateName
        platforms = rendering.platforms
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
        throw JobError(.conflictingMembers, reason: "expiresAt is not after sendAt: it could never be sent.")
    }
}
