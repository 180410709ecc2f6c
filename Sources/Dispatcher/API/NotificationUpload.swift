import DispatchCore

/// What `POST /api/notifications` brings: what to tell, and the content that devices fetch.
struct NotificationUpload: Sendable {
    /// The document of the notification.
    let document: JSONDocument
    let content: NewContent
}
