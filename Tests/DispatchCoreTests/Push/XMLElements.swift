import Foundation
import FoundationXML
import Testing

/// What a reader of another make finds in XML.
final class XMLElements: NSObject, XMLParserDelegate {
    private(set) var names: [String] = []
    private(set) var attributes: [String: [String: String]] = [:]
    private(set) var texts: [String] = []

    init(_ bytes: [UInt8]) throws {
        super.init()
        let parser = XMLParser(data: Data(bytes))
        parser.delegate = self
        try #require(parser.parse(), "\(parser.parserError.map { "\($0)" } ?? "")")
    }

    func parser(
        _ parser: XMLParser,
        didStartElement name: String,
        namespaceURI: String?,
        qualifiedName: String?,
        attributes: [String: String]
    ) {
        names.append(name)
        self.attributes[name] = attributes
        if name == "text" { texts.append("") }
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) {
        guard let last = texts.indices.last else { return }
        texts[last] += text
    }
}
