import Testing

/// All tests with a real server, one after another: two cores do not make fair clocks for all of them at once.
@Suite(.serialized, .timeLimit(.minutes(4)))
struct ServerTests {}
