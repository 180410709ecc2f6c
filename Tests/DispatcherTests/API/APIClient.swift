import Crypto
import Foundation
import Testing

@testable import Dispatcher

/// Sends requests to a server of the test, as one caller or another.
struct APIClient: Sendable {
    enum Identity: Sendable {
        case nobody
        case key(String, String)
        case device(String, String)
        case bearer(String)
        case field(String)
    }

    struct Answer: Sendable {
        let status: Int
        let headers: [String: String]
        let body: Data

        /// Reads a whole response; nil when it is none.
        init?(_ response: [UInt8]) {
            guard let end = Data(response).range(of: Data("\r\n\r\n".utf8)) else { return nil }
            let lines = String(decoding: response[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
            guard let code = lines[0].split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else { return nil }
            status = code
            var fields: [String: String] = [:]
            for line in lines.dropFirst() {
                let parts = line.components(separatedBy: ": ")
                fields[parts[0]] = parts.dropFirst().joined(separator: ": ")
            }
            headers = fields
            body = Data(response[end.upperBound...])
        }

        var text: String { String(decoding: body, as: UTF8.self) }

        subscript(name: String) -> String? {
            headers.first { $0.key.lowercased() == name.lowercased() }?.value
        }

        /// The member of the answer's object, as text.
        func member(_ name: String) -> String? {
            let object = try? JSONSerialization.jsonObject(with: body) as? [String: Any]
            return object?[name].map { "\($0)" }
        }
    }

    let port: UInt16
    var identity = Identity.nobody

    func `as`(_ identity: Identity) -> APIClient { APIClient(port: port, identity: identity) }

    func send(
        _ method: String,
        _ path: String,
        _ body: String? = nil,
        _ headers: [String: String] = [:]
    ) async throws -> Answer {
        try await send(method, path, octets: body.map { Data($0.utf8) }, headers)
    }

    func send(
        _ method: String,
        _ path: String,
        octets body: Data?,
        _ headers: [String: String] = [:]
    ) async throws -> Answer {
        var fields = ["Host": "127.0.0.1:\(port)", "Connection": "close"]
        if let body {
            fields["Content-Type"] = "application/json"
            fields["Content-Length"] = String(body.count)
        }
        if let field = try authorization() { fields["Authorization"] = field }
        fields.merge(headers) { $1 }
        let lines = ["\(method) \(path) HTTP/1.1"] + fields.map { "\($0): \($1)" }
        let request = Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + Array(body ?? Data())
        let response = try await HTTPExchange.run(request, port: port)
        return try #require(Answer(response))
    }

    func patch(_ path: String, _ body: String, _ headers: [String: String] = [:]) async throws -> Answer {
        let type = ["Content-Type": "application/json-patch+json"]
        return try await send("PATCH", path, body, type.merging(headers) { $1 })
    }

    private func authorization() throws -> String? {
        switch identity {
        case .nobody: nil
        case .key(let name, let secret): try Self.token(name, secret, "http://127.0.0.1:\(port)/")
        case .device(let id, let secret): "Basic " + Data("\(id):\(secret)".utf8).base64EncodedString()
        case .bearer(let secret): "Bearer \(secret)"
        case .field(let text): text
        }
    }

    /// A token as Azure's clients make it.
    static func token(_ name: String, _ secret: String, _ address: String, seconds: Int = 300) throws -> String {
        let resource = escaped(address)
        let expiry = Int(Date.now.timeIntervalSince1970) + seconds
        let code = try HMACSHA256.code(of: Array("\(resource)\n\(expiry)".utf8), key: Array(secret.utf8))
        let signature = escaped(Data(code).base64EncodedString())
        return "SharedAccessSignature sr=\(resource)&sig=\(signature)&se=\(expiry)&skn=\(escaped(name))"
    }

    static func escaped(_ text: String) -> String {
        let plain = CharacterSet(charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.~")
        return text.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
    }
}
