import DispatchCore
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

    /// A payload may hold a notification's id too, but never this after it.
    ///
    /// Made anew each time: a `Data` that is kept for good hides its storage from the leak sanitizer.
    private static var start: Data { Data(#"","installationId":""#.utf8) }
    private static let lengthBeforeStart = #"{"notificationId":"0193f2c4-7d1e-7abc-8def-0123456789ab"#.utf8.count

    func lines() throws -> [Line] {
        guard let data = FileManager.default.contents(atPath: path) else { return [] }
        let (decoder, opening) = (JSONDecoder(), Self.start)
        return try data.split(separator: 0x0A).compactMap { line in
            let mark = line.range(of: opening, options: .backwards)?.lowerBound ?? line.startIndex
            let start = max(line.startIndex, mark - Self.lengthBeforeStart)
            let whole = Data(line[start...])
            // A worker killed within its write leaves the beginning of a line, and the next one continues it.
            return start == line.startIndex && !whole.hasSuffix("}")
                ? nil : try decoder.decode(Line.self, from: whole)
        }
    }

    /// How often each device was accepted for this notification.
    func counts(of notification: String) throws -> [String: Int] {
        try lines().filter { $0.notificationId == notification }
            .reduce(into: [:]) { $0[$1.installationId, default: 0] += 1 }
    }

    /// The payload of each device as the gateway got it; text where it is no JSON.
    func payloads(of notification: String) throws -> [String: JSONValue] {
        var payloads: [String: JSONValue] = [:]
        for line in (FileManager.default.contents(atPath: path) ?? Data()).split(separator: 0x0A) {
            let value = try JSONParser.parse(Array(line))
            guard value["notificationId"]?.string == notification, let device = value["installationId"]?.string else {
                continue
            }
            payloads[device] = value["payload"]
        }
        return payloads
    }

    func remove() { try? FileManager.default.removeItem(atPath: path) }
}

extension Data {
    fileprivate func hasSuffix(_ text: String) -> Bool { suffix(text.utf8.count).elementsEqual(text.utf8) }
}
