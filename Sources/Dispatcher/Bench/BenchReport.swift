import DispatchCore

/// The results in a Markdown table, and as JSON.
enum BenchReport {
    static func table(_ results: [BenchResult]) -> String {
        let heading = [
            "| Rendering, one thread | platform | a second, median | range | ns | bytes | allocations |",
            "|---|---|--:|--:|--:|--:|--:|",
        ]
        return (heading + results.map(row)).joined(separator: "\n")
    }

    private static func row(_ result: BenchResult) -> String {
        let range = "\(grouped(result.range.low)) – \(grouped(result.range.high))"
        let allocations = result.allocations.map { tenths($0) } ?? "-"
        let cells = [
            result.work, result.platform ?? "", grouped(result.median), range, grouped(result.nanoseconds),
            String(result.bytes), allocations,
        ]
        return "| " + cells.joined(separator: " | ") + " |"
    }

    static func json(_ results: [BenchResult]) -> String {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("rounds")
        writer.number(RenderBenchmark.rounds)
        writer.key("results")
        writer.beginArray()
        for result in results {
            write(result, to: &writer)
        }
        writer.endArray()
        writer.endObject()
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private static func write(_ result: BenchResult, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("work")
        writer.string(result.work)
        writer.key("platform")
        if let platform = result.platform { writer.string(platform) } else { writer.null() }
        writer.key("perSecond")
        writer.number(Int(result.median))
        writer.key("rates")
        writer.beginArray()
        for rate in result.rates {
            writer.number(Int(rate))
        }
        writer.endArray()
        writer.key("bytes")
        writer.number(result.bytes)
        writer.key("allocations")
        if let allocations = result.allocations { writer.raw(tenths(allocations)) } else { writer.null() }
        writer.endObject()
    }

    /// A whole number with a comma before every third digit from the end.
    private static func grouped(_ value: Double) -> String {
        let digits = String(Int(value))
        return digits.enumerated().reduce(into: "") { text, digit in
            if digit.offset > 0 && (digits.count - digit.offset) % 3 == 0 { text += "," }
            text.append(digit.element)
        }
    }

    private static func tenths(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
