/// The segments of a pattern.
enum HTTPRoutePattern {
    enum Segment: Equatable {
        case literal(String)
        case parameter(String)
    }

    static func segments(of pattern: String) throws(HTTPRouteError) -> [Segment] {
        guard pattern.first == "/" else { throw .malformed(pattern) }
        var segments: [Segment] = []
        var names: Set<String> = []
        for text in pattern.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            guard text.contains(where: { $0 == "{" || $0 == "}" }) else {
                segments.append(.literal(String(text)))
                continue
            }
            let name = String(text.dropFirst().dropLast())
            guard text.first == "{", text.last == "}", isName(name), names.insert(name).inserted else {
                throw .malformed(pattern)
            }
            segments.append(.parameter(name))
        }
        return segments
    }

    private static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
    }
}
