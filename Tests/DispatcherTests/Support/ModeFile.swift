import Foundation

/// The file that puts the simulated gateway of a stage into trouble.
struct ModeFile: Sendable {
    let path = NSTemporaryDirectory() + "dispatcher-mode-\(UInt32.random(in: 0 ... .max)).json"

    /// The setting that has a worker follow it.
    var setting: [String: String] { ["DISPATCHER_SIMULATED_MODE_FILE": path] }

    func say(_ text: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    }

    /// Ends the trouble.
    func remove() { try? FileManager.default.removeItem(atPath: path) }
}
