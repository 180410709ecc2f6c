import DispatchCore
import Foundation
import Gateways
import Testing

@Suite("Simulated gateway's modes", .timeLimit(.minutes(4)))
struct SimulatedModeTests {
    private static let now = Timestamp(seconds: 1_700_000_000)
    private static let lost = DeliveryOutcome.failed(.init(reason: "ConnectionLost", mayHaveBeenSent: true))

    /// A gateway with a mode file and a log in a folder of their own.
    private struct Place {
        let folder = NSTemporaryDirectory() + "modes-\(UUID().uuidString)/"
        var file: String { folder + "mode.json" }
        var log: String { folder + "accepted.jsonl" }

        func say(_ text: String) throws {
            try Data(text.utf8).write(to: URL(fileURLWithPath: file), options: .atomic)
        }

        func logged() throws -> Int {
            try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").count
        }

        func gateway(_ configuration: String = "perfect") throws -> SimulatedGateway {
            SimulatedGateway(
                configuration: try .init(parsing: configuration),
                log: try SimulatedGatewayLog(path: log),
                modeFile: try SimulatedModeFile(path: file),
                now: { SimulatedModeTests.now }
            )
        }
    }

    private func withPlace(_ body: (Place) async throws -> Void) async throws {
        let place = Place()
        try FileManager.default.createDirectory(atPath: place.folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: place.folder) }
        try await body(place)
    }

    private func outcomes(
        _ requests: [PushRequest],
        from gateway: SimulatedGateway,
        within limit: Duration = .zero
    ) async -> [DeliveryOutcome?] {
        let exchange = GatewayExchange(count: requests.count)
        gateway.send(requests, exchange: exchange)
        return await exchange.outcomes(within: limit)
    }

    private func rejection(_ status: Int, _ reason: String, after seconds: Int? = nil, since: Timestamp? = nil)
        -> DeliveryOutcome
    {
        let pause = seconds.map { Duration.seconds($0) }
        return .rejected(.init(status: status, reason: reason, retryAfter: pause, invalidSince: since))
    }

    @Test("refusals are in the platform's words, beat the channel's prefix and are not logged")
    func refusals() async throws {
        let expected: [(String, DeliveryOutcome)] = [
            (#"{"answer": "unavailable"}"#, rejection(503, "ServiceUnavailable")),
            (#"{"answer": "unavailable", "retryAfter": 4}"#, rejection(503, "ServiceUnavailable", after: 4)),
            (#"{"answer": "throttled"}"#, rejection(429, "TooManyRequests", after: 1)),
            (#"{"answer": "throttled", "retryAfter": 9}"#, rejection(429, "TooManyRequests", after: 9)),
            (
                #"{"answer": "throttled", "retryAfter": "Tue, 14 Nov 2023 22:13:50 GMT"}"#,
                rejection(429, "TooManyRequests", after: 30)
            ),
            (#"{"answer": "refuse"}"#, rejection(403, "InvalidProviderToken")),
            (#"{"answer": "dead"}"#, rejection(410, "Unregistered", since: Self.now)),
            (#"{"answer": "drop"}"#, Self.lost),
        ]
        try await withPlace { place in
            for (mode, outcome) in expected {
                try place.say(#"{"apns": \#(mode)}"#)
                let found = await outcomes([.example("ok-1"), .example("x")], from: try place.gateway())
                #expect(found == [outcome, outcome], "\(mode)")
            }
            #expect(try place.logged() == 0)
        }
    }

    @Test("what hangs is never answered and never logged")
    func hang() async throws {
        try await withPlace { place in
            try place.say(#"{"*": {"answer": "hang"}}"#)
            let found = await outcomes([.example("ok-1"), .example("ok-2")], from: try place.gateway())
            #expect(found == [nil, nil])
            #expect(try place.logged() == 0)
        }
    }

    @Test("a push that is taken before its connection breaks is in the log, one that is refused is not")
    func acceptThenDrop() async throws {
        try await withPlace { place in
            try place.say(#"{"*": {"answer": "accept-then-drop"}}"#)
            let requests = [PushRequest.example("ok-1"), .example("dead-2"), .example("hang-3"), .example("x")]
            #expect(await outcomes(requests, from: try place.gateway()) == [Self.lost, Self.lost, nil, Self.lost])
            #expect(try place.logged() == 2)
        }
    }

    @Test("a platform's own mode beats that of all; ok is the usual")
    func platforms() async throws {
        try await withPlace { place in
            try place.say(#"{"fcmV1": {"answer": "ok"}, "*": {"answer": "drop"}}"#)
            let requests = [PushRequest.example("dead-1", platform: .fcmV1), .example("x", platform: .wns)]
            let found = await outcomes(requests, from: try place.gateway())
            #expect(found == [rejection(404, "UNREGISTERED"), Self.lost])
        }
    }

    @Test("a share is met, the same way every time")
    func share() async throws {
        try await withPlace { place in
            try place.say(#"{"*": {"answer": "unavailable", "share": 0.3}}"#)
            let requests = (0..<10_000).map { PushRequest.example("token-\($0)") }
            let found = await outcomes(requests, from: try place.gateway("seed=7"))
            let share = Double(found.count { $0 != .accepted(gatewayID: nil) }) / 10_000
            #expect(abs(share - 0.3) < 0.02, "\(share)")
            #expect(await outcomes(requests, from: try place.gateway("seed=7")) == found)
            #expect(await outcomes(requests, from: try place.gateway("seed=8")) != found)
        }
    }

    @Test("a mode's latency holds for all answers of its platform")
    func latency() async throws {
        try await withPlace { place in
            try place.say(#"{"apns": {"answer": "unavailable", "share": 0, "latencyMs": 30}}"#)
            let gateway = try place.gateway()
            let start = ContinuousClock.now
            let found = await outcomes([.example("ok-1")], from: gateway, within: .seconds(30))
            #expect(found == [.accepted(gatewayID: nil)])
            #expect(ContinuousClock.now - start >= .milliseconds(30))
        }
    }

    @Test("the file is followed while the gateway runs; half a file changes nothing, none ends the trouble")
    func following() async throws {
        try await withPlace { place in
            let gateway = try place.gateway()
            func found() async throws -> DeliveryOutcome? {
                // A look a tenth of a second after the last one, at the latest.
                try await Task.sleep(for: .milliseconds(120))
                return await outcomes([.example("x")], from: gateway)[0]
            }
            #expect(try await found() == .accepted(gatewayID: nil))
            try place.say(#"{"apns": {"answer": "refuse"}}"#)
            #expect(try await found() == rejection(403, "InvalidProviderToken"))
            try place.say(#"{"apns": {"ans"#)
            #expect(try await found() == rejection(403, "InvalidProviderToken"))
            try place.say("{\"*\": {\"answer\": \"drop\"}}\n{\"apns\": {\"answer\": \"unavailable\"}}\n")
            #expect(try await found() == rejection(503, "ServiceUnavailable"))
            try FileManager.default.removeItem(atPath: place.file)
            #expect(try await found() == .accepted(gatewayID: nil))
        }
    }

    @Test(
        "a mistake is named",
        arguments: [
            ("[]", "an array", "an object"), (#"{"ios": {"answer": "ok"}}"#, "ios", "unknown platform"),
            (#"{"*": {}}"#, "answer", "accept-then-drop"), (#"{"*": {"answer": "maybe"}}"#, "answer", "one of ok"),
            (#"{"*": {"answer": "ok", "share": 2}}"#, "share", "from 0 to 1"),
            (#"{"*": {"answer": "ok", "latencyMs": "5"}}"#, "latencyMs", "from 0 to"),
            (#"{"*": {"answer": "ok", "retryAfter": -1}}"#, "retryAfter", "whole seconds"),
            (#"{"*": {"answer": "ok", "retryAfter": "soon"}}"#, "retryAfter", "whole seconds"),
            (#"{"*": {"answer": "ok", "sahre": 1}}"#, "sahre", "unknown member"), ("", "modes", "no JSON"),
            ("{}\n{", "modes", "no JSON"),
        ]
    )
    func mistakes(text: String, item: String, reason: String) {
        let error = #expect(throws: SimulatedGateway.ConfigurationError.self) {
            try SimulatedModes(parsing: Array(text.utf8))
        }
        #expect(error?.item == item)
        #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "no error")")
    }
}
