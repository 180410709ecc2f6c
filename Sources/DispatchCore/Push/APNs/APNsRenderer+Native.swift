extension APNsRenderer {
    /// Takes a payload as is, once Apple's rules for its push type are kept.
    ///
    /// Its only change: a background push with an empty `sound` loses it, since Apple takes `content-available` alone.
    static func prepareNative(_ payload: JSONValue, in context: RenderContext) throws(RenderError) -> PreparedPush {
        let native = try APNsNativePayload(payload)
        let type = try native.pushType(asked: context.options.platforms.pushType)
        let isTrimmed = type == .background && native["sound"] != nil
        return try push(
            JSONWriter.encode(isTrimmed ? native.withoutSound : payload),
            type: type,
            notification: context.options.notification.description,
            in: context
        )
    }
}
