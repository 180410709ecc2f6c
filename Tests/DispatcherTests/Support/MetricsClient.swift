import DispatchCore
import Foundation
import Testing

@testable import Dispatcher

/// What a process of a test tells at its metrics address.
struct MetricsClient: Sendable {
    let port: UInt16

    /// Finds the port in the log of a program that was started with `DISPATCHER_METRICS_ADDRESS=127.0.0.1:0`.
    init(of program: Program) async throws {
        let isUp = await eventually { program.errors.contains("event=metrics.started port=") }
        try #require(isUp, "\(program.errors)")
        let found = program.errors.firstMatch(of: /metrics.started port=(\d+)/).flatMap { UInt16($0.1) }
        port = try #require(found)
    }

    func ask(_ path: String, _ method: String = "GET") async throws -> APIClient.Answer {
        try await APIClient(port: port).send(method, path)
    }

    /// The reasons of a health report.
    func reasons(_ path: String) async throws -> [String] {
        let value = try JSONParser.parse(Array(try await ask(path).body))
        guard case .array(let reasons)? = value["reasons"] else { return [] }
        return reasons.compactMap(\.string)
    }

    /// Whether `/health/ready` answers with the status, and among its reasons one that has all these words.
    func isReady(_ status: Int, because words: String...) async throws -> Bool {
        let answer = try await ask("/health/ready")
        return answer.status == status && words.allSatisfy { answer.text.contains($0) }
    }

    /// The value of a series, written as on the page.
    func value(_ series: String) async throws -> Double? {
        let page = try await ask("/metrics").text
        for line in page.split(separator: "\n") where line.hasPrefix(series + " ") {
            return Double(line.dropFirst(series.count + 1))
        }
        return nil
    }
}
