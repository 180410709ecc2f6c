/// One piece of work that is measured by being done over and over.
struct BenchCase {
    /// What is done: the kind of work.
    let work: String

    /// On which platform, or nil where there is none.
    let platform: String?

    /// Does it this often and answers how many bytes came out, so that nothing is optimized away.
    let run: (Int) throws -> Int

    /// Repeats `body`, which gets the number of the turn.
    init(_ work: String, on platform: String? = nil, _ body: @escaping (Int) throws -> Int) {
        self.work = work
        self.platform = platform
        run = { count in
            var bytes = 0
            for turn in 0..<count {
                bytes &+= try body(turn)
            }
            return bytes
        }
    }
}
