import DispatchCore

/// One line of a corpus: a document and what its decoder is to say of it.
///
/// What a schema cannot say has no place in a corpus and is tested with the decoder alone: lengths in bytes where they
/// differ from those in characters; calendar and clock of a time; `sendAt` before `expiresAt`; ids, locales and the like that must differ from one another; the grammar of tag
/// expressions and of templates; the JSON inside of a string; whether a `message_id` agrees; a number above 2^53 given as a text; the size of
/// all templates together.
struct CorpusCase: Sendable {
    let schema: CorpusSchema
    let name: String
    let document: JSONValue
    let isValid: Bool
    let code: String?
    let path: String?

    init(_ schema: CorpusSchema, line: String) throws {
        let value = try JSONParser.parse(Array(line.utf8))
        guard let name = value["name"]?.string, let document = value["document"],
            case .bool(let isValid)? = value["valid"]
        else { throw Malformed(line: line) }
        self.schema = schema
        self.name = name
        self.document = document
        self.isValid = isValid
        code = value["code"]?.string
        path = value["path"]?.string
        guard isValid == (code == nil), isValid == (path == nil) else { throw Malformed(line: line) }
    }

    struct Malformed: Error {
        let line: String
    }
}
