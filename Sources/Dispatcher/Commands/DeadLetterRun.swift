import Glibc
import Postgres

/// A command that does one thing to a selection of dead letters, then makes the queue agree, then counts.
struct DeadLetterRun: Sendable {
    /// What both commands take.
    struct Options: Sendable {
        let isDry: Bool
        let isJSON: Bool

        init(_ arguments: inout ArgumentList) {
            isDry = arguments.flag("--dry-run")
            isJSON = arguments.flag("--json")
        }
    }

    let word: String
    let selection: DeadLetterSelection
    let options: Options

    func run(
        isDue: @Sendable (DeadLetterSummary) -> Bool,
        body: @Sendable (DeadLetterDesk, [Int64]) async throws -> DeadLetterTally
    ) async throws {
        if options.isDry { return try await rehearse(isDue) }
        let (tally, outcome) = try await DeadLetterDesk.with(try Configuration(.process)) { desk in
            try await work(desk, body)
        }
        print(DeadLetterReport.tally(tally, outcome, word: word, isJSON: options.isJSON))
        complain(tally)
        guard tally.failed.isEmpty else { throw CommandFailure("\(tally.failed.count) were not \(word)") }
        if case .ids = selection, !tally.skipped.isEmpty {
            throw CommandFailure("\(tally.skipped.count) were not \(word)")
        }
    }

    private func work(
        _ desk: DeadLetterDesk,
        _ body: (DeadLetterDesk, [Int64]) async throws -> DeadLetterTally
    ) async throws -> (DeadLetterTally, DeadQueueTurn.Outcome?) {
        var tally = DeadLetterTally()
        try await selection.forEachGroup(in: desk.store) { ids in
            // A broker that has just confirmed nothing is not asked for the rest.
            guard tally.failed.isEmpty else { return }
            tally.add(try await body(desk, ids))
        }
        guard tally.failed.isEmpty else { return (tally, nil) }
        return (tally, try await desk.settle())
    }

    private func rehearse(_ isDue: (DeadLetterSummary) -> Bool) async throws {
        let pool = try Configuration(.process).pool(size: 1, log: Log(minimum: .error))
        let store = DeadLetterStore(pool: pool)
        var (due, others) = (0, 0)
        try await selection.forEachGroup(in: store) { ids in
            let states = try await store.states(of: ids)
            for id in ids {
                if let letter = states[id], isDue(letter) { due += 1 } else { others += 1 }
            }
        }
        await pool.close()
        print(DeadLetterReport.rehearsal(due: due, others: others, word: word, isJSON: options.isJSON))
    }

    private func complain(_ tally: DeadLetterTally) {
        for (id, reason) in tally.skipped + tally.failed {
            var line = "\(id) \(reason)\n"
            _ = line.withUTF8 { write(STDERR_FILENO, $0.baseAddress, $0.count) }
        }
    }
}
