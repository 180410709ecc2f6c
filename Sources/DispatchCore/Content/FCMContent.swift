/// The parts of a content that only Android's notifications know (Firebase, "AndroidConfig" and "AndroidNotification").
public struct FCMContent: Hashable, Sendable {
    /// Who may see it on a locked screen.
    public enum Visibility: String, CaseIterable, Hashable, Sendable {
        /// That there is one, without its text.
        case `private`

        /// All of it.
        case `public`

        /// Nothing.
        case secret
    }

    /// How much it stands out, below Android 8.
    public enum Prominence: String, CaseIterable, Hashable, Sendable {
        /// Hardly at all.
        case min

        /// Less than others.
        case low

        /// As others.
        case `default`

        /// More than others.
        case high

        /// As an alarm.
        case max
    }

    /// The notification channel of the app.
    public var channelID: String?

    /// The accent colour as `#rrggbb`.
    public var color: String?

    /// The name of a drawable of the app.
    public var icon: String?

    /// The name by which a shown notification is replaced, in place of the collapse key.
    public var tag: String?

    /// Who may see it on a locked screen.
    public var visibility: Visibility?

    /// A picture's address, in place of the attachment's.
    public var image: String?

    /// The intent that opening it starts, in place of the category.
    public var clickAction: String?

    /// What is read out when it arrives.
    public var ticker: String?

    /// Whether it stays after it was opened.
    public var isSticky: Bool?

    /// Whether it stays on this device alone.
    public var isLocalOnly: Bool?

    /// How much it stands out.
    public var notificationPriority: Prominence?

    /// Whether the app may get it before the device is unlocked for the first time.
    public var isDirectBootOK: Bool?

    /// Whether the app's own code draws it: everything is then handed over in `data`.
    public var isDataOnly: Bool?

    /// The app that the token must belong to.
    public var restrictedPackageName: String?

    /// The label under which Firebase counts it.
    public var analyticsLabel: String?

    /// Makes one without any.
    public init() {}
}

extension FCMContent {
    init(decoding value: JSONValue) throws(JobError) {
        try value.checkNotEmpty()
        try value.forEachMember { (name, value) throws(JobError) in
            try read(name, value)
        }
    }

    private mutating func read(_ name: String, _ value: JSONValue) throws(JobError) {
        switch name {
        case "channelId": channelID = try value.text(upTo: JobLimits.nameBytes)
        case "color": color = try value.color()
        case "icon": icon = try value.text(upTo: JobLimits.nameBytes)
        case "tag": tag = try value.text(upTo: JobLimits.nameBytes)
        case "visibility": visibility = try value.spelling(of: Visibility.self)
        case "image": image = try value.secureURL()
        case "clickAction": clickAction = try value.text(upTo: JobLimits.nameBytes)
        case "ticker": ticker = try value.text(upTo: JobLimits.nameBytes)
        case "sticky": isSticky = try value.boolean()
        case "localOnly": isLocalOnly = try value.boolean()
        case "notificationPriority": notificationPriority = try value.spelling(of: Prominence.self)
        case "directBootOk": isDirectBootOK = try value.boolean()
        case "dataOnly": isDataOnly = try value.boolean()
        case "restrictedPackageName": restrictedPackageName = try value.text(upTo: JobLimits.nameBytes)
        case "analyticsLabel": analyticsLabel = try value.analyticsLabel()
        default: throw JobError.unknownMember
        }
    }
}
