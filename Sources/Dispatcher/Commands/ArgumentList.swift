/// The arguments of a command, taken away one by one as they are understood.
struct ArgumentList {
    private var rest: [String]

    init(_ arguments: [String]) {
        rest = arguments
    }

    /// Takes `--name` if it is there.
    mutating func flag(_ name: String) -> Bool {
        guard let index = optionIndex(name) else { return false }
        rest.remove(at: index)
        return true
    }

    /// Takes `--name VALUE` or `--name=VALUE` if it is there.
    mutating func option(_ name: String) throws(UsageError) -> String? {
        if let index = optionIndex(where: { $0.hasPrefix(name + "=") }) {
            return String(rest.remove(at: index).dropFirst(name.count + 1))
        }
        guard let index = optionIndex(name) else { return nil }
        guard index + 1 < rest.count else { throw UsageError("\(name) needs a value") }
        rest.remove(at: index)
        return rest.remove(at: index)
    }

    /// Takes `--name N` as a whole number within `range`.
    mutating func integer(_ name: String, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
        guard let text = try option(name) else { return nil }
        guard let value = Int(text), range.contains(value) else {
            throw UsageError(
                "\(name) takes a whole number from \(range.lowerBound) to \(range.upperBound), not '\(text)'"
            )
        }
        return value
    }

    /// Takes the next argument that is not an option.
    mutating func positional(_ name: String) throws(UsageError) -> String {
        guard let value = optionalPositional() else { throw UsageError("\(name) is missing") }
        return value
    }

    mutating func optionalPositional() -> String? {
        if let index = rest.firstIndex(where: { $0 == "-" || $0 == "--" || !$0.hasPrefix("-") }), rest[index] != "--" {
            return rest.remove(at: index)
        }
        // What stands behind `--` is taken as it is, whatever it begins with.
        guard let separator = rest.firstIndex(of: "--"), separator + 1 < rest.count else { return nil }
        return rest.remove(at: separator + 1)
    }

    /// Refuses whatever nobody took.
    func finish() throws(UsageError) {
        guard let first = rest.first(where: { $0 != "--" }) else { return }
        throw UsageError("unknown argument '\(first)'")
    }

    /// Takes `word` when it is the next argument, as a subcommand.
    mutating func word(_ word: String) -> Bool {
        guard rest.first == word else { return false }
        rest.removeFirst()
        return true
    }

    private func optionIndex(_ name: String) -> Int? { optionIndex { $0 == name } }

    private func optionIndex(where isMatch: (String) -> Bool) -> Int? {
        // What stands behind `--` is never an option.
        rest.prefix { $0 != "--" }.firstIndex(where: isMatch)
    }
}
