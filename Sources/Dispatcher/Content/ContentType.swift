import HTTP

/// The media types of contents: what they are taken as, and which of them a browser may show.
enum ContentType {
    /// What is not said to be anything.
    static let unknown = "application/octet-stream"

    private static let greatestLength = 256

    /// A type as it is kept, with its parameters.
    static func checked(_ text: String?) throws(Problem) -> String {
        guard let text else { return unknown }
        guard text.utf8.count <= greatestLength, text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }),
            MediaType(text) != nil, !text.contains("*")
        else {
            throw Problem(.badRequest, "invalidFormat", "Its Content-Type is no media type.", path: "content")
        }
        return text
    }

    /// The type without its parameters, in lower case.
    static func essence(_ text: String) -> String { MediaType(text)?.essence ?? unknown }

    /// Whether a browser that opens the address may show it: never what can hold scripts, which would run as the hub's.
    ///
    /// A list of what is harmless, so that what nobody has thought of is saved as a file.
    static func isShown(_ text: String) -> Bool {
        let essence = essence(text)
        if essence.hasPrefix("audio/") || essence.hasPrefix("video/") { return !essence.hasSuffix("+xml") }
        return shown.contains(essence)
    }

    private static let shown: Set = [
        "image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "image/heic", "image/heif", "image/bmp",
        "text/plain",
    ]
}
