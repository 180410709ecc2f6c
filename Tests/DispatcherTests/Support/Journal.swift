import Synchronization

/// What happened, in order, told from any task.
final class Journal<Element: Sendable>: Sendable {
    private let entries = Mutex<[Element]>([])

    var all: [Element] { entries.withLock { $0 } }

    func add(_ element: Element) { entries.withLock { $0.append(element) } }
}
