extension Backoff {
    /// Tries a step of a batch until it succeeds; nil when its task is cancelled before that.
    ///
    /// Then the drain has run out of time, and the lease brings the batch back. While the database is away it waits: the batch could not be recorded either.
    func insist<Result>(
        _ event: String,
        batch: Int64,
        log: Log,
        _ step: () async throws -> Result
    ) async -> Result? {
        var failures = 0
        while true {
            do {
                return try await step()
            } catch {
                guard !Task.isCancelled else { return nil }
                failures += 1
                log.warning(event, ["batch": batch, "failures": failures, "error": error])
                await wait(failures)
            }
        }
    }
}
