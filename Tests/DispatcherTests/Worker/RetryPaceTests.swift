import Foundation
import Testing

@testable import Dispatcher

@Suite("The pace of retries") struct RetryPaceTests {
    private let start = ContinuousClock.now

    @Test("10,000 due at once are spread over seconds, none of which has more than the rate and a quarter")
    func spread() {
        var pace = RetryPace(rate: 2_000, now: start)
        var left = 10_000
        var taken = Array(repeating: 0, count: 20)
        for tick in 0..<80 {
            let count = min(pace.allowed(start + .milliseconds(250 * tick)), left)
            pace.spend(count)
            left -= count
            taken[tick / 4] += count
        }
        #expect(left == 0)
        #expect(taken.allSatisfy { $0 <= 2_500 })
        #expect(taken.filter { $0 > 0 }.count >= 4)
    }

    @Test("a long pause saves up no more than a quarter of a second")
    func burst() {
        var pace = RetryPace(rate: 2_000, now: start)
        #expect(pace.allowed(start + .seconds(3_600)) == 500)
        pace.spend(500)
        #expect(pace.allowed(start + .seconds(3_600)) == 0)
        #expect(pace.allowed(start + .seconds(3_600) + .milliseconds(100)) == 200)
    }

    @Test("more taken than allowed is made up for")
    func debt() {
        var pace = RetryPace(rate: 100, now: start)
        pace.spend(75)
        #expect(pace.allowed(start + .milliseconds(250)) <= 0)
        #expect(pace.allowed(start + .milliseconds(750)) == 25)
    }

    @Test("the slowest rate still lets one go in a second")
    func slow() {
        var pace = RetryPace(rate: 1, now: start)
        #expect(pace.allowed(start) == 1)
        pace.spend(1)
        #expect(pace.allowed(start + .milliseconds(900)) == 0)
        #expect(pace.allowed(start + .milliseconds(1_000)) == 1)
    }

    @Test("the rate is the environment's", arguments: [nil, "1", "100000"])
    func configured(text: String?) throws {
        let environment = Environment(text.map { ["DISPATCHER_RETRY_RATE": $0] } ?? [:])
        #expect(try Configuration(environment).retryRate == Int(text ?? "2500"))
    }

    @Test("the operations manual shows the usual rate")
    func manual() throws {
        let file = (0..<4).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
        let text = try String(contentsOf: file.appending(path: "docs/operations.md"), encoding: .utf8)
        #expect(text.contains("\n| release rate | \(RetryPace.usual) |"))
    }

    @Test("a rate that is none is refused", arguments: ["0", "100001", "many"])
    func wrong(text: String) {
        #expect(throws: ConfigurationError.self) {
            try Configuration(Environment(["DISPATCHER_RETRY_RATE": text]))
        }
    }
}
