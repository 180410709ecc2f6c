/// The kinds of push of Apple; the raw value is `apns-push-type` (Apple, "Sending notification requests to APNs").
public enum APNsPushType: String, CaseIterable, Hashable, Sendable {
    /// Shown, played or counted.
    case alert

    /// Wakes the app in silence.
    case background

    /// Asks for the device's place.
    case location

    /// Announces a call.
    case voip

    /// Updates a complication on a watch.
    case complication

    /// Tells of changes in a file provider.
    case fileprovider

    /// Calls a managed device.
    case mdm

    /// Starts, updates or ends a Live Activity.
    case liveactivity

    /// Announces a speaker of a Push to Talk channel.
    case pushtotalk

    /// Reloads widgets.
    case widgets

    /// Reloads controls.
    case controls

    /// What follows the app's id in `apns-topic`.
    ///
    /// The topic of device management is the certificate's own, and is taken as it is.
    public var topicSuffix: String {
        switch self {
        case .alert, .background, .mdm: ""
        case .location: ".location-query"
        case .voip: ".voip"
        case .complication: ".complication"
        case .fileprovider: ".pushkit.fileprovider"
        case .liveactivity: ".push-type.liveactivity"
        case .pushtotalk: ".voip-ptt"
        case .widgets: ".push-type.widgets"
        case .controls: ".push-type.controls"
        }
    }

    /// The largest payload in bytes: Apple allows calls more than the rest.
    public var payloadLimit: Int { self == .voip ? 5120 : Platform.apns.payloadLimit }
}
