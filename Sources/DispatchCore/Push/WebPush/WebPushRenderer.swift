/// Renders messages for Web Push (RFC 8030).
public enum WebPushRenderer {
    static func prepare(_ content: Content, in context: RenderContext) throws(RenderError) -> PreparedPush {
        throw RenderError(code: .notExpressible, platform: .browser, reason: "browser is not rendered yet")
    }

    static func prepareNative(_ payload: JSONValue, in context: RenderContext) throws(RenderError) -> PreparedPush {
        throw RenderError(code: .notExpressible, platform: .browser, reason: "browser is not rendered yet")
    }
}
