import Postgres

/// Repeats a database step until it succeeds. Meanwhile the lane's queue is paused, and nothing is sent back to the
/// broker: a requeue would only come round again and use up the message's delivery limit.
struct DatabaseGate: Sendable {
    let log: Log
    let backoff: Backoff

    func insist<Value: Sendable>(on intake: QueueIntake, _ step: @Sendable () async throws -> Value) async -> Value {
        var failures = 0
        while true {
            do {
                let value = try await step()
                if failures > 0 { intake.resume() }
                return value
            } catch {
                failures += 1
                if failures == 1 { intake.pause() }
                log.warning("database.retry", ["queue": intake.queue, "failures": failures, "error": error])
                await backoff.wait(failures)
            }
        }
    }
}
