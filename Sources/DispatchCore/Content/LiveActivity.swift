/// A step in the life of a Live Activity (Apple, "Starting and updating Live Activities with ActivityKit push
/// notifications").
public struct LiveActivity: Hashable, Sendable {
    /// Which step it is.
    public enum Event: String, CaseIterable, Hashable, Sendable {
        /// It appears.
        case start

        /// Its state changes.
        case update

        /// It ends.
        case end
    }

    /// Which step it is.
    public var event: Event

    /// What orders the steps; nil is the moment of dispatch.
    public var timestamp: Timestamp?

    /// The app's own state, read by its default decoder.
    public var contentState: JSONValue

    /// The name of the attributes' type; a start needs it.
    public var attributesType: String?

    /// What does not change while it lives; a start needs it.
    public var attributes: JSONValue?

    /// When its state is out of date.
    public var staleDate: Timestamp?

    /// When an ended one is taken away.
    public var dismissalDate: Timestamp?

    /// How much it matters among the app's others; any number.
    public var relevance: JSONNumber?

    /// Whether the device shall answer a start with a token for its updates (iOS 18).
    public var wantsPushToken: Bool?

    /// The broadcast channel a started one listens to, in base64 (iOS 18).
    public var pushChannel: String?

    /// Makes a step without the members that are optional.
    public init(event: Event, contentState: JSONValue) {
        self.event = event
        self.contentState = contentState
    }
}

extension LiveActivity {
    init(decoding value: JSONValue) throws(JobError) {
        guard let event = value["event"] else { throw try value.missing("event") }
        guard let state = value["contentState"] else { throw try value.missing("contentState") }
        self.init(event: .update, contentState: state)
        // Read first, so that a wrong event is told before what depends on it.
        do { self.event = try event.spelling(of: Event.self) } catch { throw error.under("event") }
        try value.forEachMember { (name, value) throws(JobError) in
            try read(name, value)
        }
        try check()
    }

    private mutating func read(_ name: String, _ value: JSONValue) throws(JobError) {
        switch name {
        case "event": break
        case "timestamp": timestamp = try value.timestamp()
        case "contentState": contentState = try value.checkedObject()
        case "attributesType": attributesType = try value.text(upTo: JobLimits.nameBytes)
        case "attributes": attributes = try value.checkedObject()
        case "staleDate": staleDate = try value.timestamp()
        case "dismissalDate": dismissalDate = try value.timestamp()
        case "relevance": relevance = try value.anyNumber()
        case "inputPushToken": wantsPushToken = try value.boolean()
        case "inputPushChannel": pushChannel = try value.base64()
        default: throw JobError.unknownMember
        }
    }

    private func check() throws(JobError) {
        guard event != .start || attributesType != nil else { throw JobError.missing("attributesType") }
        guard event != .start || attributes != nil else { throw JobError.missing("attributes") }
        let others: [(name: String, isGiven: Bool, event: Event)] = [
            ("attributesType", attributesType != nil, .start), ("attributes", attributes != nil, .start),
            ("inputPushToken", wantsPushToken != nil, .start), ("inputPushChannel", pushChannel != nil, .start),
            ("dismissalDate", dismissalDate != nil, .end),
        ]
        for other in others where other.isGiven && event != other.event {
            let reason = "Only the event “\(other.event.rawValue)” has this member."
            throw JobError(.conflictingMembers, reason: reason).under(other.name)
        }
    }
}
