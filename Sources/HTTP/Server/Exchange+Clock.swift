import Synchronization

extension Exchange {
    /// Looks at the time limits; whether the client was too slow, so that its connection is to be shut.
    func check(now: Int64) -> Bool {
        let limits = server.limits
        let (phase, handlingSince, answeredSince, receiveLimit) = guarded.withLock { guarded in
            (guarded.state.phase, guarded.handlingSince, guarded.answeredSince, guarded.receiveLimit)
        }
        switch phase {
        case .head, .receiving:
            guard now - startedAt > receiveLimit ?? limits.receive else { return false }
        case .handling:
            if let handlingSince, now - handlingSince > limits.handler { expire() }
            return false
        case .answered:
            guard let answeredSince, now - answeredSince > limits.send else { return false }
        case .over: return false
        }
        if abort() { server.counters.timeouts.wrappingAdd(1, ordering: .relaxed) }
        return true
    }

    /// Whether it matters that the client closes its side.
    var presence: ClientPresence {
        guarded.withLock { guarded in
            switch guarded.state.phase {
            case .head: .expected
            // A suspended upload may already be complete in the library's buffer.
            case .receiving: guarded.state.isSuspended ? .irrelevant : .expected
            case .handling: guarded.state.isSuspended ? .awaited(self) : .irrelevant
            case .answered, .over: .irrelevant
            }
        }
    }

    /// Ends the exchange without an answer; false when that was done before.
    @discardableResult
    func abort() -> Bool {
        let (isFirst, task, reader, feed) = guarded.withLock { guarded in
            let isFirst = !guarded.state.isAborted
            guarded.isCancelled = true
            if guarded.state.abort() { connection.resume() }
            return (isFirst, guarded.task.take(), guarded.reader.take(), guarded.feed.take())
        }
        reader?.resume()
        feed?.abort()
        task?.cancel()
        return isFirst
    }

    private func expire() {
        let task = guarded.withLock { guarded -> Task<Void, Never>? in
            guard guarded.state.needsResponse else { return nil }
            guarded.isCancelled = true
            if guarded.state.expire(with: server.faultResponse(.serviceUnavailable)) { connection.resume() }
            return guarded.task.take()
        }
        guard let task else { return }
        server.counters.timeouts.wrappingAdd(1, ordering: .relaxed)
        task.cancel()
    }
}
