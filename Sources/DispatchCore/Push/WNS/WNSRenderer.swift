/// Renders messages for Windows Push Notification Services.
public enum WNSRenderer {
    static func prepare(_ content: Content, in context: RenderContext) throws(RenderError) -> PreparedPush {
        throw RenderError(code: .notExpressible, platform: .wns, reason: "wns is not rendered yet")
    }

    static func prepareNative(_ payload: JSONValue, in context: RenderContext) throws(RenderError) -> PreparedPush {
        throw RenderError(code: .notExpressible, platform: .wns, reason: "wns is not rendered yet")
    }
}
