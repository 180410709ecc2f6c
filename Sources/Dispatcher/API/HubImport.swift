import DispatchCore
import HTTP
import Postgres

/// Registers what lines of JSON say, a chunk at a time; what cannot be accepted is counted, and the first of it named.
struct HubImport {
    /// A line that was not accepted.
    struct Rejection: Sendable {
        let line: Int
        let path: String
        let reason: String
    }

    private let pool: PostgresPool
    private let hub: Int32
    private let hubName: String
    private var chunk: [(line: Int, wanted: WantedRegistration)] = []
    private var chunkBytes = 0
    private(set) var imported = 0
    private(set) var rejected = 0
    private(set) var rejections: [Rejection] = []

    /// Registrations of one transaction.
    private static let chunkSize = 500

    /// Octets of their lines: few have long templates, and then a chunk is shorter.
    private static let chunkLimit = 4 * 1024 * 1024

    /// Rejections that are named; all are counted.
    private static let namedLimit = 100

    /// How often a chunk is tried that collides with others' changes.
    private static let tries = 5

    init(pool: PostgresPool, hub: Int32, hubName: String) {
        self.pool = pool
        self.hub = hub
        self.hubName = hubName
    }

    mutating func add(_ line: JSONLines.Line) async throws {
        guard let bytes = line.bytes else {
            return reject(line.number, "$", "The line is longer than an installation can be.")
        }
        do throws(JobError) {
            let installation = try read(bytes)
            chunk.append((line.number, WantedRegistration(installation: installation, secretHash: nil) { _ in }))
        } catch {
            return reject(line.number, error.path, error.reason)
        }
        chunkBytes += bytes.count
        if chunk.count == Self.chunkSize || chunkBytes >= Self.chunkLimit { try await flush() }
    }

    /// Writes what is left.
    mutating func flush() async throws {
        guard !chunk.isEmpty else { return }
        let items = chunk
        chunk.removeAll(keepingCapacity: true)
        chunkBytes = 0
        if try await write(items.map(\.wanted)) {
            imported += items.count
            return
        }
        // One of them cannot be written; the others can.
        for item in items {
            if try await write([item.wanted]) {
                imported += 1
            } else {
                reject(item.line, "$", "The id is one the hub has for itself, or a text cannot be stored.")
            }
        }
    }

    /// False when the database refuses what is in them, or others were in the way all the time.
    private func write(_ wanted: [WantedRegistration]) async throws -> Bool {
        for _ in 1...Self.tries {
            do {
                for answer in try await RegistrationWave.write(wanted, hub: hub, pool: pool) { _ = try answer.get() }
                return true
            } catch let error as PostgresError where error.isFaultOfInput {
                return false
            } catch  where error.isCollision {
                continue
            }
        }
        return false
    }

    /// The hub is the key's.
    private func read(_ bytes: [UInt8]) throws(JobError) -> Installation {
        let document: JSONValue
        do throws(JSONError) {
            document = try JSONParser.parse(bytes)
        } catch {
            throw JobError(.invalidJSON, path: "$", reason: "Not acceptable JSON: expected \(error.expected).")
        }
        if let other = document["hub"], other != .string(hubName) {
            throw JobError(.outOfRange, path: "$.hub", reason: "The key is for another hub.")
        }
        guard document.members != nil else { return try Installation(decoding: document) }
        return try Installation(decoding: JSONDocument(document).with(["hub": hubName]).withoutFacts)
    }

    private mutating func reject(_ line: Int, _ path: String, _ reason: String) {
        rejected += 1
        guard rejections.count < Self.namedLimit else { return }
        rejections.append(Rejection(line: line, path: path, reason: reason))
    }

    /// The counts, and the first lines that were not accepted.
    var document: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("imported")
        writer.number(imported)
        writer.key("rejected")
        writer.number(rejected)
        writer.key("rejections")
        writer.array(
            rejections.map { rejection in
                .object([
                    JSONMember(name: "line", value: .number(JSONNumber(Int64(rejection.line)))),
                    JSONMember(name: "path", value: .string(rejection.path)),
                    JSONMember(name: "reason", value: .string(rejection.reason)),
                ])
            }
        )
        writer.endObject()
        return writer.bytes
    }
}
