/// Shortens the body text alone until a payload fits its platform.
///
/// The size is that of the rendered payload, so escapes and entities count as what they are on the wire. Texts end
/// between two characters as people count them (Unicode, UAX #29), so that no surrogate pair, joined emoji or flag is
/// cut.
enum BodyTruncation {
    /// What stands for the missing rest.
    private static let ellipsis = "…"

    /// Renders `content` with as much of its body as fits, or rethrows `refusal` when not even one character does.
    static func fit(
        _ content: Content,
        refusal: RenderError,
        render: (Content) throws(RenderError) -> PreparedPush
    ) throws(RenderError) -> PreparedPush {
        guard case .literal(let body) = content.body else { throw refusal }
        // Every end of a character but the last: that one is the whole body, which does not fit.
        let ends = Array(body.indices.dropFirst())
        var fitting: PreparedPush?
        var (low, high) = (0, ends.count)
        while low < high {
            let middle = (low + high) / 2
            var shortened = content
            shortened.body = .literal(body[..<ends[middle]] + ellipsis)
            if let push = try rendering(shortened, render) {
                fitting = push
                low = middle + 1
            } else {
                high = middle
            }
        }
        guard let fitting else { throw refusal }
        return fitting
    }

    /// Nil when the payload is too large still.
    private static func rendering(
        _ content: Content,
        _ render: (Content) throws(RenderError) -> PreparedPush
    ) throws(RenderError) -> PreparedPush? {
        do {
            return try render(content)
        } catch {
            guard error.code == .tooLarge else { throw error }
            return nil
        }
    }
}
