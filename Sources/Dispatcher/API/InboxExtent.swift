import DispatchCore
import HTTP

/// How much of an inbox a request marks.
struct InboxExtent: Sendable {
    private(set) var thread: String?
    private(set) var last: NotificationReference?

    /// Reads `{"thread"?: …, "upTo"?: …}`.
    init(_ body: [UInt8]) throws(Problem) {
        for member in try JSONDocument(body).value.members ?? [] {
            switch (member.name, member.value) {
            case ("thread", .string(let name)):
                let detail = "Must be the name of a thread."
                thread = try Problem.checked(name, upTo: JobLimits.nameBytes, else: detail, at: "$.thread")
            case ("thread", _):
                throw Problem(.badRequest, "wrongType", "Must be the name of a thread.", path: "$.thread")
            case ("upTo", let value): last = try Self.reference(value)
            default: throw Problem(.badRequest, "unknownMember", "Takes thread and upTo.", path: "$")
            }
        }
    }

    private static func reference(_ value: JSONValue) throws(Problem) -> NotificationReference {
        do throws(JobError) {
            return try NotificationReference(decoding: value)
        } catch {
            throw Problem(.badRequest, error.code.rawValue, error.reason, path: "$.upTo")
        }
    }
}
