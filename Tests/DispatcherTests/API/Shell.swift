import Foundation

/// Runs a script by bash.
enum Shell {
    static func run(_ script: String, environment: [String: String]) async throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        process.arguments = ["-c", script]
        process.environment = Program.surroundings(environment)
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let reading = Task.detached { pipe.fileHandleForReading.readDataToEndOfFile() }
        let output = await reading.value
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }
}
