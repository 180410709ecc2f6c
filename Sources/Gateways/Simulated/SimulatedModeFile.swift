import Dispatch
import Glibc
import Synchronization

/// A file by which somebody outside switches the simulated gateway between modes while it runs.
///
/// It is looked at again when a push comes and the last look was a tenth of a second ago. No file means no trouble. Write
/// another file and rename it: what cannot be read as modes, such as half a file, leaves the last ones in force.
public final class SimulatedModeFile: Sendable {
    private struct State {
        var modes = SimulatedModes()
        var text: [UInt8]?
        var lookedAt: UInt64 = 0
    }

    private static let interval: UInt64 = 100_000_000
    private static let limit = 65_536

    private let path: String
    private let onChange: @Sendable (Result<SimulatedModes, SimulatedGateway.ConfigurationError>) -> Void
    private let state = Mutex(State())

    /// Reads the file for the first time; `onChange` hears of every other content, and of what is wrong with it.
    public init(
        path: String,
        onChange: @escaping @Sendable (Result<SimulatedModes, SimulatedGateway.ConfigurationError>) -> Void = { _ in }
    ) throws(SimulatedGateway.ConfigurationError) {
        self.path = path
        self.onChange = onChange
        guard let text = Self.read(path) else { return }
        let modes = try SimulatedModes(parsing: text)
        state.withLock { $0 = State(modes: modes, text: text) }
    }

    /// What is in force now.
    var modes: SimulatedModes {
        let now = DispatchTime.now().uptimeNanoseconds
        let (modes, change) = state.withLock { state in
            // Whoever came first may have read the clock last.
            guard now >= state.lookedAt + Self.interval else { return (state.modes, nil as Change?) }
            state.lookedAt = now
            let change = Self.look(path, &state)
            return (state.modes, change)
        }
        if let change { onChange(change) }
        return modes
    }

    private typealias Change = Result<SimulatedModes, SimulatedGateway.ConfigurationError>

    /// Nil when nothing has changed.
    private static func look(_ path: String, _ state: inout State) -> Change? {
        let text = read(path)
        guard text != state.text else { return nil }
        state.text = text
        do throws(SimulatedGateway.ConfigurationError) {
            state.modes =
                try text.map { text throws(SimulatedGateway.ConfigurationError) in try .init(parsing: text) }
                ?? SimulatedModes()
            return .success(state.modes)
        } catch {
            return .failure(error)
        }
    }

    private static func read(_ path: String) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            count = max(Glibc.read(descriptor, buffer.baseAddress, limit), 0)
        }
    }
}
