import DispatchCore
import Postgres

/// A class of notifications as the operator sees it.
struct ClassEntry: Sendable {
    let hub: String
    let name: String
    let quiet: QuietSetting.Hours?
    let drops: Bool
    let caps: [CapSetting]

    init(_ rows: PostgresRows, _ row: Int) throws(PostgresError) {
        hub = try rows.text(row, 0)
        name = try rows.text(row, 1)
        let (from, until) = (try rows.textOrNull(row, 2), try rows.textOrNull(row, 3))
        quiet = if let from, let until { QuietSetting.Hours(from: from, until: until) } else { nil }
        drops = try rows.bool(row, 4)
        caps = try rows.textArray(row, 5).compactMap { CapSetting(stored: $0) }
    }

    /// A line for people, or a JSON object.
    func text(isJSON: Bool) -> String {
        guard isJSON else {
            let hours = quiet.map { "quiet \($0) \(drops ? "drop" : "defer")" } ?? "quiet off"
            let limits = caps.isEmpty ? ["cap off"] : caps.map { "cap \($0)" }
            return ([hub, name, hours] + limits).joined(separator: "\t")
        }
        let members = [
            JSONMember(name: "hub", value: .string(hub)), JSONMember(name: "class", value: .string(name)),
            JSONMember(name: "quiet", value: quiet.map { .string($0.description) } ?? .null),
            JSONMember(name: "quietAction", value: .string(drops ? "drop" : "defer")),
            JSONMember(name: "caps", value: .array(caps.map { .string($0.description) })),
        ]
        return String(decoding: JSONWriter.encode(.object(members)), as: UTF8.self)
    }
}
