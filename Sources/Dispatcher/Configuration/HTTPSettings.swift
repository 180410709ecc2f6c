import FoundationEssentials
import HTTP

/// Where `dispatcher serve` listens.
struct HTTPSettings: Sendable {
    let host: String
    let port: UInt16
    let transportSecurity: HTTPTransportSecurity?
    /// The most connections at a time, of all clients and of one address; the latter nil for no limit of its own.
    let connections: Int
    let connectionsPerAddress: Int?

    init(_ environment: Environment) throws(ConfigurationError) {
        let address = environment["DISPATCHER_HTTP_ADDRESS"] ?? "127.0.0.1:8080"
        guard let listening = ListenAddress(address) else {
            throw ConfigurationError(
                variable: "DISPATCHER_HTTP_ADDRESS",
                reason: "takes a numeric address and a port, such as 127.0.0.1:8080 or [::]:8080"
            )
        }
        host = listening.host
        port = listening.port
        transportSecurity = try Self.transportSecurity(environment)
        let connections = try Configuration.integer("DISPATCHER_HTTP_CONNECTIONS", in: 16...100_000, from: environment)
        self.connections = connections ?? HTTPServerConfiguration().connectionLimit
        connectionsPerAddress = try Configuration.integer(
            "DISPATCHER_HTTP_CONNECTIONS_PER_ADDRESS",
            in: 1...100_000,
            from: environment
        )
    }

    /// The server's configuration with these settings.
    var server: HTTPServerConfiguration {
        var server = HTTPServerConfiguration()
        server.host = host
        server.port = port
        server.transportSecurity = transportSecurity
        server.connectionLimit = connections
        server.connectionsPerAddressLimit = connectionsPerAddress ?? 0
        return server
    }

    private static func transportSecurity(
        _ environment: Environment
    ) throws(ConfigurationError) -> HTTPTransportSecurity? {
        let certificate = try file("DISPATCHER_HTTP_CERTIFICATE", environment)
        let key = try file("DISPATCHER_HTTP_KEY", environment)
        switch (certificate, key) {
        case (nil, nil): return nil
        case (let certificate?, let key?): return HTTPTransportSecurity(certificate: certificate, privateKey: key)
        case (nil, _?), (_?, nil):
            let missing = certificate == nil ? "DISPATCHER_HTTP_CERTIFICATE" : "DISPATCHER_HTTP_KEY"
            throw ConfigurationError(variable: missing, reason: "is missing; certificate and key go together")
        }
    }

    private static func file(_ variable: String, _ environment: Environment) throws(ConfigurationError) -> [UInt8]? {
        guard let path = environment[variable] else { return nil }
        guard let data = try? Data(contentsOf: URL(filePath: path)) else {
            throw ConfigurationError(variable: variable, reason: "names a file that cannot be read")
        }
        return Array(data)
    }
}
