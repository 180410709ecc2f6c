import DispatchCore
import Synchronization

/// The categories of hubs as they were declared a moment ago.
final class CategoryCache: Sendable {
    /// A category as its row has it.
    struct Row: Sendable {
        let hub: Int32
        let document: String
    }

    private struct Declared {
        let document: String
        let category: ActionCategory

        /// What was checked when it was declared is unreadable only after somebody wrote the table by hand.
        init?(_ document: String) {
            guard let category = try? ActionCategory(decoding: Array(document.utf8)) else { return nil }
            self.document = document
            self.category = category
        }
    }

    private struct HubCategories {
        var byID: [UTF8Text: Declared]
        let readAt: ContinuousClock.Instant
    }

    /// After this a hub's are read again before they are used: a change is in every worker's pushes a second later, and a
    /// hub costs a worker at most one short query a second.
    private static let maximumAge = Duration.seconds(1)

    private let hubs = Mutex<[Int32: HubCategories]>([:])

    /// Those of the hubs whose categories must be read first.
    func stale(of wanted: Set<Int32>, at now: ContinuousClock.Instant) -> [Int32] {
        hubs.withLock { hubs in
            wanted.filter { hub in hubs[hub].map { now - $0.readAt >= Self.maximumAge } ?? true }.sorted()
        }
    }

    /// Takes over what was read of the hubs; a document that is the same is not parsed again.
    func replace(_ read: [Int32], by rows: [Row], at now: ContinuousClock.Instant) {
        var found: [Int32: [Row]] = [:]
        for row in rows { found[row.hub, default: []].append(row) }
        hubs.withLock { hubs in
            for hub in read {
                let known = hubs[hub]?.byID ?? [:]
                hubs[hub] = HubCategories(byID: Self.parsed(found[hub] ?? [], known: known), readAt: now)
            }
        }
    }

    /// The category that notifications of the hub call `id`; nil when it is not declared.
    func category(_ id: String, of hub: Int32) -> ActionCategory? {
        hubs.withLock { $0[hub]?.byID[UTF8Text(id)]?.category }
    }

    private static func parsed(_ rows: [Row], known: [UTF8Text: Declared]) -> [UTF8Text: Declared] {
        var parsed: [UTF8Text: Declared] = [:]
        let byDocument = Dictionary(known.values.map { (UTF8Text($0.document), $0) }) { first, _ in first }
        for row in rows {
            guard let declared = byDocument[UTF8Text(row.document)] ?? Declared(row.document) else { continue }
            parsed[UTF8Text(declared.category.id)] = declared
        }
        return parsed
    }
}
