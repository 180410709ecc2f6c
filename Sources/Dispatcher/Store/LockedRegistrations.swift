import DispatchCore
import Postgres

/// What a wave found and locked: the rows of its ids, and those that hold its channels.
struct LockedRegistrations {
    private var byID: [[UInt8]: StoredInstallation] = [:]
    private var holders: [ChannelIdentity: StoredInstallation] = [:]

    init(_ rows: PostgresRows, of wanted: [WantedRegistration]) throws(PostgresError) {
        let hub = wanted.first?.installation.hub ?? ""
        for row in 0..<rows.count {
            let found = try StoredInstallation(rows, row, hub: hub)
            byID[Array(found.installation.id.utf8)] = found
            if !found.isRetired { holders[ChannelIdentity(found.installation)] = found }
        }
    }

    /// The row of a registration; nil when there is none yet.
    func current(of wanted: WantedRegistration) -> StoredInstallation? { byID[wanted.key] }

    /// The keys of those who hold a channel that one of these takes.
    func others(withChannelsOf wanted: [WantedRegistration]) -> [Int64] {
        wanted.compactMap { item in
            guard let holder = holders[ChannelIdentity(item.installation)] else { return nil }
            return holder.installation.id.utf8.elementsEqual(item.installation.id.utf8) ? nil : holder.key
        }
    }
}
