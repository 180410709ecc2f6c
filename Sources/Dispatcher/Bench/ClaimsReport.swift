import DispatchCore

/// The times of a run as a table, or all of them as JSON for whoever compares runs.
enum ClaimsReport {
    static func table(_ times: ClaimTimes) -> String {
        let heading = ["| what a worker asks | calls | p50 ms | p99 ms |", "|---|--:|--:|--:|"]
        let rows = ClaimStep.allCases.map { step in
            let sorted = (times.samples[step] ?? []).sorted()
            let cells = [step.rawValue, "\(sorted.count)", milliseconds(sorted, 50), milliseconds(sorted, 99)]
            return "| \(cells.joined(separator: " | ")) |"
        }
        return (heading + rows).joined(separator: "\n")
    }

    static func json(_ times: ClaimTimes) -> String {
        var writer = JSONWriter()
        writer.beginObject()
        for step in ClaimStep.allCases {
            writer.key(step.rawValue)
            writer.beginArray()
            for sample in times.samples[step] ?? [] { writer.number(sample) }
            writer.endArray()
        }
        writer.endObject()
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private static func milliseconds(_ sorted: [Int], _ percent: Int) -> String {
        guard !sorted.isEmpty else { return "-" }
        let microseconds = sorted[min(sorted.count - 1, sorted.count * percent / 100)]
        let hundredths = (microseconds + 5) / 10
        let rest = hundredths % 100
        return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
    }
}
