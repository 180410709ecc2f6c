/// Why bytes are not the XML this program takes, and where.
struct XMLError: Error, Hashable, Sendable {
    /// The byte at which it was noticed, counted from 0.
    let offset: Int

    /// What would have been right, as a phrase that follows "expected"; it quotes nothing of the document.
    let expected: String
}
