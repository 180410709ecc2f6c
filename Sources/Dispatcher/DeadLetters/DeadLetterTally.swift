/// What became of the letters that a command was asked to replay or discard.
struct DeadLetterTally: Sendable {
    var done: [Int64]
    var skipped: [(id: Int64, reason: String)] = []
    var failed: [(id: Int64, reason: String)] = []

    init(done: [Int64] = []) {
        self.done = done
    }

    mutating func add(_ other: DeadLetterTally) {
        done += other.done
        skipped += other.skipped
        failed += other.failed
    }
}
