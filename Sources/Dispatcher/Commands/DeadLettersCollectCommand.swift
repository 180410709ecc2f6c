import DispatchCore

/// Makes `push.dead` and the table of dead letters agree.
struct DeadLettersCollectCommand: Command {
    static let words = ["dead-letters", "collect"]
    static let summary = "make push.dead and the table agree"
    static let help = """
        Usage: dispatcher dead-letters collect [--json]

        Goes through push.dead once. Messages that the broker itself gave up get a row (reason brokerDeadLetter), as do
        those of push.unroutable that no worker has filed yet (reason unroutable). What is replayed or discarded, or there
        twice, is taken out; what is open and missing is put back. The others keep their order. 'replay' and 'discard' do
        the same at their end.

        Environment: DISPATCHER_AMQP_URL, DISPATCHER_DATABASE_URL.
        """

    private let isJSON: Bool

    init(_ arguments: inout ArgumentList) throws(UsageError) {
        isJSON = arguments.flag("--json")
    }

    func run() async throws {
        let outcome = try await DeadLetterDesk.with(try Configuration(.process)) { try await $0.settle() }
        print(DeadLetterReport.outcome(outcome, isJSON: isJSON))
    }
}
