import DispatchCore
import HTTP

/// Typed reading of a query's items; nil where there is none.
extension HTTPTarget {
    /// A text of 1 to `limit` bytes that `isValid` accepts; `detail` says what it is not otherwise.
    func text(
        _ name: String,
        upTo limit: Int,
        else detail: String,
        _ isValid: (String) -> Bool = { _ in true }
    ) throws(Problem) -> String? {
        guard let text = firstQueryValue(name) else { return nil }
        return try Problem.checked(text, upTo: limit, else: detail, at: name, isValid)
    }

    /// A number in digits, from 1 to `greatest`.
    func number(_ name: String, upTo greatest: Int) throws(Problem) -> Int? {
        guard let text = firstQueryValue(name) else { return nil }
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text),
            (1...greatest).contains(number)
        else { throw Problem(.badRequest, "invalidFormat", "Must be from 1 to \(greatest).", path: name) }
        return number
    }
}

extension Problem {
    /// A text of the address, if it has 1 to `limit` bytes and `isValid` accepts it.
    static func checked(
        _ text: String,
        upTo limit: Int,
        else detail: String,
        at path: String,
        _ isValid: (String) -> Bool = { _ in true }
    ) throws(Problem) -> String {
        guard text.utf8.count <= limit else {
            let detail = "Has \(text.utf8.count) bytes; at most \(limit) are allowed."
            throw Problem(.badRequest, "tooLong", detail, path: path)
        }
        guard !text.isEmpty, isValid(text) else { throw Problem(.badRequest, "invalidFormat", detail, path: path) }
        return text
    }
}
