import DispatchCore

/// Renders the members of a job for Apple, as they stand in a message.
enum APNsJob {
    static func prepare(_ members: String, unread: Int? = nil) throws -> PreparedPush {
        let json = #"{"to":{"broadcast":true},\#(members)}"#
        let job = try SendJob(decoding: Array(json.utf8), messageID: PushExample.job.description)
        let expiry = job.options.expiry(acceptedAt: PushExample.now)
        let options = PushOptions(notification: job.id, options: job.options, expiresAt: expiry)
        let context = RenderContext(options: options, now: PushExample.now, unread: unread)
        return try PushRenderer.prepare(job.content, for: .apns, in: context)
    }

    /// The body as text, without the job's id where nothing else is asked.
    static func body(_ members: String, unread: Int? = nil) throws -> String {
        let body = try prepare(members, unread: unread).body(channel: "ignored")
        return String(decoding: body, as: UTF8.self).replacing(#","notificationId":"\#(PushExample.job)""#, with: "")
    }

    /// The header fields of a request for an app with the id `app`, by name.
    static func headers(_ members: String) throws -> [String: String] {
        let request = PushRequest(
            push: try prepare(members),
            notification: PushExample.job,
            number: NotificationID(rawValue: 7),
            installation: InstallationKey(rawValue: 9),
            installationID: "phone",
            channel: "token",
            topic: "app",
            attempt: 1
        )
        let headers = request.headers(now: PushExample.now).map { ($0.name, $0.value) }
        // APNs refuses a request with a field twice.
        return try Dictionary(headers) { first, _ in throw RepeatedHeader(value: first) }
    }

    struct RepeatedHeader: Error {
        let value: String
    }
}
