/// The parts of a content that only Windows' toasts know (Microsoft, "Toast schema").
public struct WNSContent: Hashable, Sendable {
    /// What the toast is for.
    public enum Scenario: String, CaseIterable, Hashable, Sendable {
        /// Stays until it is dismissed.
        case reminder

        /// Stays and rings.
        case alarm

        /// Stays, rings as a telephone, full screen on a phone.
        case incomingCall

        /// Passes through Focus Assist.
        case urgent
    }

    /// How long it stays.
    public enum Duration: String, CaseIterable, Hashable, Sendable {
        /// Some seconds.
        case short

        /// Half a minute.
        case long
    }

    /// What the toast is for.
    public var scenario: Scenario?

    /// The argument the app is started with, in place of the link.
    public var launch: String?

    /// How long it stays.
    public var duration: Duration?

    /// A picture, in place of the attachment's.
    public var image: ToastImage?

    /// What is played, in place of the sound.
    public var audio: ToastAudio?

    /// Fields to fill in, before those that actions bring.
    public var inputs: [ToastInput] = []

    /// Makes one without any.
    public init() {}
}

extension WNSContent {
    init(decoding value: JSONValue) throws(JobError) {
        try value.checkNotEmpty()
        try value.forEachMember { (name, value) throws(JobError) in
            switch name {
            case "scenario": scenario = try value.spelling(of: Scenario.self)
            case "launch": launch = try value.text(upTo: JobLimits.urlBytes)
            case "duration": duration = try value.spelling(of: Duration.self)
            case "image": image = try ToastImage(decoding: value)
            case "audio": audio = try ToastAudio(decoding: value)
            case "inputs": inputs = try ToastInput.list(decoding: value)
            default: throw JobError.unknownMember
            }
        }
    }
}
