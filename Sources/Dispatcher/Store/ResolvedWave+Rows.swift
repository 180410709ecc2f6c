import DispatchCore
import Postgres

extension ResolvedWave {
    /// Adds look-up rows: the job's ordinal, then the device.
    mutating func addTargets(_ rows: PostgresRows) throws(PostgresError) {
        for row in 0..<rows.count {
            let ordinal = Int(try rows.int4(row, 0))
            targets[ordinal].append(try rows.deliveryTarget(row, from: 1, attempt: 1))
        }
    }

    mutating func addExisting(_ rows: PostgresRows) throws(PostgresError) {
        for row in 0..<rows.count {
            let job = try rows.uuid(row, 0)
            let identity = WaveIdentity(job: UUIDValue(high: job.high, low: job.low), hub: try rows.int4(row, 1))
            existing.updateValue(try rows.bytesOrNull(row, 2), forKey: identity)
        }
    }

    /// Takes the first of a run of reserved ids, one for each job.
    mutating func addIDs(_ rows: PostgresRows) throws(PostgresError) {
        let first = try rows.int8(0, 0)
        ids = targets.indices.map { NotificationID(rawValue: first + Int64($0)) }
    }
}

extension Audience {
    /// The most characters of an audience that a dashboard row shows.
    private static let summaryLimit = 200

    /// The audience in a few words, for people.
    var summary: String {
        switch self {
        case .broadcast: "broadcast"
        case .tags(let expression): "tags: \(expression.description.prefix(Self.summaryLimit))"
        case .users(let ids): "users: \(Self.list(ids))"
        case .installations(let ids): "installations: \(Self.list(ids))"
        case .channels(let direct): "channels: \(direct.count)"
        }
    }

    private static func list(_ ids: [String]) -> String {
        ids.count == 1 ? String(ids[0].prefix(summaryLimit)) : "\(ids.count)"
    }
}
