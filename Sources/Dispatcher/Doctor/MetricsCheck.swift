import DispatchCore

/// What answers at the metrics address, and who could ask it.
enum MetricsCheck {
    /// No finding where no address is set.
    static func run(_ configuration: Configuration) -> [Finding] {
        guard let address = configuration.metricsAddress else { return [] }
        return [reach(address), state(HealthProbe.ask(address, "/health/ready"), address)]
    }

    /// Not loopback may be meant, in a container for example, so it is said and no fault.
    private static func reach(_ address: ListenAddress) -> Finding {
        address.isLoopback
            ? .good("metrics address", "\(address), this machine only")
            : .good(
                "metrics address",
                "\(address), without credentials or TLS: nobody but your monitoring may reach it"
            )
    }

    private static func state(_ answer: HealthProbe.Answer?, _ address: ListenAddress) -> Finding {
        switch answer?.status {
        case nil: .good("health", "nobody answers at \(address) now")
        case 200?: .good("health", "ready")
        case 503?: .wrong("health", "not ready: \(reasons(answer).joined(separator: "; "))")
        case let status?: .wrong("health", "status \(status) at \(address); something else listens there")
        }
    }

    private static func reasons(_ answer: HealthProbe.Answer?) -> [String] {
        guard let answer, let value = try? JSONParser.parse(Array(answer.body.utf8)),
            case .array(let reasons)? = value["reasons"]
        else { return [] }
        return reasons.compactMap(\.string)
    }
}
