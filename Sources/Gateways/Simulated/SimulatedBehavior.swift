import DispatchCore
import Glibc

/// What the simulated gateway does with a request: a pure function of seed, channel and attempt.
struct SimulatedBehavior: Sendable {
    let configuration: SimulatedGateway.Configuration
    private let permanent: [(bound: Double, answer: SimulatedAnswer)]
    private let transient: [(bound: Double, answer: SimulatedAnswer)]

    init(_ configuration: SimulatedGateway.Configuration) {
        self.configuration = configuration
        permanent = Self.bounds([
            (configuration.unregistered, .unregistered),
            (configuration.tooLarge, .tooLarge),
            (configuration.failed, .failed),
        ])
        transient = Self.bounds([
            (configuration.unavailable, .unavailable),
            (configuration.throttled, .throttled(seconds: 1)),
            (configuration.hang, .hang),
        ])
    }

    /// The answer to one request.
    func answer(to request: PushRequest) -> SimulatedAnswer {
        let push = request.push
        guard push.size <= push.platform.payloadLimit else { return .tooLarge }
        if let script = SimulatedScript(channel: request.channel) {
            return Self.answer(script, to: request)
        }
        guard !permanent.isEmpty || !transient.isEmpty else { return .accepted }
        return drawnAnswer(channel: request.channel, attempt: request.attempt)
    }

    /// Whether the attempt is among those that a mode is for.
    func isConcerned(_ request: PushRequest, by mode: SimulatedMode) -> Bool {
        mode.share >= 1 || draw(Self.hash(of: request.channel), salt: 4, attempt: request.attempt) < mode.share
    }

    /// How long the answer to one request takes.
    func latency(channel: String, attempt: Int) -> Duration {
        switch configuration.latency {
        case .none: return .zero
        case .fixed(let latency): return latency
        case .uniform(let range):
            let hash = Self.hash(of: channel)
            let width = Double((range.upperBound - range.lowerBound).microseconds)
            return range.lowerBound + .microseconds(Int64(width * draw(hash, salt: 2, attempt: attempt)))
        case .lognormal(let median, let p99):
            // 2.326 standard deviations lie below the 99th percentile. A draw of 0 would be infinitely quick.
            let sigma = log(Double(p99.microseconds) / Double(median.microseconds)) / 2.326
            let hash = Self.hash(of: channel)
            let first = max(draw(hash, salt: 2, attempt: attempt), 0x1p-53)
            let second = draw(hash, salt: 3, attempt: attempt)
            let normal = sqrt(-2 * log(first)) * cos(2 * .pi * second)
            return .microseconds(Int64(Double(median.microseconds) * exp(sigma * normal)))
        }
    }

    private static func answer(_ script: SimulatedScript, to request: PushRequest) -> SimulatedAnswer {
        let attempt = request.attempt
        return switch script {
        case .accept: .accepted
        case .moved: .moved(to: "ok-" + request.channel.dropFirst("moved-".count))
        case .dead: .unregistered
        case .retry(let times): attempt <= times ? .unavailable : .accepted
        case .after(let seconds): attempt == 1 ? .throttled(seconds: seconds) : .accepted
        case .large: .tooLarge
        case .hang: .hang
        case .deny: .denied
        }
    }

    /// A channel that is dead stays dead; overload is drawn anew for every attempt, among the channels that are left.
    private func drawnAnswer(channel: String, attempt: Int) -> SimulatedAnswer {
        let hash = Self.hash(of: channel)
        if let answer = Self.answer(draw(hash, salt: 0, attempt: 0), in: permanent) { return answer }
        guard !transient.isEmpty else { return .accepted }
        let remaining = 1 - (permanent.last?.bound ?? 0)
        return Self.answer(draw(hash, salt: 1, attempt: attempt) * remaining, in: transient) ?? .accepted
    }

    private static func answer(
        _ draw: Double,
        in bounds: [(bound: Double, answer: SimulatedAnswer)]
    ) -> SimulatedAnswer? {
        bounds.first { draw < $0.bound }?.answer
    }

    private static func bounds(
        _ shares: [(share: Double, answer: SimulatedAnswer)]
    ) -> [(bound: Double, answer: SimulatedAnswer)] {
        var sum = 0.0
        return shares.filter { $0.share > 0 }.map { item in
            sum += item.share
            return (sum, item.answer)
        }
    }

    /// A number in 0..<1, by SplitMix64's finalizer.
    private func draw(_ hash: UInt64, salt: UInt64, attempt: Int) -> Double {
        let own = configuration.seed &* 0xD1B5_4A32_D192_ED03 &+ salt << 32 &+ UInt64(truncatingIfNeeded: attempt)
        return Double(Self.mixed(hash ^ Self.mixed(own)) >> 11) * 0x1p-53
    }

    /// FNV-1a: Swift's own hashing differs from process to process.
    private static func hash(of channel: String) -> UInt64 {
        var channel = channel
        return channel.withUTF8 { bytes in
            bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        }
    }

    private static func mixed(_ word: UInt64) -> UInt64 {
        var word = word &+ 0x9E37_79B9_7F4A_7C15
        word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
        return word ^ word >> 31
    }
}
