import DispatchCore
import FoundationEssentials
import HTTP

extension APIService {
    /// How long a device may keep a content without asking again; it never changes under its id.
    private static let freshness = Int64(86_400)

    /// The octets of a notification's content, for its recipients and for services; 404 for everybody else.
    func readContent(_ request: APIRequest) async throws -> HTTPResponse {
        try request.checkQuery("expires", "hub", "signature")
        let reference = try request.notificationReference()
        let access = try await access(request, reference)
        let question = ContentLookup.Question(notification: reference, device: access.caller?.device?.key)
        guard let content = try await contents.find(question, in: access.hub) else { throw Problem.notFound }
        var response = try await response(request.http.head, content, in: access.hub)
        response.add("Cache-Control", "private, max-age=\(min(Self.freshness, access.secondsLeft)), immutable")
        response.add("Vary", "Authorization")
        if let caller = access.caller, let device = caller.device, request.http.method == .get, response.brings {
            contents.fetches.note(content.job, by: device, of: caller, at: clock.now)
        }
        return response
    }

    /// An address for those who send no credentials, good for a day.
    func linkContent(_ request: APIRequest) async throws -> HTTPResponse {
        try request.checkQuery()
        let caller = try request.caller
        let reference = try request.notificationReference()
        let question = ContentLookup.Question(notification: reference, device: caller.device?.key)
        guard let content = try await contents.find(question, in: caller.hub),
            let secrets = try await contents.secrets.secrets(of: caller.hubName)
        else { throw Problem.notFound }
        let end = clock.now + ContentLink.lifetime
        let link = ContentLink(hub: caller.hubName, reference: content.job.description, expires: end.seconds)
        let path = try link.path(signedWith: secrets.primary)
        return .json(.ok, Self.link(contents.publicAddress?.url(path) ?? path, end: Timestamp(seconds: end.seconds)))
    }

    private struct Access {
        let hub: Int32
        /// Nil for somebody with a signed address.
        let caller: Caller?
        var secondsLeft = Int64.max
    }

    private func access(_ request: APIRequest, _ reference: NotificationReference) async throws -> Access {
        guard request.isSigned else {
            try request.checkUnsignedParts()
            let caller = try request.caller
            return Access(hub: caller.hub, caller: caller)
        }
        let failures = authenticator.failures
        try failures.checkMayTry(request.http.head.peer, now: .now)
        let target = request.http.target
        guard let hub = target.firstQueryValue("hub"), let signature = target.firstQueryValue("signature"),
            let expires = target.firstQueryValue("expires").flatMap({ Int64($0) })
        else { throw Problem.badLink }
        let link = ContentLink(hub: hub, reference: reference.description, expires: expires)
        guard let secrets = try await contents.secrets.secrets(of: hub),
            try link.isSigned(signature, with: secrets.all)
        else {
            // A guess, unlike a link that is over: those who make many are stopped as with credentials.
            let refusal = failures.refusal(of: request.http.head.peer, now: .now)
            throw refusal.status == .tooManyRequests ? refusal : Problem.badLink
        }
        let left = expires - clock.now.seconds
        guard left > 0 else { throw Problem.badLink }
        return Access(hub: secrets.hub, caller: nil, secondsLeft: left)
    }

    private func response(
        _ head: HTTPRequestHead,
        _ content: StoredContent,
        in hub: Int32
    ) async throws -> HTTPResponse {
        if let url = content.url {
            var response = HTTPResponse(.seeOther)
            response.add("Location", url)
            return response
        }
        guard let octets = try await contents.octets(of: content, in: hub) else { throw Problem.notFound }
        var response = HTTPResponse.download(
            head,
            contentType: content.type,
            length: UInt64(octets.count),
            tag: EntityTag(Base64URL.encode(content.checksum)),
            content: { octets.body($0) }
        )
        guard response.status != .preconditionFailed else { throw Problem.otherContent }
        // Nothing that was uploaded is run as a page of the hub's.
        let disposition = FileName.disposition(content.name, isShown: ContentType.isShown(content.type))
        response.add("Content-Disposition", disposition)
        response.add("Content-Security-Policy", "default-src 'none'; sandbox; frame-ancestors 'none'")
        response.add("Repr-Digest", "sha-256=:\(Data(content.checksum).base64EncodedString()):")
        return response
    }

    private static func link(_ url: String, end: Timestamp) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("url")
        writer.string(url)
        writer.key("expiresAt")
        writer.string(end.rfc3339)
        writer.endObject()
        return writer.bytes
    }
}

extension APIRequest {
    /// Whether the address itself is the credential.
    var isSigned: Bool { http.target.firstQueryValue("signature") != nil }

    /// Refuses what cannot be part of a signed address, where a credential counts instead of it.
    func checkUnsignedParts() throws(Problem) {
        let target = http.target
        _ = try target.text("hub", upTo: JobLimits.hubBytes, else: "This is no hub.", IdentifierRules.isHubName)
        _ = try target.text("expires", upTo: 19, else: "Must be seconds since 1970.") {
            $0.utf8.allSatisfy { (0x30...0x39).contains($0) } && Int64($0) != nil
        }
    }

    /// The notification that the path names; what is no reference names none.
    func notificationReference() throws(Problem) -> NotificationReference {
        guard let text = parameters["id"], let reference = try? NotificationReference(text: text) else {
            throw .notFound
        }
        return reference
    }
}

extension HTTPResponse {
    /// Whether the client gets content, or the address of it.
    fileprivate var brings: Bool { status == .ok || status == .partialContent || status == .seeOther }
}

extension Problem {
    fileprivate static let otherContent = Problem(
        .preconditionFailed,
        "preconditionFailed",
        "The content is not what the conditions of the request say."
    )

    /// The one answer for an address that is forged, changed or over.
    fileprivate static let badLink = Problem(
        .forbidden,
        "badLink",
        "The address is not one that the hub has signed, or its time is over."
    )
}
