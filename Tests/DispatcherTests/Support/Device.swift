import DispatchCore

@testable import Dispatcher

/// A device to register.
struct Device: Sendable {
    var id: String
    var user: String?
    var platform = "apns"
    var channel: String
    var tags: [String] = []
    var permission = "authorized"
    var zone: String?

    init(
        _ id: String,
        user: String? = nil,
        platform: String = "apns",
        channel: String? = nil,
        tags: [String] = [],
        permission: String = "authorized",
        zone: String? = nil
    ) {
        self.id = id
        self.user = user
        self.platform = platform
        self.channel = channel ?? "ok-\(id)"
        self.tags = tags
        self.permission = permission
        self.zone = zone
    }

    var json: String {
        let place = zone.map { #","timeZone":"\#($0)""# } ?? ""
        let owner = user.map { #","userId":"\#($0)""# } ?? ""
        let list = tags.map { #""\#($0)""# }.joined(separator: ",")
        let address = channel.hasPrefix("{") ? channel : #""\#(channel)""#
        return #"{"installationId":"\#(id)","platform":"\#(platform)","pushChannel":\#(address),"#
            + #""permission":"\#(permission)","tags":[\#(list)]\#(owner)\#(place)}"#
    }

    func row(hub: Int32) throws -> InstallationRow {
        InstallationRow(hub: hub, installation: try Installation(decoding: Array(json.utf8)))
    }
}
