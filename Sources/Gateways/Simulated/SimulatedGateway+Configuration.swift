extension SimulatedGateway {
    /// How the simulated gateway answers channels that no prefix scripts.
    public struct Configuration: Hashable, Sendable {
        /// How long an answer takes.
        public enum Latency: Hashable, Sendable {
            /// None: the answer is there before `send` returns.
            case none

            /// Always the same.
            case fixed(Duration)

            /// Evenly spread.
            case uniform(ClosedRange<Duration>)

            /// Log-normal, given by its median and its 99th percentile.
            case lognormal(median: Duration, p99: Duration)
        }

        /// Two gateways with the same seed answer the same.
        public var seed: UInt64 = 0

        /// How long an answer takes.
        public var latency: Latency = .none

        /// The share of channels that are dead: APNs 410, FCM 404 and so on.
        public var unregistered = 0.0

        /// The share of channels whose payloads are called too large.
        public var tooLarge = 0.0

        /// The share of channels whose pushes are refused for good as malformed.
        public var failed = 0.0

        /// The share of attempts answered as by an overloaded gateway.
        public var unavailable = 0.0

        /// The share of attempts answered as by a gateway whose limit is used up, with `Retry-After: 1`.
        public var throttled = 0.0

        /// The share of attempts that are never answered.
        public var hang = 0.0

        /// Accepts everything at once.
        public static let perfect = Configuration()

        /// What a large, well-kept audience meets on a good day.
        public static let realistic: Configuration = {
            var configuration = Configuration()
            configuration.latency = .lognormal(median: .milliseconds(40), p99: .milliseconds(200))
            configuration.unregistered = 0.01
            configuration.unavailable = 0.005
            configuration.throttled = 0.002
            configuration.failed = 0.0005
            return configuration
        }()

        /// Starts from `perfect`.
        public init() {}
    }
}
