import Synchronization

/// Collects what concurrent tasks report, in order.
final class Recorder<Value: Sendable>: Sendable {
    private let collected = Mutex<[Value]>([])

    var values: [Value] { collected.withLock { $0 } }

    func append(_ value: Value) {
        collected.withLock { $0.append(value) }
    }
}
