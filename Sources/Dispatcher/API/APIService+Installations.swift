import Crypto
import DispatchCore
import HTTP

extension APIService {
    func readInstallation(_ request: APIRequest) async throws -> HTTPResponse {
        try request.checkQuery()
        let id = try request.installationID()
        guard let found = try await registrations(request).read(id) else { throw Problem.noInstallation }
        return try request.answer(tag: EntityTag(String(found.version))) {
            .json(.ok, JSONWriter.encode(found.document))
        }
    }

    /// Registers or replaces, by a key or by the device itself; a device that has no secret yet gets one.
    func putInstallation(_ request: APIRequest) async throws -> HTTPResponse {
        try request.checkQuery()
        try request.requireContentType("application/json")
        let id = try request.installationID()
        let caller = try request.caller
        let installation = try InstallationBody(request.http.bytes, id: id, caller: caller).installation
        let secret = try Secret.forDevice()
        let hash = try SHA256.digest(of: Array(secret.utf8))
        let wanted = WantedRegistration(installation: installation, secretHash: hash) { current in
            try request.checkConditions(version: current?.version)
            try caller.checkMayBe(installation, instead: current)
        }
        let change = try await registrations(request).put(wanted)
        let body = Self.registered(id, secret: change.hasNewSecret ? secret : nil)
        var response = HTTPResponse.json(change.isNew ? .created : .ok, body)
        response.add("ETag", EntityTag(String(change.version)).field)
        return response
    }

    /// Changes parts of it, all at once or not at all.
    func patchInstallation(_ request: APIRequest) async throws -> HTTPResponse {
        try request.checkQuery()
        try request.requireContentType("application/json-patch+json", "application/json")
        let id = try request.installationID()
        let caller = try request.caller
        let patch = try InstallationPatch(decoding: request.http.bytes)
        let changed = try await registrations(request).update(id) { current in
            try request.checkConditions(version: current?.version)
            guard let current else { return nil }
            let changed = try patch.applied(to: current.installation)
            try caller.checkMayBe(changed, instead: current)
            return changed
        }
        guard let changed else { throw Problem.noInstallation }
        return Self.document(changed)
    }

    /// Removes it; when it is gone already that is as good.
    func deleteInstallation(_ request: APIRequest) async throws -> HTTPResponse {
        try request.checkQuery()
        let id = try request.installationID()
        _ = try await registrations(request).delete(id) { current in
            try request.checkConditions(version: current?.version)
        }
        return HTTPResponse(.noContent)
    }

    /// Gives the device a new secret; the one before is good until the new one is used.
    func rotateSecret(_ request: APIRequest) async throws -> HTTPResponse {
        try request.checkQuery()
        let id = try request.installationID()
        let secret = try Secret.forDevice()
        let hash = try SHA256.digest(of: Array(secret.utf8))
        guard try await registrations(request).rotateSecret(of: id, hash: hash) else { throw Problem.noInstallation }
        return .json(.created, Self.registered(id, secret: secret))
    }

    private func registrations(_ request: APIRequest) throws(Problem) -> RegistrationStore {
        let caller = try request.caller
        return RegistrationStore(
            pool: pool,
            reads: reads,
            waves: registrationWaves,
            hub: caller.hub,
            hubName: caller.hubName
        )
    }

    private static func document(_ found: StoredInstallation) -> HTTPResponse {
        var response = HTTPResponse.json(.ok, JSONWriter.encode(found.installation.document))
        response.add("ETag", EntityTag(String(found.version)).field)
        return response
    }

    private static func registered(_ id: String, secret: String?) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("installationId")
        writer.string(id)
        if let secret {
            writer.key("secret")
            writer.string(secret)
        }
        writer.endObject()
        return writer.bytes
    }
}

extension Problem {
    static let noInstallation = Problem(.notFound, "notFound", "There is no such installation.")
}

extension Caller {
    /// A device may sign its user out, never in: a service with a key says who uses it.
    ///
    /// A tag `username:…` is as good as a user: what is for that user goes to whoever has it.
    fileprivate func checkMayBe(_ wanted: Installation, instead current: StoredInstallation?) throws(Problem) {
        guard device != nil else { return }
        let own = current?.installation.userID
        // By bytes: what only looks alike is another user.
        func isOwn(_ user: String) -> Bool { own.map { $0.utf8.elementsEqual(user.utf8) } ?? false }
        if let user = wanted.userID, !isOwn(user) {
            throw .forbidden("A device may not set its user; a key with the right to listen may.")
        }
        let held = Set(current?.installation.tags ?? [])
        for tag in wanted.tags where !held.contains(tag) {
            guard let user = tag.userName, !isOwn(user) else { continue }
            throw .forbidden("A device may not take another user's tag; a key with the right to listen may.")
        }
    }
}
