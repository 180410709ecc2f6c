extension Receipt {
    /// Reads the body of a message; unknown members are refused.
    public init(decoding body: [UInt8]) throws(JobError) {
        try self.init(decoding: JSONValue.body(body))
    }

    /// Reads a document that has been parsed already.
    public init(decoding document: JSONValue) throws(JobError) {
        var members = Members()
        try document.forEachMember { (name, value) throws(JobError) in
            try members.read(name, value)
        }
        guard let id = members.id else { throw JobError.missing("id") }
        guard let notification = members.notification else { throw JobError.missing("notificationId") }
        guard let installationID = members.installationID else { throw JobError.missing("installationId") }
        guard let kind = members.kind else { throw JobError.missing("kind") }
        guard let at = members.at else { throw JobError.missing("at") }
        try members.checkAnswer(to: kind)
        self.init(
            id: id,
            hub: members.hub ?? SendJob.defaultHub,
            notification: notification,
            installationID: installationID,
            kind: kind,
            actionID: members.actionID,
            text: members.text,
            response: members.response,
            at: at
        )
    }

    /// What has been read so far.
    private struct Members {
        var id: String?
        var hub: String?
        var notification: NotificationReference?
        var installationID: String?
        var kind: ReceiptKind?
        var actionID: String?
        var text: String?
        var response: ResponseOption?
        var at: Timestamp?

        mutating func read(_ name: String, _ value: JSONValue) throws(JobError) {
            switch name {
            case "id": id = try value.text(upTo: ReceiptLimits.nameBytes)
            case "hub": hub = try value.hubName()
            case "notificationId": notification = try NotificationReference(decoding: value)
            case "installationId": installationID = try value.installationID()
            case "kind": kind = try value.spelling(of: ReceiptKind.self)
            case "actionId": actionID = try value.text(upTo: ReceiptLimits.nameBytes)
            case "text": text = try value.text(upTo: ReceiptLimits.replyBytes)
            case "response": response = try value.spelling(of: ResponseOption.self)
            case "at": at = try value.timestamp()
            default: throw JobError.unknownMember
            }
        }

        /// The button, the text and the response are there exactly when they mean something.
        func checkAnswer(to kind: ReceiptKind) throws(JobError) {
            let isAnswer = kind == .action || kind == .reply
            guard !isAnswer || actionID != nil else { throw JobError.missing("actionId") }
            guard kind != .reply || text != nil else { throw JobError.missing("text") }
            guard isAnswer || actionID == nil else { throw Self.meaningless("actionId", in: kind) }
            guard kind == .reply || text == nil else { throw Self.meaningless("text", in: kind) }
            guard isAnswer || response == nil else { throw Self.meaningless("response", in: kind) }
        }

        private static func meaningless(_ name: String, in kind: ReceiptKind) -> JobError {
            JobError(.conflictingMembers, reason: "A receipt of the kind “\(kind.rawValue)” has none.").under(name)
        }
    }
}

extension Receipt {
    /// The receipt as it is read, on one line, without members that have their default.
    public var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("id", id)
        if hub != SendJob.defaultHub { writer.member("hub", hub) }
        writer.key("notificationId")
        notification.write(to: &writer)
        writer.member("installationId", installationID)
        writer.member("kind", kind.rawValue)
        writer.member("actionId", actionID)
        writer.member("text", text)
        writer.member("response", response?.rawValue)
        writer.member("at", at.rfc3339)
        writer.endObject()
        return writer.bytes
    }
}
