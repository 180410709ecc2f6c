import Testing

@testable import AMQP

@Suite("AMQPEndpoint")
struct AMQPEndpointTests {
    @Test("all parts are read and percent-decoded")
    func allParts() throws {
        let endpoint = try AMQPEndpoint(url: "amqp://al%69ce:p%40ss%3Aw@broker.local:5673/tenant%2Fone?heartbeat=7")
        #expect(endpoint.user == "alice")
        #expect(endpoint.password == "p@ss:w")
        #expect(endpoint.host == "broker.local")
        #expect(endpoint.port == 5673)
        #expect(endpoint.virtualHost == "tenant/one")
        #expect(endpoint.tuning.heartbeat == 7)
        #expect(!endpoint.usesTLS)
    }

    @Test("missing parts have the protocol's defaults", arguments: ["amqp://host", "amqp://host/", "amqp://host/%2F"])
    func defaults(url: String) throws {
        let endpoint = try AMQPEndpoint(url: url)
        #expect(endpoint.user == "guest")
        #expect(endpoint.password == "guest")
        #expect(endpoint.port == 5672)
        #expect(endpoint.virtualHost == "/")
    }

    @Test("amqps brings its port and the system's authorities")
    func tls() throws {
        let endpoint = try AMQPEndpoint(url: "amqps://u:p@host")
        #expect(endpoint.usesTLS)
        #expect(endpoint.port == 5671)
        #expect(endpoint.certificateAuthorities == "/etc/ssl/certs/ca-certificates.crt")
    }

    @Test("a client certificate without a user is the login")
    func external() throws {
        let endpoint = try AMQPEndpoint(url: "amqps://host?cacert=/ca.pem&cert=/c.pem&key=/k.pem")
        #expect(endpoint.usesExternalLogin)
        #expect(endpoint.certificateAuthorities == "/ca.pem")
        #expect(endpoint.clientCertificate == "/c.pem")
        #expect(endpoint.clientKey == "/k.pem")
    }

    @Test("an IPv6 address stands in brackets")
    func addressInBrackets() throws {
        let endpoint = try AMQPEndpoint(url: "amqp://[::1]:5680/v")
        #expect(endpoint.host == "::1")
        #expect(endpoint.port == 5680)
    }

    @Test(
        "what cannot be used is refused without repeating it",
        arguments: [
            "", "host", "http://secret@host", "amqp://", "amqp://u:secret@", "amqp://secret@host:0",
            "amqp://secret@host:70000",
            "amqp://secret@host:x", "amqp://secret%4@host", "amqp://secret%zz@host", "amqp://secret%00@host",
            "amqp://secret@host/a/b", "amqp://secret@host?verify=none", "amqp://secret@host?heartbeat=0",
            "amqp://secret@[::1", "amqps://secret@host?cert=/c", "amqp://secret@host?cert=/c&key=/k",
            "amqp://secret#x@host",
        ]
    )
    func refused(url: String) {
        let error = #expect(throws: AMQPError.self) { try AMQPEndpoint(url: url) }
        #expect(error?.code == .invalidURL)
        #expect(error?.description.contains("secret") == false)
    }

    @Test("no printed form shows the password")
    func redaction() throws {
        let endpoint = try AMQPEndpoint(url: "amqp://user:hunter2@host/v")
        var dumped = ""
        dump(endpoint, to: &dumped)
        for text in ["\(endpoint)", String(reflecting: endpoint), String(describing: Optional(endpoint)), dumped] {
            #expect(!text.contains("hunter2"))
        }
        #expect(endpoint.description == "amqp://user@host:5672/v")
    }
}
