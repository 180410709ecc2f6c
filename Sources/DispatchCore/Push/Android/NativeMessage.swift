/// A native payload that FCM or HMS is to be told the token in: a message, with or without the `message` around it.
struct NativeMessage {
    /// The message itself.
    let message: NativeValue

    private let envelope: [JSONMember]

    /// Refuses what is no object.
    init(_ payload: JSONValue, platform: Platform) throws(RenderError) {
        let whole = NativeValue(payload: payload, platform: platform)
        let members = try whole.object()
        let inner = whole["message"]
        try inner?.object()
        message = inner ?? whole
        envelope = inner == nil ? [JSONMember(name: "message", value: payload)] : members
    }

    /// The body up to the inside of the token's quotes and after it; `token` is where it stands, as the first member.
    func split(token: JSONValue) -> (head: [UInt8], tail: [UInt8]) {
        var writer = JSONWriter()
        var split = 0
        writer.beginObject()
        for member in envelope {
            writer.key(member.name)
            guard member.name == "message" else {
                writer.value(member.value)
                continue
            }
            writer.beginObject()
            writer.member("token", token)
            split = writer.bytes.lastIndex(of: UInt8(ascii: "\"")) ?? 0
            writer.members(member.value.members ?? [])
            writer.endObject()
        }
        writer.endObject()
        return (Array(writer.bytes[..<split]), Array(writer.bytes[split...]))
    }
}
