/// Typed reading of a job's values; errors are about `$`, and each level above adds its own step to the path.
extension JSONValue {
    func wrongType(expected: String) -> JobError {
        JobError(.wrongType, reason: "Must be \(expected), not \(kind).")
    }

    /// Calls `body` with every member; what it throws is about that member.
    func forEachMember(_ body: (String, JSONValue) throws(JobError) -> Void) throws(JobError) {
        guard case .object(let members) = self else { throw wrongType(expected: "an object") }
        for member in members {
            do {
                try body(member.name, member.value)
            } catch {
                throw error.under(member.name)
            }
        }
    }

    /// Reads every element of an array of at most `limit`.
    func list<Element>(
        limit: Int,
        _ read: (JSONValue) throws(JobError) -> Element
    ) throws(JobError) -> [Element] {
        guard case .array(let elements) = self else { throw wrongType(expected: "an array") }
        guard elements.count <= limit else {
            throw JobError(.tooMany, reason: "Has \(elements.count) elements; at most \(limit) are allowed.")
        }
        var list: [Element] = []
        list.reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() {
            do {
                list.append(try read(element))
            } catch {
                throw error.under(index)
            }
        }
        return list
    }

    /// Reads a string of 1 to `limit` bytes.
    func text(upTo limit: Int) throws(JobError) -> String {
        guard case .string(let text) = self else { throw wrongType(expected: "a string") }
        guard !text.isEmpty else {
            throw JobError(.outOfRange, reason: "Must not be empty; leave the member out instead.")
        }
        guard text.utf8.count <= limit else {
            throw JobError(.tooLong, reason: "Has \(text.utf8.count) bytes; at most \(limit) are allowed.")
        }
        return text
    }

    /// Reads a string of 1 to `limit` bytes that `isValid` accepts; `form` says which form that is.
    func text(upTo limit: Int, form: String, _ isValid: (String) -> Bool) throws(JobError) -> String {
        let text = try text(upTo: limit)
        guard isValid(text) else { throw JobError(.invalidFormat, reason: "Must be \(form).") }
        return text
    }

    /// Reads a string that is one of `choices`.
    func choice<Choice>(_ choices: KeyValuePairs<String, Choice>) throws(JobError) -> Choice {
        guard case .string(let text) = self else { throw wrongType(expected: "a string") }
        guard let match = choices.first(where: { $0.key == text }) else {
            let names = choices.map { "“\($0.key)”" }.joined(separator: ", ")
            throw JobError(.outOfRange, reason: "Must be one of \(names).")
        }
        return match.value
    }

    /// Reads an integer, however it is written: `1.0` and `1e2` are integers.
    func integer(in range: ClosedRange<Int64>) throws(JobError) -> Int64 {
        guard case .number(let number) = self else { throw wrongType(expected: "an integer") }
        guard number.isInteger else { throw JobError(.wrongType, reason: "Must be an integer, without a fraction.") }
        guard let value = number.integer, range.contains(value) else {
            throw JobError(.outOfRange, reason: "Must be from \(range.lowerBound) to \(range.upperBound).")
        }
        return value
    }

    /// Reads an RFC 3339 date and time.
    func timestamp() throws(JobError) -> Timestamp {
        let text = try text(upTo: 64)
        guard let instant = Timestamp(rfc3339: text) else {
            throw JobError(
                .invalidFormat,
                reason: "Must be an RFC 3339 time such as 2026-12-01T12:00:00Z, with at most 6 digits of fraction."
            )
        }
        return instant
    }

    /// Reads a UUID.
    func uuid() throws(JobError) -> UUIDValue {
        let text = try text(upTo: JobLimits.nameBytes)
        guard let id = UUIDValue(text) else {
            throw JobError(.invalidFormat, reason: "Must be a UUID such as 0193f2c4-7d1e-7abc-8def-0123456789ab.")
        }
        return id
    }

    /// Reads the name of a platform.
    func platform() throws(JobError) -> Platform {
        try choice([
            "apns": .apns, "fcmV1": .fcmV1, "browser": .browser, "wns": .wns, "adm": .adm, "hms": .hms,
        ])
    }

    /// Reads a hub's name.
    func hubName() throws(JobError) -> String {
        let form = "ASCII letters, digits, “.”, “_” and “-”"
        return try text(upTo: JobLimits.hubBytes, form: form, IdentifierRules.isHubName)
    }

    /// Reads the id of an installation.
    func installationID() throws(JobError) -> String {
        let form = "an id without white space and control characters"
        return try text(upTo: IdentifierRules.greatestLength, form: form, IdentifierRules.isInstallationID)
    }

    /// Reads the id of a user.
    func userID() throws(JobError) -> String {
        let form = "an id without control characters"
        return try text(upTo: IdentifierRules.greatestLength, form: form, IdentifierRules.isUserID)
    }
}
