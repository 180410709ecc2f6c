import Testing

@testable import Dispatcher

extension BrokerTests {
    @Suite(.timeLimit(.minutes(4))) struct HubCommandTests {
        private func run(_ arguments: [String], _ stage: Stage) async throws -> (
            exit: Program.Exit?, output: String, errors: String
        ) {
            try await Program.run(["hubs"] + arguments, environment: stage.environment())
        }

        @Test("hubs are listed, made and set, and workers follow")
        func course() async throws {
            try await Stage.with { stage in
                #expect(try await run(["list"], stage).output == "default\tinbox off\tbadge-sync off\t-\tUTC\n")
                let made = try await run(
                    ["create", "shop", "--apns-topic", "com.example.shop", "--time-zone", "Europe/Paris", "--json"],
                    stage
                )
                #expect(
                    made.output
                        == #"{"name":"shop","inbox":false,"badgeSync":false,"apnsTopic":"com.example.shop","timeZone":"Europe/Paris"}"#
                        + "\n"
                )
                try await stage.register([Device("a1", user: "alice")])
                let job = Job(to: #"{"users":["alice"]}"#)
                try await stage.withWorkers {
                    try await stage.publish([job])
                    _ = try await stage.finished(job)
                    let set = try await run(["set", "default", "--inbox", "on", "--badge-sync", "on"], stage)
                    #expect(set.output == "default\tinbox on\tbadge-sync on\t-\tUTC\n")
                    let isFollowed = await eventually(within: .seconds(20)) {
                        let next = Job(to: #"{"users":["alice"]}"#)
                        try await stage.publish([next])
                        _ = try await stage.finished(next)
                        return try await stage.inboxes(next).count == 1
                    }
                    #expect(isFollowed)
                }
                #expect(try await stage.inboxes(job) == [])
                let unset = try await run(["set", "shop", "--apns-topic", ""], stage)
                #expect(unset.output == "shop\tinbox off\tbadge-sync off\t-\tEurope/Paris\n")
            }
        }

        @Test("what cannot be is refused")
        func refusals() async throws {
            try await Stage.with { stage in
                for (arguments, status) in [
                    (["create", "default"], 1), (["set", "none", "--inbox", "on"], 1), (["set", "default"], 64),
                    (["set", "default", "--time-zone", "Mars/Olympus"], 1), (["create", "x", "--time-zone", ""], 1),
                    (["set", "default", "--inbox", "yes"], 64), (["create", "a b"], 64), (["create"], 64),
                    (["set", "default", "--apns-topic", "a b"], 64), (["list", "x"], 64),
                ] as [([String], Int32)] {
                    let run = try await run(arguments, stage)
                    #expect(run.exit == .status(status), "\(arguments): \(run.errors)")
                }
            }
        }
    }
}
