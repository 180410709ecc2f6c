import Foundation
import FoundationXML
import Testing

@testable import DispatchCore

/// What a body looks like to someone else's parser.
enum WireForms {
    /// Whether two readers of JSON take it.
    static func isJSON(_ bytes: [UInt8]) -> Bool {
        (try? JSONParser.parse(bytes)) != nil
            && (try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)) != nil
    }

    /// Whether libxml2 takes it.
    static func isXML(_ bytes: [UInt8]) -> Bool {
        XMLParser(data: Data(bytes)).parse()
    }

    /// What stands in the elements `text`, as libxml2 reads it.
    static func texts(_ bytes: [UInt8]) -> [String] {
        let reader = TextReader()
        let parser = XMLParser(data: Data(bytes))
        parser.delegate = reader
        return parser.parse() ? reader.texts : []
    }

    private final class TextReader: NSObject, XMLParserDelegate {
        var texts: [String] = []
        private var isInside = false

        func parser(
            _ parser: XMLParser,
            didStartElement name: String,
            namespaceURI: String?,
            qualifiedName: String?,
            attributes: [String: String]
        ) {
            isInside = name == "text"
            if isInside { texts.append("") }
        }

        func parser(_ parser: XMLParser, foundCharacters text: String) {
            if isInside, let last = texts.indices.last { texts[last] += text }
        }
    }

    /// The members of the JSON object, none for anything else.
    static func members(_ bytes: [UInt8]) -> [JSONMember] {
        (try? JSONParser.parse(bytes))?.members ?? []
    }

    /// RFC 9110, section 5.5: a field's value has no control characters and no white space around it.
    static func isFieldValue(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } && text.utf8.first != 0x20 && text.utf8.last != 0x20
    }
}

extension PreparedPush {
    /// A request for a device.
    func request(installation: Int64 = 9, channel: String? = nil, topic: String? = "com.example.app") -> PushRequest {
        PushRequest(
            push: self,
            notification: PushExample.job,
            number: NotificationID(rawValue: 7),
            installation: InstallationKey(rawValue: installation),
            installationID: "phone",
            channel: channel ?? Self.channel(on: platform),
            topic: topic,
            attempt: 1
        )
    }

    static func channel(on platform: Platform) -> String {
        switch platform {
        case .browser: #"{"endpoint":"https://push.example.net/v1/abc","p256dh":"BNcR","auth":"tBHI"}"#
        case .wns: "https://wns2.notify.windows.com/?token=abc"
        case .apns, .fcmV1, .adm, .hms: "token:1"
        }
    }

    /// The platform's limit for this push.
    var limit: Int {
        header("apns-push-type") == "voip" ? APNsPushType.voip.payloadLimit : platform.payloadLimit
    }

    /// Whether the body is XML by its own header fields.
    var isXML: Bool { platform == .wns && header("X-WNS-Type") != "wns/raw" }
}
