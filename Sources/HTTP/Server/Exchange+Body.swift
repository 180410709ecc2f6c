import Synchronization

extension Exchange {
    /// The next piece of a streamed body.
    func pull() async throws(HTTPBodyError) -> [UInt8]? {
        while true {
            switch read() {
            case .chunk(let chunk, _): return chunk
            case .end: return nil
            case .failed(let error): throw error
            case .wait:
                guard !Task.isCancelled else { throw .cancelled }
                await waitForBody()
            }
        }
    }

    private func read() -> ExchangeState.ReadStep {
        guarded.withLock { guarded in
            let step = guarded.state.read()
            if case .chunk(_, resume: true) = step { connection.resume() }
            return step
        }
    }

    /// Waits until something has changed, or the task is cancelled.
    private func waitForBody() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let woken = guarded.withLock { guarded -> CheckedContinuation<Void, Never>? in
                    guard guarded.state.isDry, !Task.isCancelled else { return continuation }
                    // One reader is the rule; the older of two is woken and looks again.
                    defer { guarded.reader = continuation }
                    return guarded.reader
                }
                woken?.resume()
            }
        } onCancel: {
            guarded.withLock { $0.reader.take() }?.resume()
        }
    }
}
