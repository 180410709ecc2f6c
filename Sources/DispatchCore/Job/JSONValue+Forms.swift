/// Reading of values whose form somebody else has set.
extension JSONValue {
    /// Reads `true` or `false`.
    func boolean() throws(JobError) -> Bool {
        guard case .bool(let value) = self else { throw wrongType(expected: "a boolean") }
        return value
    }

    /// Reads any number, as it is written.
    func anyNumber() throws(JobError) -> JSONNumber {
        guard case .number(let number) = self else { throw wrongType(expected: "a number") }
        return number
    }

    /// Reads a number within a range, as it is written.
    func number(from low: Double, to high: Double) throws(JobError) -> JSONNumber {
        let number = try anyNumber()
        guard let value = number.double, (low...high).contains(value) else {
            throw JobError(.outOfRange, reason: "Must be from \(low) to \(high).")
        }
        return number
    }

    /// Reads an object, and keeps it.
    func checkedObject() throws(JobError) -> JSONValue {
        guard case .object = self else { throw wrongType(expected: "an object") }
        return self
    }

    /// Refuses an object without members.
    func checkNotEmpty() throws(JobError) {
        guard case .object(let members) = self else { throw wrongType(expected: "an object") }
        guard !members.isEmpty else {
            throw JobError(.outOfRange, reason: "Must not be empty; leave the member out instead.")
        }
    }

    /// The error for a member that an object lacks; another kind of value is the graver mistake.
    func missing(_ name: String) throws(JobError) -> JobError {
        guard case .object = self else { throw wrongType(expected: "an object") }
        return JobError.missing(name)
    }

    /// Reads an absolute URI of any scheme (RFC 3986 section 3): only what all readers agree about is looked at.
    func url() throws(JobError) -> String {
        try text(upTo: JobLimits.urlBytes, form: "an absolute URL such as https://example.com/", URLForms.isAbsolute)
    }

    /// Reads an https URL.
    func secureURL() throws(JobError) -> String {
        try text(upTo: JobLimits.urlBytes, form: "a URL that begins with https://", URLForms.isSecure)
    }

    /// Reads a media type without parameters (RFC 6838 section 4.2).
    func mediaType() throws(JobError) -> String {
        try text(upTo: JobLimits.nameBytes, form: "a media type such as image/jpeg") { text in
            let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            return parts.count == 2
                && parts.allSatisfy { part in
                    !part.isEmpty
                        && part.allSatisfy { NameForms.isLetterOrDigit($0) || "!#$&-^_.+".utf8.contains($0) }
                }
        }
    }

    /// Reads a colour.
    func color() throws(JobError) -> String {
        try text(upTo: JobLimits.nameBytes, form: "a colour such as #ff8800") { text in
            text.utf8.first == UInt8(ascii: "#") && text.utf8.count == 7
                && text.utf8.dropFirst().allSatisfy { Character(Unicode.Scalar($0)).isHexDigit && $0 < 0x80 }
        }
    }

    /// Reads a language tag.
    func languageTag() throws(JobError) -> String {
        let form = "a language tag such as en-GB"
        return try text(upTo: InstallationLimits.nameBytes, form: form, NameForms.isLocale)
    }

    /// Reads what becomes a field of the request's header, `apns-topic`: visible ASCII, so that it can stand there.
    func topic() throws(JobError) -> String {
        try text(upTo: JobLimits.nameBytes, form: "an app's id such as com.example.app, of visible ASCII") { text in
            text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        }
    }

    /// Reads the name of a custom member beside `aps`.
    func customKey() throws(JobError) -> String {
        let key = try text(upTo: JobLimits.nameBytes)
        guard key != "aps" else { throw JobError(.reservedMember, reason: "The member “aps” is Apple's.") }
        return key
    }

    /// Reads a label by which Firebase counts messages (Firebase, "FcmOptions").
    func analyticsLabel() throws(JobError) -> String {
        try text(upTo: 50, form: "1 to 50 ASCII letters, digits, “-”, “_”, “.”, “~” and “%”") { text in
            text.utf8.allSatisfy { NameForms.isLetterOrDigit($0) || "-_.~%".utf8.contains($0) }
        }
    }

    /// Reads standard base64 with padding (RFC 4648 section 4), as Apple writes channel ids.
    func base64() throws(JobError) -> String {
        try text(upTo: JobLimits.nameBytes, form: "base64") { text in
            let digits = text.utf8.prefix { NameForms.isLetterOrDigit($0) || "+/".utf8.contains($0) }
            let padding = text.utf8.dropFirst(digits.count)
            return text.utf8.count % 4 == 0 && padding.count <= 2 && padding.allSatisfy { $0 == UInt8(ascii: "=") }
        }
    }

    /// Reads the bytes that standard base64 with padding stands for.
    func base64Bytes(upTo limit: Int) throws(JobError) -> [UInt8] {
        let bytes = Base64.decode(try text(upTo: .max))
        guard let bytes else { throw JobError(.invalidFormat, reason: "Must be base64 with padding.") }
        guard bytes.count <= limit else {
            throw JobError(.tooLong, reason: "Has \(bytes.count) bytes; at most \(limit) are allowed.")
        }
        return bytes
    }

    /// Reads the name of a file, without a folder.
    func fileName() throws(JobError) -> String {
        let form = "a file's name without slashes and control characters"
        return try text(upTo: JobLimits.fileNameBytes, form: form) { text in
            IdentifierRules.isUserID(text)
                && !text.utf8.contains { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
        }
    }
}

extension JobError {
    /// Refuses the second of two elements whose names under the member `member` have the same bytes.
    static func checkUnique(_ names: [String], named member: String) throws(JobError) {
        var seen: Set<UTF8Text> = []
        for (index, name) in names.enumerated() where !seen.insert(UTF8Text(name)).inserted {
            throw JobError(.conflictingMembers, reason: "An element before has it already.").under(member).under(index)
        }
    }
}
