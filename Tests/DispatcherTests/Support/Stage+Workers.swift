import Testing

@testable import Dispatcher

extension Stage {
    /// Runs workers within this process while the body runs, then drains them and expects the drain to succeed.
    func withWorkers<R>(
        _ count: Int = 1,
        _ changes: [String: String] = [:],
        _ body: () async throws -> R
    ) async throws -> R {
        let configuration = try Configuration(Environment(environment(changes)))
        var running: [RunningWorker] = []
        for _ in 0..<count { running.append(try await RunningWorker(configuration)) }
        let result: Result<R, any Error>
        do {
            result = .success(try await body())
        } catch {
            result = .failure(error)
        }
        for worker in running { worker.stop() }
        for worker in running {
            let isDrained = await worker.end()
            #expect(isDrained)
        }
        return try result.get()
    }
}

/// A worker within this process.
struct RunningWorker: Sendable {
    private let continuation: AsyncStream<Void>.Continuation
    private let task: Task<WorkerEnd, Never>

    init(_ configuration: Configuration) async throws {
        let worker = try await Worker.start(configuration, log: Log(minimum: configuration.logLevel))
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        self.continuation = continuation
        task = Task { await worker.run(until: { for await _ in stream {} }) }
    }

    func stop() { continuation.finish() }

    /// Waits for the end; answers whether everything begun was finished.
    func end() async -> Bool { await task.value == .drained }
}
