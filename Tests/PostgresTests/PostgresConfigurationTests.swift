import Testing

@testable import Postgres

@Suite("PostgresConfiguration")
struct PostgresConfigurationTests {
    @Test("the password is in no text of it")
    func redaction() throws {
        let configuration = try PostgresConfiguration(
            url: "postgresql://app:s3cret@db.example:6432/hub?sslmode=require"
        )
        #expect(configuration.description == "host=db.example port=6432 dbname=hub user=app sslmode=require")
        var dumped = ""
        dump(configuration, to: &dumped)
        #expect(!dumped.contains("s3cret"))
        #expect(!String(reflecting: configuration).contains("s3cret"))
        #expect(configuration.connectionOptions["password"] == "s3cret")
    }

    @Test(
        "what libpq cannot read is refused without repeating it",
        arguments: ["postgresql://a:s3cret@[::1/x", "nonsense=s3cret"]
    )
    func refused(url: String) throws {
        let error = #expect(throws: PostgresError.self) { try PostgresConfiguration(url: url) }
        #expect(error?.kind == .encoding)
        #expect(error.map { $0.debugDescription.contains("s3cret") } == false)
    }

    @Test("the call deadline follows the statement timeout")
    func deadline() throws {
        let configuration = try PostgresConfiguration(url: "host=x", statementTimeout: .seconds(10))
        #expect(configuration.callDeadline == .seconds(15))
        #expect(configuration.sessionSetup.contains("statement_timeout = 10000;"))
    }

    @Test("the URL's keepalives win, our session identity wins")
    func options() throws {
        let url = "host=x keepalives_idle=99 application_name=other"
        let options = try PostgresConfiguration(url: url, applicationName: "hub").connectionOptions
        #expect(options["keepalives_idle"] == "99")
        #expect(options["tcp_user_timeout"] == "5000")
        #expect(options["application_name"] == "hub")
        #expect(options["client_encoding"] == "UTF8")
    }

    @Test(
        "another machine needs verify-full",
        arguments: [
            ("postgresql://127.0.0.1/x", PostgresTransportSecurity.local), ("host=/run/postgresql", .local),
            ("host=localhost,::1", .local), ("postgresql://db/x?sslmode=verify-full", .verified),
            ("postgresql://db/x?sslmode=require", .unverified(sslmode: "require")),
            ("host=127.9.8.7", .local), ("host=127.evil.example", .unverified(sslmode: "prefer")),
            ("host=127.0.0.1.evil.example", .unverified(sslmode: "prefer")), ("host=db hostaddr=127.0.0.1", .local),
            ("host=localhost hostaddr=192.0.2.1", .unverified(sslmode: "prefer")),
            ("host=localhost,db hostaddr=127.0.0.1,", .unverified(sslmode: "prefer")),
            ("host=localhost,db sslmode=verify-ca", .unverified(sslmode: "verify-ca")),
        ]
    )
    func transportSecurity(url: String, expected: PostgresTransportSecurity) throws {
        #expect(try PostgresConfiguration(url: url).transportSecurity == expected)
    }
}
