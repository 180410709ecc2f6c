import Synchronization

/// The octets of contents that were fetched lately, by the database's key of each.
///
/// Contents never change, so what is here is right for as long as it is asked for. Who may have it is not asked here.
final class ContentCache: Sendable {
    /// The most of one kind of octets; each file is an open descriptor.
    struct Limits: Sendable {
        var memoryBytes = 64 << 20
        var fileBytes = 512 << 20
        var files = 256
    }

    private struct Entry {
        let octets: ContentOctets
        var lastUse: UInt64
    }

    private struct State {
        var entries: [Int64: Entry] = [:]
        var memoryBytes = 0
        var fileBytes = 0
        var files = 0
        var uses: UInt64 = 0

        mutating func forget(_ content: Int64) {
            guard let entry = entries.removeValue(forKey: content) else { return }
            count(entry.octets, by: -1)
        }

        mutating func count(_ octets: ContentOctets, by sign: Int) {
            switch octets {
            case .memory(let bytes): memoryBytes += sign * bytes.count
            case .file(_, let count):
                fileBytes += sign * count
                files += sign
            }
        }
    }

    private let limits: Limits
    private let state = Mutex(State())

    init(limits: Limits = Limits()) {
        self.limits = limits
    }

    func octets(of content: Int64) -> ContentOctets? {
        state.withLock { state in
            guard let octets = state.entries[content]?.octets else { return nil }
            state.uses += 1
            state.entries[content]?.lastUse = state.uses
            return octets
        }
    }

    /// Remembers octets, and forgets those that nobody wanted for the longest time.
    func remember(_ octets: ContentOctets, of content: Int64) {
        state.withLock { state in
            guard state.entries[content] == nil else { return }
            state.uses += 1
            state.entries[content] = Entry(octets: octets, lastUse: state.uses)
            state.count(octets, by: 1)
            shrink(&state)
        }
    }

    /// Forgets all files; those that are being sent stay until they are.
    func forgetFiles() {
        state.withLock { state in
            for (content, entry) in state.entries {
                guard case .file = entry.octets else { continue }
                state.forget(content)
            }
        }
    }

    /// A quarter at once, so that the search for the oldest is rare; of the kind of which there is too much, so that a
    /// large file costs no small content its place.
    private func shrink(_ state: inout State) {
        while let isFile = excess(state) {
            let byAge = state.entries.filter { $0.value.octets.isFile == isFile }
                .sorted { $0.value.lastUse < $1.value.lastUse }
            for (content, _) in byAge.prefix(max(1, byAge.count / 4)) { state.forget(content) }
        }
    }

    /// Whether there are too many files, or too much in memory; nil when neither.
    private func excess(_ state: State) -> Bool? {
        if state.fileBytes > limits.fileBytes || state.files > limits.files { return true }
        return state.memoryBytes > limits.memoryBytes ? false : nil
    }
}

extension ContentOctets {
    fileprivate var isFile: Bool {
        if case .file = self { true } else { false }
    }
}
