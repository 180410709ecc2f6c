import DispatchCore
import Foundation

/// The names of members and the words of enumerations in a schema.
enum SchemaNames {
    static let files = ["send-job", "installation", "category", "receipt", "event"]

    static func read(_ file: String) throws -> Set<String> {
        let url = SchemaFolder.root.appending(path: "schemas/\(file).schema.json")
        var names: Set<String> = []
        collect(try JSONParser.parse(Array(Data(contentsOf: url))), into: &names)
        return names
    }

    /// Whether `name` stands in code, alone or within a longer piece of it.
    static func isNamed(_ name: String, in document: String) -> Bool {
        document.contains("`\(name)`") || document.contains("`\(name):") || isTyped(name, in: document)
    }

    private static func isTyped(_ name: String, in document: String) -> Bool {
        let last = name.split(separator: ".").last.map(String.init) ?? name
        return name.hasPrefix("dispatcher.") && document.contains("`\(last)`")
    }

    static func headings(of text: String) -> Set<String> {
        let titles = text.split(separator: "\n").filter { $0.hasPrefix("#") }.map { line in
            line.drop { $0 == "#" || $0 == " " }.lowercased()
                .filter { $0.isLetter || $0.isNumber || " -_".contains($0) }
                .replacing(" ", with: "-")
        }
        return Set(titles)
    }

    private static func collect(_ value: JSONValue, into names: inout Set<String>) {
        for element in value.elements ?? [] { collect(element, into: &names) }
        for member in value.members ?? [] where member.name != "examples" {
            switch member.name {
            case "properties": names.formUnion((member.value.members ?? []).map(\.name))
            case "enum": names.formUnion((member.value.elements ?? []).compactMap(\.string))
            default: break
            }
            collect(member.value, into: &names)
        }
    }
}
