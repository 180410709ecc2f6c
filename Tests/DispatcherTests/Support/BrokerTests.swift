import Testing

/// The parent of every suite that uses the queues: there is one set of them, so these suites run one after another.
@Suite(.serialized, .enabled(if: Servers.areAvailable)) struct BrokerTests {}
