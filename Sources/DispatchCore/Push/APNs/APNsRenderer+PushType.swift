extension APNsRenderer {
    /// The member that names the push type.
    static let pushTypeMember = "options.apns.pushType"

    /// The push type that the content asks for, or the one the job asks for where Apple allows it.
    static func pushType(of content: Content, asked: APNsPushType?) throws(RenderError) -> APNsPushType {
        let type = pushType(of: content)
        guard let asked, asked != type else { return type }
        guard type != .liveactivity else {
            throw .rule(pushTypeMember, "a Live Activity is sent as liveactivity, not as \(asked.rawValue)")
        }
        switch asked {
        case .liveactivity: throw .rule(pushTypeMember, "liveactivity needs content.liveActivity")
        case .alert: throw .rule(pushTypeMember, "alert needs something to show, to count or to play")
        case .mdm: throw .rule(pushTypeMember, "mdm needs a native payload with the member mdm")
        case .background, .location, .complication, .fileprovider, .widgets, .controls:
            guard type == .background else {
                throw .rule(pushTypeMember, "\(asked.rawValue) shows, counts and plays nothing: send data alone")
            }
        case .voip, .pushtotalk: break  // The app itself reads the payload, and may show what stands in it.
        }
        return asked
    }

    private static func pushType(of content: Content) -> APNsPushType {
        guard content.liveActivity == nil else { return .liveactivity }
        return content.isSilent ? .background : .alert
    }
}
