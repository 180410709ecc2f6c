/// A value within a native payload together with where it stands, so that a refusal can name it.
struct NativeValue {
    /// The value.
    let value: JSONValue

    /// Where it stands below the job, such as `native.fcmV1.message.data`.
    let path: String

    /// Whose payload it is part of.
    let platform: Platform

    /// Takes a whole payload.
    init(payload: JSONValue, platform: Platform) {
        self.init(value: payload, path: "native.\(platform.name)", platform: platform)
    }

    private init(value: JSONValue, path: String, platform: Platform) {
        self.value = value
        self.path = path
        self.platform = platform
    }

    /// The member `name`, or nil when there is none.
    subscript(name: String) -> NativeValue? {
        value[name].map { NativeValue(value: $0, path: "\(path).\(name)", platform: platform) }
    }

    /// The refusal of this value, because it is not what the gateway takes at this place.
    func malformed(_ reason: String) -> RenderError {
        RenderError(code: .malformedNative, platform: platform, member: path, reason: "\(path) \(reason)")
    }

    /// The refusal of this value, because the vendor rules it out.
    func ruledOut(_ reason: String) -> RenderError {
        RenderError(code: .vendorRule, platform: platform, member: path, reason: "\(path) \(reason)")
    }
}

extension NativeValue {
    /// Checks that it is an object, and returns its members.
    @discardableResult
    func object() throws(RenderError) -> [JSONMember] {
        guard let members = value.members else { throw malformed("must be an object") }
        return members
    }

    /// Checks that it is a string, and returns it.
    @discardableResult
    func text() throws(RenderError) -> String {
        guard let text = value.string else { throw malformed("must be a string") }
        return text
    }

    /// Checks that it is an integer within `range`, and returns it.
    @discardableResult
    func integer(in range: ClosedRange<Int64>) throws(RenderError) -> Int64 {
        guard case .number(let number) = value, number.isIntegerLiteral, let integer = number.int64 else {
            throw malformed("must be an integer")
        }
        guard range.contains(integer) else {
            throw ruledOut("must be from \(range.lowerBound) to \(range.upperBound)")
        }
        return integer
    }

    /// Checks that it is an object whose values are all strings, and returns its members.
    @discardableResult
    func strings() throws(RenderError) -> [JSONMember] {
        let members = try object()
        for member in members where member.value.string == nil {
            throw self[member.name]?.malformed("must be a string") ?? malformed("must hold strings")
        }
        return members
    }

    /// Checks that it is a string that spells one of `choices`.
    func choice(_ choices: [String]) throws(RenderError) {
        guard choices.contains(try text()) else {
            throw malformed("must be one of \(choices.joined(separator: ", "))")
        }
    }

    /// Checks that the member `name`, when it is there, is a string.
    func optionalText(_ names: String...) throws(RenderError) {
        for name in names { try self[name]?.text() }
    }

    /// Checks that the members `names`, when they are there, are true or false.
    func optionalFlags(_ names: String...) throws(RenderError) {
        for name in names {
            guard let flag = self[name] else { continue }
            guard case .bool = flag.value else { throw flag.malformed("must be true or false") }
        }
    }

    /// Refuses the members that say whom the push goes to: the hub does.
    func refuseTargets(_ names: [String]) throws(RenderError) {
        for name in names {
            guard let target = self[name] else { continue }
            throw target.malformed("must be left out: the hub addresses the push")
        }
    }

    /// Checks a duration in seconds such as `3.5s`, of at most `longest` seconds.
    func duration(atMost longest: Int64) throws(RenderError) {
        let text = try text()
        let number = text.utf8.last == UInt8(ascii: "s") ? JSONNumber(text: String(text.dropLast())) : nil
        guard let seconds = number?.double, !text.utf8.contains(where: { $0 | 0x20 == UInt8(ascii: "e") }) else {
            throw malformed("must be seconds such as 60s")
        }
        guard seconds >= 0, seconds <= Double(longest) else {
            throw ruledOut("must be from 0s to \(longest)s")
        }
    }

    /// Checks that arguments of a localised text are strings, and come with the text's key.
    func localisedText(key: String, arguments: String) throws(RenderError) {
        let hasKey = try self[key]?.text().isEmpty == false
        guard let list = self[arguments] else { return }
        guard let elements = list.value.elements, elements.allSatisfy({ $0.string != nil }) else {
            throw list.malformed("must be an array of strings")
        }
        guard elements.isEmpty || hasKey else { throw list.ruledOut("needs \(key)") }
    }

    /// Checks a colour such as `#ff8800`.
    func color() throws(RenderError) {
        do { _ = try value.color() } catch { throw malformed("must be a colour such as #ff8800") }
    }
}
