/// Checks everything a worker needs and says what is wrong and what to do.
struct DoctorCommand: Command {
    static let words = ["doctor"]
    static let summary = "check broker, database, schema, clock and libraries"
    static let help = """
        Usage: dispatcher doctor

        Checks the settings, the broker (connection, topology), the database (connection, privileges, schema version,
        partitions, clock), whether both agree on the dead letters, what waits for too long (outbox, erasures), and the
        libraries. Each line says ok or what is wrong and what to do. Exits 1 if something is wrong.

        A server on another machine has to be reached by TLS that verifies it: amqps://, and sslmode=verify-full. Where
        you vouch for the network between, DISPATCHER_UNVERIFIED_TRANSPORT=broker,database lets it pass.

        With DISPATCHER_METRICS_ADDRESS set it asks whoever listens there whether it is ready.

        With DISPATCHER_HTTP_ADDRESS set it also checks what 'dispatcher serve' needs: its settings, the files of its
        certificate, and that the database's user is a member of dispatcher_api. A user that may do nothing else is right
        then: what only workers need is not asked of it.

        Environment: DISPATCHER_AMQP_URL, DISPATCHER_DATABASE_URL, DISPATCHER_HTTP_ADDRESS,
        DISPATCHER_METRICS_ADDRESS, DISPATCHER_UNVERIFIED_TRANSPORT.
        """

    init(_ arguments: inout ArgumentList) throws(UsageError) {}

    func run() async throws {
        let configuration = try Configuration(.process)
        let serves = Environment.process["DISPATCHER_HTTP_ADDRESS"] != nil
        let database = DatabaseCheck(configuration, serves: serves)
        let servers = await BrokerCheck(configuration).run() + database.run()
        let own = LibraryCheck.run() + MetricsCheck.run(configuration) + (serves ? [ServeCheck.run(.process)] : [])
        let findings = await servers + DeadLetterCheck(configuration).run() + own
        for finding in findings { print(finding.line) }
        let wrong = findings.filter { !$0.isGood }.count
        guard wrong == 0 else { throw CommandFailure("\(wrong) checks failed") }
    }
}
