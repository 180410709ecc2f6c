import Crypto
import DispatchCore

/// Makes the addresses at which the devices of one hub fetch attachments.
struct ContentLinks: Sendable {
    let address: PublicAddress
    let hub: String
    let secret: [UInt8]

    /// The address in a push: good a while longer than the notification itself; nil when the library fails.
    func url(of job: UUIDValue, expiringAt expiry: Timestamp, now: Timestamp) -> String? {
        let end = min(expiry, now + ContentLink.longestLifetime) + ContentLink.attachmentAllowance
        let link = ContentLink(hub: hub, reference: job.description, expires: end.seconds)
        return (try? link.path(signedWith: secret)).map { address.url($0) }
    }

    /// An address of the greatest length that any hub's can have, for checks of size.
    static func sample(_ address: PublicAddress) -> String {
        let hub = String(repeating: "h", count: JobLimits.hubBytes)
        let id = UUIDValue(high: 0, low: 0)
        let signature = String(repeating: "s", count: 43)
        return address.url("/api/notifications/\(id)?expires=9999999999&hub=\(hub)&signature=\(signature)")
    }
}
