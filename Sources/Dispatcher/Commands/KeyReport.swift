import DispatchCore
import Postgres

/// What the commands about keys have in common.
enum KeyReport {
    static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte & 0xDF)
            }
    }

    /// What the clients of Azure's services take.
    static func connection(_ endpoint: String, _ name: String, _ secret: String) -> String {
        "Endpoint=\(endpoint);SharedAccessKeyName=\(name);SharedAccessKey=\(secret)"
    }

    /// Lines of name and value, or one JSON object.
    static func text(_ fields: [(String, String)], isJSON: Bool) -> String {
        guard isJSON else {
            return fields.map { $0 + String(repeating: " ", count: max(1, 12 - $0.count)) + $1 }.joined(separator: "\n")
        }
        let members = fields.map { JSONMember(name: $0.0, value: .string($0.1)) }
        return String(decoding: JSONWriter.encode(.object(members)), as: UTF8.self)
    }

    static func withStore<R>(_ body: (KeyStore) async throws -> R) async throws -> R {
        let pool = try Configuration(.process).pool(size: 1, log: Log(minimum: .error))
        let result: Result<R, any Error>
        do {
            result = .success(try await body(KeyStore(pool: pool)))
        } catch {
            result = .failure(error)
        }
        await pool.close()
        return try result.get()
    }
}
