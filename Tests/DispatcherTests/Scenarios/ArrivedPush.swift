import DispatchCore
import Foundation

@testable import Dispatcher

/// One push as the gateway was handed it.
struct ArrivedPush: Sendable {
    let notification: String
    let installation: String
    let platform: String
    let headers: [String: String]
    let payload: JSONValue

    /// What the app gets beside what the system shows.
    var data: JSONValue? {
        switch platform {
        case "apns": payload
        case "fcmV1": payload["message"]?["data"]
        case "hms": payload["message"]?["data"]?.string.flatMap { try? JSONParser.parse(Array($0.utf8)) }
        case "adm": payload["data"]
        case "browser": payload["notification"]?["data"]
        default: launch
        }
    }

    /// What a toast of Windows hands over.
    private var launch: JSONValue? {
        guard let toast = payload.string, let start = toast.range(of: "launch=\"") else { return nil }
        let text = toast[start.upperBound...].prefix { $0 != "\"" }.replacingOccurrences(of: "&quot;", with: "\"")
        return try? JSONParser.parse(Array(text.utf8))
    }
}

extension Witness {
    /// What the device was handed, oldest first.
    func pushes(to installation: String) throws -> [ArrivedPush] {
        let data = FileManager.default.contents(atPath: path) ?? Data()
        return try data.split(separator: 0x0A).compactMap { line -> ArrivedPush? in
            let value = try JSONParser.parse(Array(line))
            guard value["installationId"]?.string == installation, let payload = value["payload"] else { return nil }
            return ArrivedPush(
                notification: value["notificationId"]?.string ?? "",
                installation: installation,
                platform: value["platform"]?.string ?? "",
                headers: Self.fields(value["headers"]),
                payload: payload
            )
        }
    }

    private static func fields(_ value: JSONValue?) -> [String: String] {
        guard case .object(let members) = value else { return [:] }
        return members.reduce(into: [:]) { $0[$1.name.lowercased()] = $1.value.string }
    }
}

extension JSONValue {
    /// The value of a whole number.
    var integer: Int64? {
        guard case .number(let number) = self, number.isIntegerLiteral else { return nil }
        return number.int64
    }
}
