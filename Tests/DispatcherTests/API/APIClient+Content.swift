import Foundation
import Testing

@testable import Dispatcher

extension APIClient {
    /// A file of a form.
    struct Upload: Sendable {
        var data: Data
        var type: String? = "image/png"
        var name: String? = "photo.png"
        var digest: String?
    }

    /// Octets that nobody would take for anything else's.
    static func octets(_ count: Int) -> Data {
        var state: UInt32 = 1
        return Data(
            (0..<count).map { _ in
                state = state &* 1_664_525 &+ 1_013_904_223
                return UInt8(truncatingIfNeeded: state >> 24)
            }
        )
    }

    static func form(_ notification: String?, _ upload: Upload?, boundary: String = "b-0193f2c4") -> Data {
        var form = Data()
        if let notification {
            form += Data(
                "--\(boundary)\r\nContent-Disposition: form-data; name=\"notification\"\r\n\r\n\(notification)\r\n".utf8
            )
        }
        if let upload {
            var header = "Content-Disposition: form-data; name=\"content\""
            if let name = upload.name { header += "; filename=\"\(name)\"" }
            if let type = upload.type { header += "\r\nContent-Type: \(type)" }
            if let digest = upload.digest { header += "\r\nContent-Digest: \(digest)" }
            form += Data("--\(boundary)\r\n\(header)\r\n\r\n".utf8) + upload.data + Data("\r\n".utf8)
        }
        return form + Data("--\(boundary)--\r\n".utf8)
    }

    func upload(
        _ notification: String?,
        _ upload: Upload?,
        _ headers: [String: String] = [:]
    ) async throws -> Answer {
        let type = ["Content-Type": "multipart/form-data; boundary=b-0193f2c4"]
        let form = Self.form(notification, upload)
        return try await send("POST", "/api/notifications", octets: form, type.merging(headers) { $1 })
    }
}
