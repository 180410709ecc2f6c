import Testing

@testable import Postgres

@Suite("ConnectGate", .timeLimit(.minutes(1)))
struct ConnectGateTests {
    private static let refused = PostgresError(.connection, operation: "connect")

    @Test("whoever waits for a try that succeeds gets the next turn, one after the other")
    func turns() async throws {
        let gate = ConnectGate()
        try await gate.enter()
        try await withThrowingTaskGroup { group in
            for _ in 0..<20 {
                group.addTask {
                    try await gate.enter()
                    await Task.yield()
                    gate.succeed()
                }
            }
            gate.succeed()
            try await group.waitForAll()
        }
    }

    @Test("whoever waits for a try that fails gets its failure")
    func failure() async throws {
        // The clock stands: on a busy machine some ask when the next try might be made already.
        let gate = ConnectGate { 1_000_000_000 }
        try await gate.enter()
        await withTaskGroup { group in
            for _ in 0..<20 {
                group.addTask {
                    do throws(PostgresError) {
                        try await gate.enter()
                        return false
                    } catch {
                        return error.kind == .connection
                    }
                }
            }
            gate.fail(Self.refused)
            for await isRefused in group { #expect(isRefused) }
        }
    }

    @Test("a caller that is cancelled does not wait for the end of the try")
    func cancelled() async throws {
        let gate = ConnectGate()
        try await gate.enter()
        let waiter = Task { () async -> PostgresError.Kind? in
            do throws(PostgresError) {
                try await gate.enter()
                return nil
            } catch {
                return error.kind
            }
        }
        waiter.cancel()
        #expect(await waiter.value == .cancelled)
        gate.succeed()
    }
}
