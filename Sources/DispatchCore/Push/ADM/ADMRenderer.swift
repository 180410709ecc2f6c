/// Renders messages for Amazon Device Messaging.
public enum ADMRenderer {
    static func prepare(_ content: Content, in context: RenderContext) throws(RenderError) -> PreparedPush {
        throw RenderError(code: .notExpressible, platform: .adm, reason: "adm is not rendered yet")
    }

    static func prepareNative(_ payload: JSONValue, in context: RenderContext) throws(RenderError) -> PreparedPush {
        throw RenderError(code: .notExpressible, platform: .adm, reason: "adm is not rendered yet")
    }
}
