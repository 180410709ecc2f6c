/// Checks everything a worker needs and says what is wrong and what to do.
struct DoctorCommand: Command {
    static let words = ["doctor"]
    static let summary = "check broker, database, schema, clock and libraries"
    static let help = """
        Usage: dispatcher doctor

        Checks the settings, the broker (connection, topology), the database (connection, privileges, schema version,
        partitions, clock), whether both agree on the dead letters, and the libraries. Each line says ok or what is
        wrong and what to do. Exits 1 if something is wrong.

        Environment: DISPATCHER_AMQP_URL, DISPATCHER_DATABASE_URL.
        """

    init(_ arguments: inout ArgumentList) throws(UsageError) {}

    func run() async throws {
        let configuration = try Configuration(.process)
        let servers = await BrokerCheck(configuration).run() + DatabaseCheck(configuration).run()
        let findings = await servers + DeadLetterCheck(configuration).run() + LibraryCheck.run()
        for finding in findings { print(finding.line) }
        let wrong = findings.filter { !$0.isGood }.count
        guard wrong == 0 else { throw CommandFailure("\(wrong) checks failed") }
    }
}
