import DispatchCore
import Postgres

/// Registrations of one hub that are written in one transaction, each as if it were the only one.
///
/// A round of a wave has each id and each channel once, so its members do not see one another; what comes twice is in a
/// later round. Everything that the wave may change is locked by its first statement.
struct RegistrationWave: Sendable {
    typealias Change = RegistrationStore.Change
    typealias Answer = Result<Change, any Error>

    private let hub: Int32
    private let wanted: [WantedRegistration]

    /// A member of a round that may be written.
    private struct Accepted {
        let place: Int
        let current: StoredInstallation?
    }

    /// Writes them; each is refused for itself, but what fails otherwise leaves nothing of any.
    static func write(_ wanted: [WantedRegistration], hub: Int32, pool: PostgresPool) async throws -> [Answer] {
        let wave = RegistrationWave(hub: hub, wanted: wanted)
        let lock = RegistrationWaveRows.lock(wanted)
        return try await pool.inHub(hub, opening: [lock]) { session, rows in
            let rounds = wave.rounds
            var answers = try wave.write(rounds[0], LockedRegistrations(rows[0], of: wanted), session)
            for round in rounds.dropFirst() {
                let members = Array(wanted[round])
                let rows = try session.execute(RegistrationWaveRows.lock(members))
                answers += try wave.write(round, LockedRegistrations(rows, of: members), session)
            }
            return answers
        }
    }

    /// In the order in which they came.
    private var rounds: [Range<Int>] {
        var rounds: [Range<Int>] = []
        var start = 0
        var ids: Set<[UInt8]> = []
        var channels: Set<ChannelIdentity> = []
        for (place, item) in wanted.enumerated() {
            let (key, channel) = (item.key, ChannelIdentity(item.installation))
            if ids.contains(key) || channels.contains(channel) {
                rounds.append(start..<place)
                start = place
                ids.removeAll()
                channels.removeAll()
            }
            ids.insert(key)
            channels.insert(channel)
        }
        return rounds + [start..<wanted.count]
    }

    private func write(
        _ round: Range<Int>,
        _ locked: LockedRegistrations,
        _ session: borrowing PostgresSession
    ) throws -> [Answer] {
        var answers: [Int: Answer] = [:]
        var accepted: [Accepted] = []
        for place in round {
            let current = locked.current(of: wanted[place])
            do {
                try wanted[place].decide(current)
                accepted.append(Accepted(place: place, current: current))
            } catch {
                answers[place] = .failure(error)
            }
        }
        for (place, change) in try write(accepted, locked, session) { answers[place] = .success(change) }
        return try round.map { place in
            guard let answer = answers[place] else { throw RegistrationStore.Collision() }
            return answer
        }
    }

    /// One round trip; what got no row has met somebody whom this transaction could not see.
    private func write(
        _ accepted: [Accepted],
        _ locked: LockedRegistrations,
        _ session: borrowing PostgresSession
    ) throws -> [(Int, Change)] {
        let new = accepted.filter { $0.current == nil }.map(\.place)
        let known = accepted.compactMap { item in item.current.map { (place: item.place, key: $0.key) } }
        let losers = locked.others(withChannelsOf: accepted.map { wanted[$0.place] })
        var statements: [PostgresStatement] = []
        if accepted.contains(where: { claimsChannel($0) }) { statements.append(RegistrationWaveRows.turn(of: hub)) }
        if !losers.isEmpty { statements.append(RegistrationWaveRows.retire(losers)) }
        let writes = statements.count
        if !new.isEmpty { statements.append(RegistrationWaveRows.insert(new.map { wanted[$0] }, hub: hub)) }
        if !known.isEmpty {
            statements.append(RegistrationWaveRows.update(known.map { (wanted[$0.place], $0.key) }, hub: hub))
        }
        let rows = try session.pipeline(statements).dropFirst(writes)
        var changes: [(Int, Change)] = []
        if !new.isEmpty, let first = rows.first { changes += try inserted(first, new) }
        if !known.isEmpty, let last = rows.last { changes += try updated(last, known) }
        return changes
    }

    /// Whether it takes a channel that its row does not hold already.
    private func claimsChannel(_ item: Accepted) -> Bool {
        guard let current = item.current, !current.isRetired else { return true }
        return !wanted[item.place].installation.hasChannel(of: current.installation)
    }

    private func inserted(_ rows: PostgresRows, _ places: [Int]) throws(PostgresError) -> [(Int, Change)] {
        var placeOf: [[UInt8]: Int] = [:]
        for place in places { placeOf[wanted[place].key] = place }
        var changes: [(Int, Change)] = []
        for row in 0..<rows.count {
            guard let place = placeOf[Array(try rows.text(row, 0).utf8)] else { continue }
            changes.append((place, Change(version: try rows.timestamp(row, 1), isNew: true, hasNewSecret: true)))
        }
        return changes
    }

    private func updated(
        _ rows: PostgresRows,
        _ known: [(place: Int, key: Int64)]
    ) throws(PostgresError) -> [(Int, Change)] {
        let placeOf = Dictionary(known.map { ($0.key, $0.place) }) { first, _ in first }
        var changes: [(Int, Change)] = []
        for row in 0..<rows.count {
            guard let place = placeOf[try rows.int8(row, 0)] else { continue }
            let hasNewSecret = try rows.bool(row, 2)
            let version = try rows.timestamp(row, 1)
            changes.append((place, Change(version: version, isNew: false, hasNewSecret: hasNewSecret)))
        }
        return changes
    }
}
