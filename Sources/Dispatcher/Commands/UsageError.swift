/// A mistake in how a command was called; the program exits with status 64 (EX_USAGE).
struct UsageError: Error {
    let message: String

    init(_ message: String) {
        self.message = message
    }
}

/// A failure that has been explained in full; the program prints the sentence and exits with status 1.
struct CommandFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
