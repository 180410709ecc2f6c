import DispatchCore
import Postgres

/// What the commands about publishers have in common.
enum PublisherReport {
    /// Takes every `--hub NAME` from the arguments.
    static func hubs(_ arguments: inout ArgumentList) throws(UsageError) -> [String] {
        var hubs: [String] = []
        while let name = try arguments.option("--hub") { hubs.append(name) }
        return hubs
    }

    /// Takes the user's name, as the broker knows it.
    static func user(_ arguments: inout ArgumentList) throws(UsageError) -> String {
        let user = try arguments.positional("USER")
        guard (1...255).contains(user.utf8.count) else { throw UsageError("USER takes 1 to 255 bytes") }
        return user
    }

    /// A line for people, or a JSON object.
    static func text(_ entry: PublisherStore.Entry, isJSON: Bool) -> String {
        guard isJSON else { return "\(ShownText.line(entry.user))\t\(entry.hubs.joined(separator: ","))" }
        let members = [
            JSONMember(name: "user", value: .string(entry.user)),
            JSONMember(name: "hubs", value: .array(entry.hubs.map { .string($0) })),
        ]
        return String(decoding: JSONWriter.encode(.object(members)), as: UTF8.self)
    }

    static func withStore<R>(_ body: (PublisherStore) async throws -> R) async throws -> R {
        let pool = try Configuration(.process).pool(size: 1, log: Log(minimum: .error))
        let result: Result<R, any Error>
        do {
            result = .success(try await body(PublisherStore(pool: pool)))
        } catch {
            result = .failure(error)
        }
        await pool.close()
        return try result.get()
    }
}
