extension JSONValue {
    /// Reads a native payload.
    init(native json: [UInt8], platform: Platform) throws(RenderError) {
        do throws(JSONError) {
            self = try JSONParser.parse(json)
        } catch {
            throw RenderError(code: .malformedNative, platform: platform, reason: error.description)
        }
    }
}
