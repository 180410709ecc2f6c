extension JobError {
    init(_ error: JSONError, in body: [UInt8]) {
        guard error.code != .tooLarge else {
            self.init(.bodyTooLarge, reason: "The body has \(body.count) bytes; \(error.expected) are allowed.")
            return
        }
        let (line, column) = error.position(in: body)
        let place = "at byte \(error.offset) (line \(line), column \(column))"
        self.init(
            .invalidJSON,
            offset: error.offset,
            reason: "The body is not acceptable JSON: \(error.code.rawValue) \(place), expected \(error.expected)."
        )
    }

    static var unknownMember: JobError {
        JobError(.unknownMember, reason: "This member has no meaning here.")
    }

    static func missing(_ name: String) -> JobError {
        JobError(.missingMember, reason: "The member “\(name)” is missing.").under(name)
    }

    static func exactlyOne(of names: String, found: Int) -> JobError {
        JobError(
            found == 0 ? .missingMember : .conflictingMembers,
            reason: "Exactly one of \(names) is needed; \(found) are there."
        )
    }
}

extension JSONValue {
    /// Parses the body of a message.
    static func body(_ bytes: [UInt8]) throws(JobError) -> JSONValue {
        do {
            return try JSONParser.parse(bytes, limits: JobLimits.json)
        } catch {
            throw JobError(error, in: bytes)
        }
    }
}
