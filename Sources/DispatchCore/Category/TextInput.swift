/// What makes an action ask for a text: the labels of the field it opens.
public struct TextInput: Hashable, Sendable {
    /// What the button that sends the text says; nil for the platform's own word.
    public let buttonTitle: String?

    /// What the empty field says.
    public let placeholder: String?

    /// Takes checked values.
    public init(buttonTitle: String? = nil, placeholder: String? = nil) {
        self.buttonTitle = buttonTitle
        self.placeholder = placeholder
    }
}

extension TextInput {
    init(decoding value: JSONValue) throws(JobError) {
        var buttonTitle: String?
        var placeholder: String?
        try value.forEachMember { (name, value) throws(JobError) in
            switch name {
            case "buttonTitle": buttonTitle = try value.text(upTo: CategoryLimits.nameBytes)
            case "placeholder": placeholder = try value.text(upTo: CategoryLimits.nameBytes)
            default: throw JobError.unknownMember
            }
        }
        self.init(buttonTitle: buttonTitle, placeholder: placeholder)
    }

    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("buttonTitle", buttonTitle)
        writer.member("placeholder", placeholder)
        writer.endObject()
    }
}
