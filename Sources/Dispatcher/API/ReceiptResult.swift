import DispatchCore
import HTTP

/// What a request hears of one of its receipts.
struct ReceiptResult: Sendable {
    private enum Status: Sendable {
        case added
        case known
        case refused(Problem)
    }

    private let id: String?
    private let status: Status

    init(_ entry: ReceiptRequest.Entry, outcome: ReceiptOutcome?) {
        id = entry.id
        switch (entry.receipt, outcome) {
        case (.failure(let problem), _): status = .refused(problem)
        case (.success, .added): status = .added
        case (.success, .known): status = .known
        case (.success, .refused(.unknownInstallation)):
            status = .refused(Problem.unknownInstallation.within(entry.path))
        case (.success, _): status = .refused(Problem.notAddressed.within(entry.path))
        }
    }

    /// The answer to a request with this receipt alone.
    func alone() throws(Problem) -> [UInt8] {
        if case .refused(let problem) = status { throw problem }
        return JSONWriter.encode(document)
    }

    /// The answer to a request with a list.
    static func list(_ results: [ReceiptResult]) -> [UInt8] {
        JSONWriter.encode(.object([JSONMember(name: "results", value: .array(results.map(\.document)))]))
    }

    private var document: JSONValue {
        var members: [JSONMember] = []
        func add(_ name: String, _ text: String?) {
            if let text { members.append(JSONMember(name: name, value: .string(text))) }
        }
        add("id", id)
        switch status {
        case .added: add("status", "added")
        case .known: add("status", "known")
        case .refused(let problem):
            add("status", "refused")
            add("code", problem.code)
            add("path", problem.path)
        }
        return .object(members)
    }
}

extension Problem {
    /// The same for a notification of which there is none: nobody can find out by it which ones there are.
    fileprivate static let notAddressed = Problem(
        .notFound,
        "notAddressed",
        "There is no such notification for this installation.",
        path: "$.notificationId"
    )

    fileprivate static let unknownInstallation = Problem(
        .notFound,
        "unknownInstallation",
        "The hub has no installation with this id.",
        path: "$.installationId"
    )
}
