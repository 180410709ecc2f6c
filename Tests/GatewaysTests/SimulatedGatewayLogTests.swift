import DispatchCore
import Foundation
import Gateways
import Testing

@Suite("Simulated gateway's log", .timeLimit(.minutes(4)))
struct SimulatedGatewayLogTests {
    private struct Line: Decodable, Hashable {
        let notificationId: String
        let installationId: String
        let platform: String
        let messageId: String
        let attempt: Int
        let payload: [String: String]
    }

    private func withPath<Result>(_ body: (String) async throws -> Result) async throws -> Result {
        let path = NSTemporaryDirectory() + "simulated-\(UUID().uuidString).jsonl"
        defer { try? FileManager.default.removeItem(atPath: path) }
        return try await body(path)
    }

    private func gateway(_ path: String, _ configuration: SimulatedGateway.Configuration = .perfect) throws
        -> SimulatedGateway
    {
        let log = try SimulatedGatewayLog(path: path)
        return SimulatedGateway(configuration: configuration, log: log, now: { Timestamp(seconds: 0) })
    }

    private func lines(_ path: String) throws -> [Line] {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.hasSuffix("\n"))
        return try text.split(separator: "\n").map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
    }

    @Test("a line says what was accepted, and only that; a body over several lines becomes one")
    func line() async throws {
        try await withPath { path in
            let body = Array("{\n  \"a\":\r\n\"b\"}".utf8)
            let request = PushRequest(
                push: PreparedPush(platform: .fcmV1, bodyHead: body),
                notification: UUIDValue(high: 1, low: 2),
                number: NotificationID(rawValue: 3),
                installation: InstallationKey(rawValue: 4),
                installationID: "phone \"4\"",
                channel: "ok-1",
                attempt: 2
            )
            let exchange = GatewayExchange(count: 3)
            try gateway(path).send([.example("dead-1"), request, .example("retry1-1")], exchange: exchange)
            #expect(exchange.isComplete)
            let expected = Line(
                notificationId: "00000000-0000-0001-0000-000000000002",
                installationId: "phone \"4\"",
                platform: "fcmV1",
                messageId: request.messageID.description,
                attempt: 2,
                payload: ["a": "b"]
            )
            #expect(try lines(path) == [expected])
        }
    }

    @Test("the line is in the file before the answer is given, also with latency")
    func order() async throws {
        try await withPath { path in
            var configuration = SimulatedGateway.Configuration.perfect
            configuration.latency = .fixed(.milliseconds(3))
            let exchange = GatewayExchange(count: 100)
            try gateway(path, configuration).send((0..<100).map { .example("ok-\($0)") }, exchange: exchange)
            _ = await exchange.outcomes(within: .seconds(30))
            #expect(try lines(path).count == 100)
        }
    }

    @Test("four writers with a file each of their own descriptor leave whole lines")
    func writers() async throws {
        try await withPath { path in
            try await withThrowingTaskGroup { group in
                for writer in 0..<4 {
                    let gateway = try gateway(path)
                    group.addTask {
                        for batch in 0..<50 {
                            let first = Int64(writer * 5000 + batch * 100)
                            let requests = (first..<first + 100).map {
                                PushRequest.example("ok-1", size: 200 + Int($0) % 3000, installation: $0)
                            }
                            gateway.send(requests, exchange: GatewayExchange(count: 100))
                        }
                    }
                }
                try await group.waitForAll()
            }
            let found = try lines(path)
            #expect(found.count == 20_000)
            #expect(Set(found.map(\.installationId)).count == 20_000)
        }
    }

    @Test("a file that cannot be opened is an error with path and cause")
    func unopenable() {
        let error = #expect(throws: SimulatedGatewayLog.Failure.self) {
            try SimulatedGatewayLog(path: "/nonexistent/file")
        }
        #expect(error?.description == "open /nonexistent/file: No such file or directory")
    }

    @Test("a push without its line is not accepted, and its reason says why")
    func full() async throws {
        let exchange = GatewayExchange(count: 2)
        try gateway("/dev/full").send([.example("ok-1"), .example("large-1")], exchange: exchange)
        let outcomes = await exchange.outcomes(within: .zero)
        #expect(outcomes[0]?.reason == "write /dev/full: No space left on device")
        #expect(outcomes[1] == .rejected(.init(status: 413, reason: "PayloadTooLarge")))
    }
}
