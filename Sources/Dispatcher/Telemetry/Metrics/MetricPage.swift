/// Writes metrics as Prometheus reads them (text format 0.0.4).
struct MetricPage: Sendable {
    static let contentType: StaticString = "text/plain; version=0.0.4; charset=utf-8"

    private(set) var text = ""

    /// One value of a metric, under its labels' values.
    struct Sample: Sendable {
        let labels: [String]
        let value: Double

        init(_ labels: [String], _ value: Double) {
            self.labels = labels
            self.value = value
        }

        init(_ labels: [String], _ count: Int) { self.init(labels, Double(count)) }
    }

    mutating func add(_ family: MetricFamily, _ samples: [Sample]) {
        begin(family)
        for sample in samples { write(family.name, Self.pairs(family.labels, sample.labels), sample.value) }
    }

    mutating func add(_ family: MetricFamily, _ value: Double) { add(family, [Sample([], value)]) }

    mutating func add(_ family: MetricFamily, _ count: Int) { add(family, Double(count)) }

    mutating func add(_ family: MetricFamily, _ histograms: [(labels: [String], histogram: LatencyHistogram)]) {
        begin(family)
        for (labels, histogram) in histograms { write(family, Self.pairs(family.labels, labels), histogram) }
    }

    private mutating func write(_ family: MetricFamily, _ pairs: [String], _ histogram: LatencyHistogram) {
        var count = 0
        for (index, found) in histogram.counts.enumerated() {
            count += found
            let bound = index < LatencyHistogram.bounds.count ? Self.number(LatencyHistogram.bounds[index]) : "+Inf"
            write(family.name + "_bucket", pairs + ["le=\"\(bound)\""], Double(count))
        }
        write(family.name + "_sum", pairs, histogram.sum)
        write(family.name + "_count", pairs, Double(count))
    }

    private mutating func begin(_ family: MetricFamily) {
        text += "# HELP \(family.name) \(family.help)\n# TYPE \(family.name) \(family.kind.rawValue)\n"
    }

    private mutating func write(_ name: String, _ pairs: [String], _ value: Double) {
        text += name
        if !pairs.isEmpty { text += "{\(pairs.joined(separator: ","))}" }
        text += " \(Self.number(value))\n"
    }

    private static func pairs(_ names: [String], _ values: [String]) -> [String] {
        zip(names, values).map { "\($0)=\"\(escaped($1))\"" }
    }

    /// Whole numbers without a fraction, so that counts look like counts.
    private static func number(_ value: Double) -> String {
        Int(exactly: value).map { String($0) } ?? String(value)
    }

    private static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == 0x22 || $0 == 0x5C || $0 == 0x0A }) else { return text }
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\\\"
            case "\"": escaped += "\\\""
            case "\n": escaped += "\\n"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
