import HTTP
import Testing

@testable import Dispatcher

@Suite struct CredentialTests {
    @Test("the second limit refuses everything until the minute is over, and memory stays bounded")
    func failures() {
        let limit = FailureLimit(softLimit: 2, hardLimit: 4)
        let peer = HTTPPeer(octets: [10, 0, 0, 1], port: 1)
        let start = ContinuousClock.now
        for _ in 1...2 { #expect(limit.refusal(of: peer, now: start).status == .unauthorized) }
        #expect(limit.refusal(of: peer, now: start).status == .tooManyRequests)
        #expect(throws: Never.self) { try limit.checkMayTry(peer, now: start) }
        _ = limit.refusal(of: peer, now: start)
        #expect(throws: Problem.self) { try limit.checkMayTry(peer, now: start + .seconds(59)) }
        #expect(throws: Never.self) { try limit.checkMayTry(peer, now: start + .seconds(60)) }
        #expect(limit.refusal(of: peer, now: start + .seconds(61)).status == .unauthorized)
        let neighbour = HTTPPeer(octets: [10, 0, 0, 2], port: 1)
        #expect(limit.refusal(of: neighbour, now: start).status == .unauthorized)
        for number in 0..<20_000 {
            let other = HTTPPeer(octets: [11, 0, UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF)], port: 1)
            #expect(limit.refusal(of: other, now: start).code != "")
        }
        #expect(limit.addressCount <= 10_000)
    }

    @Test("an IPv6 client cannot step aside within its /64")
    func prefixes() {
        let limit = FailureLimit(softLimit: 1, hardLimit: 9)
        let first = HTTPPeer(octets: [0x20, 1, 0, 0, 0, 0, 0, 1] + [UInt8](repeating: 1, count: 8), port: 1)
        let second = HTTPPeer(octets: [0x20, 1, 0, 0, 0, 0, 0, 1] + [UInt8](repeating: 2, count: 8), port: 1)
        #expect(limit.refusal(of: first, now: .now).status == .unauthorized)
        #expect(limit.refusal(of: second, now: .now).status == .tooManyRequests)
    }

    @Test("a signed address covers what is below it, and no path that only begins alike")
    func coverage() throws {
        func covers(_ address: String, _ target: String, host: String = "hub.example:8080") throws -> Bool {
            var headers = HTTPHeaders()
            try headers.add("Host", host)
            let head = HTTPRequestHead(method: .get, target: try HTTPTarget(target), headers: headers)
            return SignedResource(address)?.covers(head) ?? false
        }
        #expect(try covers("https://hub.example", "/api/jobs/1"))
        #expect(try covers("https://HUB.example/API/", "/api/jobs/1?x=1"))
        #expect(try covers("https://hub.example/api/jobs/1?x=%2F", "/api/jobs/1?x=%2f"))
        #expect(try !covers("https://hub.example/api/jobs/1?x=2", "/api/jobs/1?x=1"))
        #expect(try !covers("https://hub.example/api/jobs/1?x=2", "/api/jobs/1"))
        #expect(try !covers("https://hub.example/api/job", "/api/jobs/1"))
        #expect(try !covers("https://hub.example.evil", "/api"))
        #expect(try covers("http://[::1]:80/", "/api", host: "[::1]:8080"))
        #expect(SignedResource("hub.example/api") == nil && SignedResource("https:///x") == nil)
        #expect(SignedResource("ftp://hub.example") == nil)
    }

    @Test("rights are read by name, and none is not a key")
    func rights() {
        #expect(AccessRights(names: "listen,send") == [.listen, .send])
        #expect(AccessRights(names: "manage")?.allows(.send) == true)
        for text in ["", "listen,", "admin", "Listen"] { #expect(AccessRights(names: text) == nil, "\(text)") }
    }

    @Test("the address to listen on is taken apart, and what is none is named")
    func addresses() throws {
        for (text, host, port) in [
            ("127.0.0.1:80", "127.0.0.1", 80), ("[::1]:8443", "::1", 8443), ("0.0.0.0:0", "0.0.0.0", 0),
        ] as [(String, String, UInt16)] {
            let settings = try HTTPSettings(Environment(["DISPATCHER_HTTP_ADDRESS": text]))
            #expect(settings.host == host && settings.port == port)
        }
        for text in ["8080", ":8080", "::1:80", "127.0.0.1:99999", "127.0.0.1:"] {
            #expect(throws: ConfigurationError.self, "\(text)") {
                try HTTPSettings(Environment(["DISPATCHER_HTTP_ADDRESS": text]))
            }
        }
        #expect(throws: ConfigurationError.self) {
            try HTTPSettings(Environment(["DISPATCHER_HTTP_CERTIFICATE": "/etc/hostname"]))
        }
        #expect(throws: ConfigurationError.self) {
            try HTTPSettings(
                Environment(["DISPATCHER_HTTP_CERTIFICATE": "/nowhere", "DISPATCHER_HTTP_KEY": "/nowhere"])
            )
        }
    }
}
