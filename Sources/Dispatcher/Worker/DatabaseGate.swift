import DispatchCore
import Postgres

/// Repeats a database step until it succeeds.
///
/// Meanwhile the lane's queue is paused, and nothing is sent back to the broker: a requeue would only come round
/// again and use up the message's delivery limit.
struct DatabaseGate: Sendable {
    let log: Log
    let backoff: Backoff

    func insist<Value: Sendable>(
        on intake: QueueIntake,
        _ step: @Sendable () async throws -> Value
    ) async throws(StepFailure) -> Value {
        var failures = 0
        while true {
            do {
                let value = try await step()
                if failures > 0 { intake.resume() }
                return value
            } catch {
                failures += 1
                try judge(error, failures: failures, intake: intake)
                await backoff.wait(failures)
            }
        }
    }

    /// Returns when the step should be tried again.
    private func judge(_ error: any Error, failures: Int, intake: QueueIntake) throws(StepFailure) {
        if Task.isCancelled { throw .stopped }
        log.warning("database.retry", ["queue": intake.queue, "failures": failures, "error": error])
        let isFaultOfInput = (error as? PostgresError)?.isFaultOfInput ?? (error is JobError)
        if isFaultOfInput {
            if failures > 1 { intake.resume() }
            throw .refused(String(describing: error))
        }
        if failures == 1 { intake.pause() }
    }
}

/// Why a database step is given up.
enum StepFailure: Error, Equatable {
    /// The drain has run out of time; what was begun is released by the lease.
    case stopped

    /// The database will never accept it; the reason is safe to log.
    case refused(String)
}
