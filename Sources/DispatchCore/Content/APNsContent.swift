/// The parts of a content that only Apple's platforms know.
public struct APNsContent: Hashable, Sendable {
    /// The picture or storyboard shown while the app is launched from the notification.
    public var launchImage: String?

    /// What a Focus filter compares itself with.
    public var filterCriteria: String?

    /// Whether the app's service extension may change the notification; an attachment asks for it anyway.
    public var isMutable: Bool?

    /// Makes one without any.
    public init(launchImage: String? = nil, filterCriteria: String? = nil, isMutable: Bool? = nil) {
        self.launchImage = launchImage
        self.filterCriteria = filterCriteria
        self.isMutable = isMutable
    }

    init(decoding value: JSONValue) throws(JobError) {
        try value.checkNotEmpty()
        try value.forEachMember { (name, value) throws(JobError) in
            switch name {
            case "launchImage": launchImage = try value.text(upTo: JobLimits.nameBytes)
            case "filterCriteria": filterCriteria = try value.text(upTo: JobLimits.nameBytes)
            case "mutableContent": isMutable = try value.boolean()
            default: throw JobError.unknownMember
            }
        }
    }
}
