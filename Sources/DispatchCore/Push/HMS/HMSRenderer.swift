/// Renders messages for Huawei Push Kit.
public enum HMSRenderer {
    static func prepare(_ content: Content, in context: RenderContext) throws(RenderError) -> PreparedPush {
        throw RenderError(code: .notExpressible, platform: .hms, reason: "hms is not rendered yet")
    }

    static func prepareNative(_ payload: JSONValue, in context: RenderContext) throws(RenderError) -> PreparedPush {
        throw RenderError(code: .notExpressible, platform: .hms, reason: "hms is not rendered yet")
    }
}
