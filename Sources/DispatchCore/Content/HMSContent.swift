/// The parts of a content that only Huawei's notifications know (Huawei, "Push Kit: AndroidConfig").
public struct HMSContent: Hashable, Sendable {
    /// How much it stands out.
    public enum Importance: String, CaseIterable, Hashable, Sendable {
        /// In the list only.
        case low

        /// As others.
        case normal

        /// With sound and light.
        case high
    }

    /// The kind of message that was applied for, such as `IM`; it decides about limits and ringing.
    public var category: String?

    /// How much it stands out.
    public var importance: Importance?

    /// The notification channel of the app.
    public var channelID: String?

    /// The name of a drawable of the app.
    public var icon: String?

    /// The accent colour as `#rrggbb`.
    public var color: String?

    /// A picture's address, in place of the attachment's.
    public var image: String?

    /// The intent that opening it starts, in place of the link.
    public var clickIntent: String?

    /// The entry class whose icon carries the badge.
    public var badgeClass: String?

    /// The number by which a shown notification is replaced, in place of one made of the collapse key.
    public var notifyID: Int?

    /// The tag under which Huawei counts it.
    public var biTag: String?

    /// Whether it goes to a test device, free of the daily limits.
    public var isForTestUser: Bool?

    /// Makes one without any.
    public init() {}
}

extension HMSContent {
    init(decoding value: JSONValue) throws(JobError) {
        try value.checkNotEmpty()
        try value.forEachMember { (name, value) throws(JobError) in
            try read(name, value)
        }
    }

    private mutating func read(_ name: String, _ value: JSONValue) throws(JobError) {
        switch name {
        case "category": category = try value.text(upTo: JobLimits.nameBytes)
        case "importance": importance = try value.spelling(of: Importance.self)
        case "channelId": channelID = try value.text(upTo: JobLimits.nameBytes)
        case "icon": icon = try value.text(upTo: JobLimits.nameBytes)
        case "color": color = try value.color()
        case "image": image = try value.secureURL()
        case "clickIntent": clickIntent = try value.text(upTo: JobLimits.urlBytes)
        case "badgeClass": badgeClass = try value.text(upTo: JobLimits.nameBytes)
        case "notifyId": notifyID = Int(try value.integer(in: JobLimits.badge))
        case "biTag": biTag = try value.text(upTo: JobLimits.nameBytes)
        case "testUser": isForTestUser = try value.boolean()
        default: throw JobError.unknownMember
        }
    }
}
