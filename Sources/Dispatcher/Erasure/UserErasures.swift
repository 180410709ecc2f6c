import AMQP
import DispatchCore
import Postgres

/// Enters the erasure of a user.
struct UserErasures: Sendable {
    let publisher: AMQPPublisher
    let log: Log

    /// How long an answer waits for the broker to have the markers; after that a worker sees to them.
    private static let confirmLimit = Duration.seconds(5)

    /// Has the erasure entered by the body, then puts the markers behind what stands in the queues.
    ///
    /// `note` writes down that the broker has them.
    func enter(
        _ body: (UUIDValue) async throws -> Void,
        note: (UUIDValue) async throws -> Void
    ) async throws -> UUIDValue {
        var generator = SystemDice()
        let id = UUIDValue.timeOrdered(at: DatabaseClock().now, using: &generator)
        try await body(id)
        let results = await publisher.publishSigned(ErasureMarker(erasure: id).messages, deadline: Self.confirmLimit)
        if results.allSatisfy({ $0 == .confirmed }) {
            try await note(id)
        } else {
            log.warning("erasure.unmarked", ["erasure": id])
        }
        return id
    }
}

/// How far an erasure has come.
struct ErasureStatus: Sendable {
    let id: UUIDValue
    let state: String
    let requestedAt: Timestamp
    let completedAt: Timestamp?

    /// What was removed, by name.
    let counts: [(name: String, value: Int64)]

    private static let names = ["installations", "notifications", "receipts", "deadLetters"]

    /// Reads a row of `dispatcher.user_erasure`.
    init(_ rows: PostgresRows) throws(PostgresError) {
        let raw = try rows.uuid(0, 0)
        id = UUIDValue(high: raw.high, low: raw.low)
        state = try rows.text(0, 1)
        requestedAt = Timestamp(microseconds: try rows.timestamp(0, 2))
        completedAt = try rows.timestampOrNull(0, 3).map { Timestamp(microseconds: $0) }
        var counts: [(name: String, value: Int64)] = []
        for (index, name) in Self.names.enumerated() { counts.append((name, try rows.int8(0, 4 + index))) }
        self.counts = counts
    }

    var document: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("id")
        writer.string(id.description)
        writer.key("state")
        writer.string(state)
        writer.key("requestedAt")
        writer.string(requestedAt.rfc3339)
        if let completedAt {
            writer.key("completedAt")
            writer.string(completedAt.rfc3339)
        }
        for (name, value) in counts {
            writer.key(name)
            writer.number(value)
        }
        writer.endObject()
        return writer.bytes
    }
}
