import DispatchCore
import Postgres

/// What the commands about hubs have in common.
enum HubReport {
    /// Takes the settings from the arguments; nil when there is none.
    static func settings(_ arguments: inout ArgumentList) throws(UsageError) -> HubStore.Settings? {
        var settings = HubStore.Settings()
        settings.keepsInbox = try isOn("--inbox", &arguments)
        settings.syncsBadge = try isOn("--badge-sync", &arguments)
        settings.topic = try arguments.option("--apns-topic")
        // As it becomes a field of a request's header.
        guard settings.topic?.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) ?? true else {
            throw UsageError("--apns-topic takes visible ASCII, or an empty text for none")
        }
        settings.timeZone = try arguments.option("--time-zone")
        return settings == HubStore.Settings() ? nil : settings
    }

    private static func isOn(_ name: String, _ arguments: inout ArgumentList) throws(UsageError) -> Bool? {
        switch try arguments.option(name) {
        case nil: nil
        case "on"?: true
        case "off"?: false
        default: throw UsageError("\(name) takes on or off")
        }
    }

    /// A line for people, or a JSON object.
    static func text(_ entry: HubStore.Entry, isJSON: Bool) -> String {
        let settings = entry.settings
        let (keepsInbox, syncsBadge) = (settings.keepsInbox ?? false, settings.syncsBadge ?? false)
        guard isJSON else {
            let words = ["inbox \(keepsInbox ? "on" : "off")", "badge-sync \(syncsBadge ? "on" : "off")"]
            let names = [settings.topic ?? "-", settings.timeZone ?? "UTC"]
            return ([entry.name] + words + names).joined(separator: "\t")
        }
        let members = [
            JSONMember(name: "name", value: .string(entry.name)),
            JSONMember(name: "inbox", value: .bool(keepsInbox)),
            JSONMember(name: "badgeSync", value: .bool(syncsBadge)),
            JSONMember(name: "apnsTopic", value: settings.topic.map { .string($0) } ?? .null),
            JSONMember(name: "timeZone", value: .string(settings.timeZone ?? "UTC")),
        ]
        return String(decoding: JSONWriter.encode(.object(members)), as: UTF8.self)
    }

    /// Prints one hub as it is now.
    static func print(_ name: String, _ store: HubStore, isJSON: Bool) async throws {
        for entry in try await store.list() where entry.name == name { Swift.print(text(entry, isJSON: isJSON)) }
    }

    static func withStore<R>(_ body: (HubStore) async throws -> R) async throws -> R {
        let pool = try Configuration(.process).pool(size: 1, log: Log(minimum: .error))
        let result: Result<R, any Error>
        do {
            result = .success(try await body(HubStore(pool: pool)))
        } catch {
            result = .failure(error)
        }
        await pool.close()
        return try result.get()
    }
}
