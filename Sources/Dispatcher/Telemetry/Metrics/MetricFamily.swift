/// One metric as docs/metrics.md has it: its name, how it counts, what divides it, and what it says.
///
/// Labels take few values, all of them known to the program or the operator: never an id, a user, a token or a text
/// that somebody sent.
struct MetricFamily: Sendable, Equatable {
    enum Kind: String, Sendable {
        case counter
        case gauge
        case histogram
    }

    let name: String
    let kind: Kind
    let labels: [String]
    let help: String

    init(_ name: String, _ kind: Kind, by labels: [String] = [], _ help: String) {
        self.name = name
        self.kind = kind
        self.labels = labels
        self.help = help
    }
}
