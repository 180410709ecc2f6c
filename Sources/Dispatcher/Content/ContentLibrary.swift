import DispatchCore
import HTTP
import Postgres

/// The contents of notifications as the API serves them: look-ups in waves, octets from a cache.
struct ContentLibrary: Sendable {
    let budget = SpoolBudget()
    let secrets: LinkSecrets
    let fetches: FetchRecorder
    let publicAddress: PublicAddress?

    /// Uploads in base64 that may be in memory at a time: each takes some 50 MiB for a moment.
    let documents = InFlightBudget(capacity: 2)
    private let cache: ContentCache
    private let lookups: RequestWaves<ContentLookup.Question, StoredContent?>
    private let small: RequestWaves<StoredContent, ContentOctets?>
    private let large: RequestWaves<StoredContent, ContentOctets?>

    /// The most look-ups of a wave, which is one statement.
    private static let lookupLimit = 500
    /// The most contents that a wave reads: small ones into memory, large ones into files.
    private static let smallLimit = 64
    private static let largeLimit = 16

    init(pool: PostgresPool, publicAddress: PublicAddress?, fetches: FetchRecorder) {
        self.publicAddress = publicAddress
        self.fetches = fetches
        secrets = LinkSecrets(pool: pool)
        let cache = ContentCache()
        let loader = ContentLoader(pool: pool, budget: budget)
        let lookup = ContentLookup(pool: pool)
        self.cache = cache
        lookups = RequestWaves(limit: Self.lookupLimit) { hub, questions in
            try await lookup.answers(questions, in: hub)
        }
        small = RequestWaves(limit: Self.smallLimit) { hub, contents in
            let found = try await loader.small(contents, in: hub)
            for (content, octets) in zip(contents, found) {
                if let octets { cache.remember(octets, of: content.id) }
            }
            return found
        }
        // Many that want one file at once wait for the first of them.
        large = RequestWaves(limit: Self.largeLimit) { hub, contents in
            var found: [ContentOctets?] = []
            for content in contents { found.append(try await Self.file(of: content, hub, cache, loader)) }
            return found
        }
    }

    /// What is known of a content; nil where there is none, or the device may not have it.
    func find(_ question: ContentLookup.Question, in hub: Int32) async throws -> StoredContent? {
        try await lookups.answer(question, in: hub)
    }

    /// The octets; nil when the content is gone meanwhile.
    func octets(of content: StoredContent, in hub: Int32) async throws -> ContentOctets? {
        if let octets = cache.octets(of: content.id) { return octets }
        let waves = content.length <= ContentLoader.memoryLimit ? small : large
        return try await waves.answer(content, in: hub)
    }

    private static func file(
        of content: StoredContent,
        _ hub: Int32,
        _ cache: ContentCache,
        _ loader: ContentLoader
    ) async throws -> ContentOctets? {
        if let octets = cache.octets(of: content.id) { return octets }
        if loader.budget.isTight { cache.forgetFiles() }
        let octets = try await loader.large(content, in: hub)
        if let octets { cache.remember(octets, of: content.id) }
        return octets
    }
}
