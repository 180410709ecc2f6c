import DispatchCore
import HTTP

extension APIService {
    /// What a user has been told, page by page, and how much of it is unread.
    func listInbox(_ request: APIRequest) async throws -> HTTPResponse {
        try request.checkQuery("user", "thread", "unread", "limit", "after")
        let user = try request.inboxUser()
        let question = try InboxStore.Question(user: user ?? "", request.http.target)
        let page = user == nil ? InboxPage() : try await inboxes.page(question, in: request.caller.hub)
        return .json(.ok, page.document)
    }

    /// Marks one notification as read; a device says by that that it was opened there.
    func readNotification(_ request: APIRequest) async throws -> HTTPResponse {
        try request.checkQuery("user")
        let user = try request.inboxUser()
        let caller = try request.caller
        let device = caller.device?.installationID
        let read = InboxStore.Read(
            notification: try request.notificationReference(),
            user: device == nil ? user : nil,
            device: device
        )
        guard let reading = try await inboxReads.answer(read, in: caller.hub) else { throw Problem.noNotification }
        return .json(.ok, reading.document)
    }

    /// Marks all, or one thread, as far as a notification or to the end.
    func readInbox(_ request: APIRequest) async throws -> HTTPResponse {
        try request.checkQuery("user")
        try request.requireContentType("application/json")
        let user = try request.inboxUser()
        let extent = try InboxExtent(request.http.bytes)
        guard let user else { return .json(.ok, InboxStore.Reading(count: 0, unread: 0).document) }
        let caller = try request.caller
        let reading = try await inboxes.readAll(
            of: user,
            thread: extent.thread,
            upTo: extent.last,
            device: caller.device?.installationID,
            in: caller.hub
        )
        guard let reading else { throw Problem.noNotification }
        return .json(.ok, reading.document)
    }
}

extension Problem {
    fileprivate static let noNotification = Problem(
        .notFound,
        "notFound",
        "There is no such notification for this user or device."
    )
}

extension InboxStore.Question {
    fileprivate init(user: String, _ target: HTTPTarget) throws(Problem) {
        self.init(user: user)
        thread = try target.text("thread", upTo: JobLimits.nameBytes, else: "This is no thread.")
        if let text = target.firstQueryValue("unread") {
            guard text == "true" || text == "false" else { throw Self.wrong("unread", "Must be true or false.") }
            isUnread = text == "true"
        }
        if let text = target.firstQueryValue("after") {
            guard let position = InboxPosition(text: text) else {
                throw Self.wrong("after", "This is not what a page named as its next.")
            }
            after = position
        }
        if let number = try target.number("limit", upTo: Self.greatestLimit) { limit = number }
    }

    private static func wrong(_ parameter: String, _ detail: String) -> Problem {
        Problem(.badRequest, "invalidFormat", detail, path: parameter)
    }
}
