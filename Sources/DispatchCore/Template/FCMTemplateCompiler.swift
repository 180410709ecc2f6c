/// Turns a body for Firebase into segments, with the place of the token and with texts alone in `data`.
///
/// Taken are `{"message":{…}}` and the message alone, which bodies of the former GCM templates of Azure Notification Hubs
/// are too. Firebase, "REST Resource: projects.messages".
struct FCMTemplateCompiler {
    private var compiler: JSONTemplateCompiler

    /// Reads a whole body.
    static func compile(_ body: JSONValue, syntax: TemplateSyntax) throws(TemplateError) -> TemplateProgram {
        var compiler = FCMTemplateCompiler(compiler: JSONTemplateCompiler(syntax: syntax))
        try compiler.body(body)
        return compiler.compiler.builder.program
    }

    /// The body without the message's `data`, whose values all become texts.
    static func withoutData(_ body: JSONValue) -> JSONValue {
        let members = body.members ?? []
        guard body["message"] != nil else { return .object(members.filter { $0.name != "data" }) }
        return .object(
            members.map { member in
                guard member.name == "message" else { return member }
                return JSONMember(name: "message", value: withoutData(member.value))
            }
        )
    }

    private mutating func body(_ body: JSONValue) throws(TemplateError) {
        let envelope = body["message"] == nil ? [JSONMember(name: "message", value: body)] : body.members ?? []
        compiler.builder.literal("{")
        for member in envelope {
            compiler.key(member.name)
            do throws(TemplateError) {
                if member.name == "message" { try message(member.value) } else { try compiler.value(member.value) }
            } catch {
                throw body["message"] == nil ? error : error.under(member.name)
            }
        }
        compiler.builder.literal("}")
    }

    private mutating func message(_ message: JSONValue) throws(TemplateError) {
        guard let members = message.members else {
            throw TemplateError(.platformRule, reason: "message must be an object.")
        }
        compiler.builder.literal("{\"token\":\"")
        compiler.builder.add(.channel)
        compiler.builder.literal("\"")
        for member in members {
            do throws(TemplateError) {
                try self.member(member)
            } catch {
                throw error.under(member.name)
            }
        }
        guard members.contains(where: { Self.parts.contains($0.name) }) else {
            throw TemplateError(.platformRule, reason: "The message has nothing to send, such as notification or data.")
        }
        compiler.builder.literal("}")
    }

    /// What a message may be made of.
    private static let parts = ["notification", "data", "android", "webpush", "apns"]

    private mutating func member(_ member: JSONMember) throws(TemplateError) {
        switch member.name {
        case "token", "topic", "condition", "fid", "to", "registration_ids", "notification_key":
            throw TemplateError(.platformRule, reason: "The hub addresses the push; leave the member out.")
        case "collapse_key", "time_to_live", "delay_while_idle", "priority", "content_available", "mutable_content",
            "restricted_package_name", "dry_run":
            let reason = "The member is of Google's former service; HTTP v1 has its like in “android” or “apns”."
            throw TemplateError(.platformRule, reason: reason)
        case "data":
            compiler.key(member.name)
            try data(member.value)
        default:
            compiler.key(member.name)
            try compiler.value(member.value)
        }
    }

    private mutating func data(_ data: JSONValue) throws(TemplateError) {
        guard let members = data.members else { throw TemplateError(.platformRule, reason: "data must be an object.") }
        compiler.builder.literal("{")
        for member in members {
            compiler.key(member.name)
            do throws(TemplateError) {
                guard !FCMRenderer.isReserved(member.name) else {
                    throw TemplateError(.platformRule, reason: "FCM keeps this key of data for itself.")
                }
                try text(member.value)
            } catch {
                throw error.under(member.name)
            }
        }
        compiler.builder.literal("}")
    }

    /// Adds a value of `data`: what is not a text becomes its JSON text.
    private mutating func text(_ value: JSONValue) throws(TemplateError) {
        switch value {
        case .string(let text): try compiler.string(text, isText: true)
        case .bool(let value): compiler.builder.literal(value ? "\"true\"" : "\"false\"")
        case .number(let number): compiler.builder.literal("\"\(number.text)\"".utf8)
        case .null, .array, .object:
            throw TemplateError(.platformRule, reason: "FCM takes only texts in data.")
        }
    }
}
