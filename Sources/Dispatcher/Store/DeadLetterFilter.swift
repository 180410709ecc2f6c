import DispatchCore
import Postgres

/// Which dead letters are meant; what is nil does not matter.
struct DeadLetterFilter: Sendable {
    /// What became of a dead letter.
    enum State: String, Sendable, CaseIterable {
        case open
        case replayed
        case discarded
    }

    var reason: String?
    var hub: String?
    var queue: String?
    var messageID: String?
    var since: Timestamp?
    var until: Timestamp?
    var state: State?

    /// A condition on the view's columns for the parameters `$1` to `$7`.
    static let condition = """
        ($1::text IS NULL OR reason = $1) AND ($2::text IS NULL OR hub = $2) AND ($3::text IS NULL OR queue = $3)
          AND ($4::timestamptz IS NULL OR received_at >= $4) AND ($5::timestamptz IS NULL OR received_at < $5)
          AND ($6::text IS NULL OR state = $6)
          AND ($7::text IS NULL OR message_id = $7)
        """

    var parameters: [PostgresParameter] {
        [
            .textOrNull(reason), .textOrNull(hub), .textOrNull(queue),
            .timestamptzOrNull(microsecondsSinceUnixEpoch: since?.microseconds),
            .timestamptzOrNull(microsecondsSinceUnixEpoch: until?.microseconds), .textOrNull(state?.rawValue),
            .textOrNull(messageID),
        ]
    }
}
