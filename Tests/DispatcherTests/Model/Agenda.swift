import DispatchCore

/// What is to happen, soonest first; of two at the same instant, the one that was added first.
struct Agenda {
    struct Entry {
        let at: Timestamp
        let number: Int
        let action: () -> Void

        static func < (left: Entry, right: Entry) -> Bool {
            left.at == right.at ? left.number < right.number : left.at < right.at
        }
    }

    private var heap: [Entry] = []
    private var added = 0

    mutating func add(at instant: Timestamp, _ action: @escaping () -> Void) {
        heap.append(Entry(at: instant, number: added, action: action))
        added += 1
        var child = heap.count - 1
        while child > 0, heap[child] < heap[(child - 1) / 2] {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    /// Takes the next entry, unless it is later than `limit`.
    mutating func next(before limit: Timestamp) -> Entry? {
        guard let first = heap.first, first.at <= limit else { return nil }
        let last = heap.removeLast()
        if !heap.isEmpty {
            heap[0] = last
            sink()
        }
        return first
    }

    private mutating func sink() {
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && heap[child] < heap[least] {
                least = child
            }
            guard least != parent else { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}
