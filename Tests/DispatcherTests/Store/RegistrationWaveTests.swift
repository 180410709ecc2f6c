import DispatchCore
import Postgres
import Testing

@testable import Dispatcher

extension BrokerTests {
    @Suite(.timeLimit(.minutes(4))) struct RegistrationWaveTests {
        private struct Refused: Error {}

        /// Connections as the API has them.
        private func pool(_ stage: Stage) throws -> PostgresPool {
            var configuration = try PostgresConfiguration(url: stage.database.url, applicationName: "DispatcherTests")
            configuration.sessionSettings = ["role": "dispatcher_api"]
            return PostgresPool(configuration: configuration, size: 4)
        }

        private func hub(_ name: String, _ stage: Stage) async throws -> Int32 {
            try await stage.database.execute(
                "INSERT INTO dispatcher.hub (name) VALUES ('\(name)') ON CONFLICT DO NOTHING"
            )
            return Int32(try await stage.database.count("SELECT id FROM dispatcher.hub WHERE name = '\(name)'"))
        }

        private func wanted(
            _ id: String,
            _ channel: String,
            hub: String = "default",
            decide: @escaping @Sendable (StoredInstallation?) throws -> Void = { _ in }
        ) throws -> WantedRegistration {
            let json = #"{"installationId":"\#(id)","hub":"\#(hub)","platform":"apns","pushChannel":"\#(channel)"}"#
            let hash = (0..<32).map { _ in UInt8.random(in: 0 ... .max) }
            let installation = try Installation(decoding: Array(json.utf8))
            return WantedRegistration(installation: installation, secretHash: hash, decide: decide)
        }

        private func rows(_ hub: Int32, _ stage: Stage) async throws -> [[String]] {
            try await stage.database.texts(
                """
                SELECT i.installation_id, i.push_channel, (i.retired_at IS NULL)::text,
                       coalesce(i.retire_reason, ''), (s.installation IS NOT NULL)::text
                FROM dispatcher.installation i LEFT JOIN dispatcher.device_secret s ON s.installation = i.id
                WHERE i.hub_id = \(hub) ORDER BY 1
                """
            )
        }

        @Test("of a wave each is refused or written for itself, and later ones see earlier ones")
        func wave() async throws {
            try await Stage.with { stage in
                let pool = try pool(stage)
                let hub = try await hub("default", stage)
                _ = try await RegistrationWave.write([wanted("a", "1"), wanted("b", "2")], hub: hub, pool: pool)
                let answers = try await RegistrationWave.write(
                    [
                        // a and b change channels with each other; c is refused; d comes twice; e takes d's channel.
                        wanted("a", "2"), wanted("b", "1"), wanted("c", "3") { _ in throw Refused() },
                        wanted("d", "4") { if $0 != nil { throw Refused() } },
                        wanted("d", "5") { if $0 == nil { throw Refused() } }, wanted("e", "5"),
                    ],
                    hub: hub,
                    pool: pool
                )
                let new = answers.map { try? $0.get().isNew }
                #expect(new == [false, false, nil, true, false, true])
                let secrets = answers.map { try? $0.get().hasNewSecret }
                #expect(secrets == [false, false, nil, true, false, true])
                #expect(
                    try await rows(hub, stage) == [
                        ["a", "2", "true", "", "true"], ["b", "1", "true", "", "true"],
                        ["d", "5", "false", "ChannelTaken", "true"], ["e", "5", "true", "", "true"],
                    ]
                )
                await pool.close()
            }
        }

        @Test("a wave leaves what its registrations leave one by one")
        func equivalence() async throws {
            try await Stage.with { stage in
                let pool = try pool(stage)
                let (together, alone) = (try await hub("together", stage), try await hub("alone", stage))
                for _ in 0..<12 {
                    let chosen = (0..<30).map { _ in ("i\(Int.random(in: 0..<6))", "c\(Int.random(in: 0..<6))") }
                    let wave = try chosen.map { try wanted($0, $1, hub: "together") }
                    let answers = try await RegistrationWave.write(wave, hub: together, pool: pool)
                    var versions: [String: Int64] = [:]
                    for (item, answer) in zip(wave, answers) {
                        let version = try answer.get().version
                        #expect(version > versions[item.installation.id] ?? 0)
                        versions[item.installation.id] = version
                    }
                    for (id, channel) in chosen {
                        let single = try wanted(id, channel, hub: "alone")
                        _ = try await RegistrationWave.write([single], hub: alone, pool: pool)
                    }
                    #expect(try await rows(together, stage) == rows(alone, stage))
                }
                await pool.close()
            }
        }

        @Test("two processes that register the same devices at the same time lock nobody out")
        func twoProcesses() async throws {
            try await Stage.with { stage in
                let pool = try pool(stage)
                let hub = try await hub("default", stage)
                try await withThrowingTaskGroup(of: Int.self) { group in
                    for _ in 0..<4 {
                        group.addTask {
                            var failures = 0
                            for _ in 0..<25 {
                                let chosen = (0..<20).shuffled().map { ("i\($0)", "c\(Int.random(in: 0..<30))") }
                                let wave = try chosen.map { try wanted($0, $1) }
                                do {
                                    _ = try await RegistrationWave.write(wave, hub: hub, pool: pool)
                                } catch let error as PostgresError {
                                    // Another wave has a new channel that this one could not see; it is written anew.
                                    #expect(error.constraint == "installation_channel", "\(error)")
                                    failures += 1
                                } catch is RegistrationStore.Collision {
                                    failures += 1
                                }
                            }
                            return failures
                        }
                    }
                    for try await failures in group { #expect(failures < 25) }
                }
                let live = "SELECT count(*) - count(DISTINCT push_channel) FROM dispatcher.installation"
                #expect(try await stage.database.count(live + " WHERE retired_at IS NULL") == 0)
                #expect(try await stage.database.count("SELECT count(*) FROM dispatcher.installation") == 20)
                await pool.close()
            }
        }

        @Test("a hundred devices at once are all registered, but for the one that is wrong")
        func crowd() async throws {
            try await Stage.with { stage in
                try await stage.withAPI { (api: APIClient) async throws in
                    let statuses = try await withThrowingTaskGroup(of: (Int, APIClient.Answer).self) { group in
                        for number in 0..<100 {
                            let tag = number == 50 ? "ü" : "even:\(number % 2)"
                            let more = #""tags":["\#(tag)","all"],"userId":"user-\#(number)""#
                            group.addTask {
                                let path = "/api/installations/phone-\(number)"
                                return (number, try await api.send("PUT", path, Stage.phone("ok-\(number)", more)))
                            }
                        }
                        return try await group.reduce(into: [Int: APIClient.Answer]()) { $0[$1.0] = $1.1 }
                    }
                    for (number, answer) in statuses {
                        #expect(answer.status == (number == 50 ? 400 : 201), "\(number): \(answer.text)")
                        guard number != 50 else { continue }
                        let device = api.as(.device("phone-\(number)", answer.member("secret") ?? ""))
                        #expect(try await device.send("GET", "/api/installations/phone-\(number)").status == 200)
                    }
                }
            }
        }
    }
}
