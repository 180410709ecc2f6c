import Synchronization

/// Runs what outlives its batch (requests without an answer yet) beside the lanes, and waits for all of it at the end.
///
/// It needs no bound of its own: each straggler holds its share of the in-flight budget.
final class StragglerGroup: Sendable {
    private let operations: AsyncStream<@Sendable () async -> Void>
    private let continuation: AsyncStream<@Sendable () async -> Void>.Continuation

    init() {
        (operations, continuation) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
    }

    func add(_ operation: @escaping @Sendable () async -> Void) { continuation.yield(operation) }

    /// No more will come; `run` returns when those that are here have ended.
    func finish() { continuation.finish() }

    func run() async {
        await withDiscardingTaskGroup { group in
            for await operation in operations {
                group.addTask { await operation() }
            }
        }
    }
}
