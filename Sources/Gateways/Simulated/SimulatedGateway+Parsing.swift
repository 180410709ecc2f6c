extension SimulatedGateway {
    /// Why a text is no configuration.
    public struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
        /// The item at fault, as it was written.
        public let item: String

        /// What would have been right.
        public let reason: String

        /// Item and reason in one line.
        public var description: String { "simulated gateway: “\(item)”: \(reason)" }
    }
}

extension SimulatedGateway.Configuration {
    /// Reads `perfect` or `realistic`, or items such as `latency=lognormal:40ms:200ms,unregistered=0.01,seed=7`, or both.
    ///
    /// A preset may only stand first; items after it change it. The shares are `unregistered`, `tooLarge`, `failed`,
    /// `unavailable`, `throttled` and `hang`; latencies are `none`, `fixed:40ms`, `uniform:10ms:50ms` and
    /// `lognormal:MEDIAN:P99`, in `us`, `ms` or `s`.
    public init(parsing text: String) throws(SimulatedGateway.ConfigurationError) {
        self.init()
        var seen: Set<Substring> = []
        for (index, item) in text.split(separator: ",", omittingEmptySubsequences: false).enumerated() {
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 1 {
                self = try Self.preset(item, isFirst: index == 0)
            } else if seen.insert(parts[0]).inserted {
                try set(parts[0], to: parts[1], item: item)
            } else {
                throw .init(item: String(item), reason: "\(parts[0]) is given twice")
            }
        }
        let sum = Self.shares.values.reduce(0) { $0 + self[keyPath: $1] }
        guard sum <= 1 else { throw .init(item: text, reason: "the shares add up to \(sum), which is more than 1") }
    }

    private static var shares: [Substring: WritableKeyPath<Self, Double>] {
        [
            "unregistered": \.unregistered, "tooLarge": \.tooLarge, "failed": \.failed,
            "unavailable": \.unavailable, "throttled": \.throttled, "hang": \.hang,
        ]
    }

    private static func preset(
        _ name: Substring,
        isFirst: Bool
    ) throws(SimulatedGateway.ConfigurationError) -> Self {
        switch name {
        case "perfect" where isFirst: return .perfect
        case "realistic" where isFirst: return .realistic
        case "perfect", "realistic": throw .init(item: String(name), reason: "a preset may only stand first")
        default: throw .init(item: String(name), reason: "expected NAME=VALUE, perfect or realistic")
        }
    }

    private mutating func set(
        _ name: Substring,
        to value: Substring,
        item: Substring
    ) throws(SimulatedGateway.ConfigurationError) {
        if name == "seed" {
            guard let number = UInt64(value) else {
                throw .init(item: String(item), reason: "a seed is a number from 0 to 18446744073709551615")
            }
            seed = number
        } else if name == "latency" {
            latency = try Self.latency(value, item: item)
        } else if let share = Self.shares[name] {
            guard let number = Double(value), (0...1).contains(number) else {
                throw .init(item: String(item), reason: "a share is a number from 0 to 1")
            }
            self[keyPath: share] = number
        } else {
            let names = (Self.shares.keys + ["latency", "seed"]).sorted().joined(separator: ", ")
            throw .init(item: String(item), reason: "unknown name; there are \(names)")
        }
    }

    private static func latency(
        _ text: Substring,
        item: Substring
    ) throws(SimulatedGateway.ConfigurationError) -> Latency {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let durations = parts.dropFirst().map(duration)
        switch (parts[0], durations.count) {
        case ("none", 0): return .none
        case ("fixed", 1): if let fixed = durations[0] { return .fixed(fixed) }
        case ("uniform", 2):
            if let low = durations[0], let high = durations[1], low <= high { return .uniform(low...high) }
        case ("lognormal", 2):
            if let median = durations[0], let p99 = durations[1], .zero < median, median <= p99 {
                return .lognormal(median: median, p99: p99)
            }
        default: break
        }
        throw .init(item: String(item), reason: "expected none, fixed:40ms, uniform:10ms:50ms or lognormal:40ms:200ms")
    }

    /// A whole number of microseconds, milliseconds or seconds, up to an hour.
    private static func duration(_ text: Substring) -> Duration? {
        let units: [(suffix: String, microseconds: Int64)] = [("us", 1), ("ms", 1_000), ("s", 1_000_000)]
        guard let unit = units.first(where: { text.hasSuffix($0.suffix) }) else { return nil }
        guard let number = Int64(text.dropLast(unit.suffix.count)), (0...3_600_000_000).contains(number) else {
            return nil
        }
        let microseconds = number * unit.microseconds
        return microseconds <= 3_600_000_000 ? .microseconds(microseconds) : nil
    }
}
