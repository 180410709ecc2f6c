/// What a Windows toast plays.
public struct ToastAudio: Hashable, Sendable {
    /// `ms-winsoundevent:…` or an address within the app; nil is the system's own.
    public var source: String?

    /// Whether it is repeated while the toast stays.
    public var loops: Bool?

    /// Whether nothing is played.
    public var isSilent: Bool?

    /// Takes checked values.
    public init(source: String? = nil, loops: Bool? = nil, isSilent: Bool? = nil) {
        self.source = source
        self.loops = loops
        self.isSilent = isSilent
    }

    init(decoding value: JSONValue) throws(JobError) {
        try value.checkNotEmpty()
        try value.forEachMember { (name, value) throws(JobError) in
            switch name {
            case "src": source = try value.url()
            case "loop": loops = try value.boolean()
            case "silent": isSilent = try value.boolean()
            default: throw JobError.unknownMember
            }
        }
    }
}
