import DispatchCore
import HTTP
import Postgres

extension APIService {
    /// An installation's document at its limits, with room for escapes.
    private static let lineLimit = 256 * 1024

    /// How often the log tells how far an import has come.
    private static let reportInterval = Duration.seconds(10)

    /// Registers what the lines say as they come; those before a line that does not come any more are registered.
    func importInstallations(_ request: APIRequest) async throws -> HTTPResponse {
        try request.checkQuery()
        try request.requireContentType("application/x-ndjson")
        let caller = try request.caller
        var intake = HubImport(pool: pool, hub: caller.hub, hubName: caller.hubName)
        var lines = JSONLines(limit: Self.lineLimit)
        var reported = ContinuousClock.now
        while let piece = try await request.nextPiece() {
            for line in lines.add(piece) { try await intake.add(line) }
            guard ContinuousClock.now - reported > Self.reportInterval else { continue }
            reported = .now
            log.info(
                "import.progress",
                ["hub": caller.hubName, "imported": intake.imported, "rejected": intake.rejected]
            )
        }
        if let line = lines.finish() { try await intake.add(line) }
        try await intake.flush()
        log.info("import.done", ["hub": caller.hubName, "imported": intake.imported, "rejected": intake.rejected])
        return .json(.ok, intake.document)
    }

    /// The installations that a search finds, a line each, in the order of their ids; never a secret.
    func exportInstallations(_ request: APIRequest) async throws -> HTTPResponse {
        try request.checkQuery("user", "tags", "platform")
        let caller = try request.caller
        let pages = InstallationPages(try InstallationSearch(request.http.target), pool: pool, caller: caller)
        let stream = HTTPResponseStream { [log] in
            do {
                return try await pages.next()
            } catch {
                // The client sees a cut connection; why, only the log can tell.
                log.warning("export.failed", ["error": error])
                throw error
            }
        }
        var response = HTTPResponse(.ok, body: .stream(stream))
        response.add("Content-Type", "application/x-ndjson")
        response.add("Content-Disposition", "attachment; filename=\"installations.jsonl\"")
        return response
    }
}

extension APIRequest {
    /// The next piece of a streamed body; nil at its end.
    fileprivate func nextPiece() async throws -> [UInt8]? {
        guard case .stream(let stream) = http.body else { return nil }
        do {
            return try await stream.next()
        } catch .tooLarge {
            throw Problem(.contentTooLarge)
        } catch {
            throw Problem(.badRequest, "interrupted", "The body ended before its end.")
        }
    }
}

extension InstallationPages {
    fileprivate convenience init(_ search: InstallationSearch, pool: PostgresPool, caller: Caller) {
        self.init(search, pool: pool, hub: caller.hub, hubName: caller.hubName)
    }
}
