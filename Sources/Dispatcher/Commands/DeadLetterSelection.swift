import DispatchCore

/// Which dead letters a command is for: some by id, or all that a filter finds.
enum DeadLetterSelection: Sendable {
    case ids([Int64])
    case all(DeadLetterFilter, limit: Int)

    init(_ arguments: inout ArgumentList) throws(UsageError) {
        let isAll = arguments.flag("--all")
        let filter = try DeadLetterFilter(&arguments)
        let limit = try arguments.integer("--limit", in: 1...10_000_000)
        var ids: [Int64] = []
        while let text = arguments.optionalPositional() { ids.append(try Self.id(text)) }
        guard isAll else {
            guard !ids.isEmpty else { throw UsageError("name the dead letters by ID, or all with --all") }
            guard limit == nil, filter.isEmpty else { throw UsageError("filters and --limit need --all") }
            self = .ids(ids)
            return
        }
        guard ids.isEmpty else { throw UsageError("--all takes no ID") }
        var open = filter
        open.state = filter.state ?? .open
        self = .all(open, limit: limit ?? .max)
    }

    static func id(_ text: String) throws(UsageError) -> Int64 {
        guard let id = Int64(text), id > 0 else { throw UsageError("'\(text)' is not the number of a dead letter") }
        return id
    }

    /// Hands out the ids in groups, in order of arrival.
    func forEachGroup(in store: DeadLetterStore, _ body: ([Int64]) async throws -> Void) async throws {
        switch self {
        case .ids(let ids):
            for first in stride(from: 0, to: ids.count, by: DeadLetterDesk.step) {
                try await body(Array(ids[first..<min(first + DeadLetterDesk.step, ids.count)]))
            }
        case .all(let filter, let limit):
            var (left, after) = (limit, Int64(0))
            while left > 0 {
                let ids = try await store.ids(filter, limit: min(left, DeadLetterDesk.step), after: after)
                guard let last = ids.last else { return }
                try await body(ids)
                (left, after) = (left - ids.count, last)
            }
        }
    }
}

extension DeadLetterFilter {
    /// Takes the filter's options.
    init(_ arguments: inout ArgumentList) throws(UsageError) {
        reason = try arguments.option("--reason")
        hub = try arguments.option("--hub")
        queue = try arguments.option("--queue")
        messageID = try arguments.option("--message-id")
        since = try Self.time("--since", &arguments)
        until = try Self.time("--until", &arguments)
        guard let name = try arguments.option("--state") else { return }
        guard let state = State(rawValue: name) else { throw UsageError("--state takes open, replayed or discarded") }
        self.state = state
    }

    var isEmpty: Bool {
        reason == nil && hub == nil && queue == nil && messageID == nil && since == nil && until == nil && state == nil
    }

    private static func time(_ name: String, _ arguments: inout ArgumentList) throws(UsageError) -> Timestamp? {
        guard let text = try arguments.option(name) else { return nil }
        guard let time = Timestamp(rfc3339: text) else {
            throw UsageError("\(name) takes a time such as 2026-12-01T12:00:00Z, not '\(text)'")
        }
        return time
    }
}
