/// A receipt to publish.
struct ReceiptBody: Sendable {
    /// A JSON text: a UUID in quotation marks, or a number.
    var notification: String
    var installation: String
    var kind: String
    var id: String
    var at = "2026-11-30T08:00:00Z"
    var more = ""

    init(_ kind: String, of job: Job, on installation: String, id: String? = nil, more: String = "") {
        self.init(kind, notification: "\"\(job.id)\"", on: installation, id: id, more: more)
    }

    init(_ kind: String, notification: String, on installation: String, id: String? = nil, more: String = "") {
        self.notification = notification
        self.installation = installation
        self.kind = kind
        self.id = id ?? "\(kind)-\(installation)"
        self.more = more
    }

    var json: String {
        #"{"id":"\#(id)","notificationId":\#(notification),"installationId":"\#(installation)","kind":"\#(kind)","#
            + #""at":"\#(at)"\#(more)}"#
    }
}
