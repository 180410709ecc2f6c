import HTTP
import Synchronization

/// What the API counts for its metrics; added to once a request.
final class APITally: Sendable {
    private struct Answer: Hashable {
        let route: String
        let status: Int
    }

    private struct State {
        var answers: [Answer: Int] = [:]
        var times: [String: LatencyHistogram] = [:]
    }

    private let state = Mutex(State())
    let connections = ConnectionTally()

    func add(route: String, status: HTTPStatus, in time: Duration) {
        state.withLock { state in
            state.answers[Answer(route: route, status: status.code), default: 0] += 1
            state.times[route, default: LatencyHistogram()].add(time)
        }
    }

    func write(to page: inout MetricPage) {
        let (answers, times) = state.withLock { ($0.answers, $0.times) }
        page.add(.requests, answers.map { .init([$0.route, String($0.status)], $1) })
        page.add(.requestTime, times.map { ([$0], $1) })
    }
}
