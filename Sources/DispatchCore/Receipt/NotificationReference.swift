/// What an app calls a notification: the id of its job or, where ids are integers, the hub's own number.
public enum NotificationReference: Hashable, Sendable {
    /// The job's id.
    case job(UUIDValue)

    /// The hub's number, which rich pushes carry as a plain integer.
    case number(NotificationID)
}

extension NotificationReference {
    /// Reads a UUID, or a positive integer as a number or as a text.
    public init(decoding value: JSONValue) throws(JobError) {
        switch value {
        case .number:
            self = .number(NotificationID(rawValue: try value.integer(in: ReceiptLimits.notificationNumber)))
        case .string:
            try self.init(text: value.text(upTo: JobLimits.nameBytes))
        case .null, .bool, .array, .object:
            throw value.wrongType(expected: "a UUID or an integer")
        }
    }

    /// Reads what stands in an address such as `/api/notifications/42`.
    public init(text: String) throws(JobError) {
        if let id = UUIDValue(text) {
            self = .job(id)
            return
        }
        guard text.utf8.allSatisfy(JSONReader.isDigit), text.utf8.first != UInt8(ascii: "0"), !text.isEmpty else {
            throw JobError(.invalidFormat, reason: "Must be a UUID or a positive integer without leading zeros.")
        }
        guard let number = Int64(text), ReceiptLimits.notificationNumber.contains(number) else {
            throw JobError(.outOfRange, reason: "Must be from 1 to \(ReceiptLimits.notificationNumber.upperBound).")
        }
        self = .number(NotificationID(rawValue: number))
    }

    /// What stands in an address.
    public var description: String {
        switch self {
        case .job(let id): id.description
        case .number(let id): String(id.rawValue)
        }
    }

    func write(to writer: inout JSONWriter) {
        switch self {
        case .job(let id): writer.string(id.description)
        case .number(let id): writer.number(id.rawValue)
        }
    }
}
