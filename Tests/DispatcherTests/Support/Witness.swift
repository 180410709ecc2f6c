import Foundation

/// The file in which the simulated gateway writes what it has accepted.
struct Witness: Sendable {
    let path: String

    struct Line: Decodable, Hashable, Sendable {
        let notificationId: String
        let installationId: String
        let platform: String
        let attempt: Int
    }

    init() {
        path = NSTemporaryDirectory() + "dispatcher-witness-\(UInt32.random(in: 0 ... .max)).jsonl"
    }

    func lines() throws -> [Line] {
        guard let data = FileManager.default.contents(atPath: path) else { return [] }
        let decoder = JSONDecoder()
        return try data.split(separator: 0x0A).map { try decoder.decode(Line.self, from: Data($0)) }
    }

    /// How often each device was accepted for this notification.
    func counts(of notification: String) throws -> [String: Int] {
        try lines().filter { $0.notificationId == notification }
            .reduce(into: [:]) { $0[$1.installationId, default: 0] += 1 }
    }

    func remove() { try? FileManager.default.removeItem(atPath: path) }
}
