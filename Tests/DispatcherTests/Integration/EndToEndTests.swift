import Testing

@testable import Dispatcher

extension BrokerTests {
    @Suite(.timeLimit(.minutes(4))) struct EndToEndTests {
        private static let devices = [
            Device("alice-phone", user: "alice", tags: ["user:alice", "lang:en"]),
            Device("alice-tablet", user: "alice", platform: "fcmV1", tags: ["user:alice", "lang:en", "muted"]),
            Device("bob-phone", user: "bob", platform: "fcmV1", tags: ["user:bob", "lang:fr"]),
            Device("carol-phone", user: "carol", tags: ["user:carol", "lang:fr"], permission: "denied"),
        ]

        /// An audience and the devices that must be accepted.
        private static let audiences: [(to: String, accepted: [String])] = [
            (#"{"tags":"user:alice"}"#, ["alice-phone", "alice-tablet"]),
            (#"{"tags":"user:alice && !muted"}"#, ["alice-phone"]),
            (#"{"tags":"(lang:en || lang:fr) && !user:carol"}"#, ["alice-phone", "alice-tablet", "bob-phone"]),
            (#"{"tags":"$UserId:{bob}"}"#, ["bob-phone"]),
            (#"{"tags":"$InstallationId:{alice-phone}"}"#, ["alice-phone"]),
            (#"{"users":["alice","bob","alice"]}"#, ["alice-phone", "alice-tablet", "bob-phone"]),
            (#"{"installations":["bob-phone","alice-phone"]}"#, ["alice-phone", "bob-phone"]),
            (#"{"tags":"user:alice","platforms":["fcmV1"]}"#, ["alice-tablet"]),
            (#"{"users":["alice"],"platforms":["apns"]}"#, ["alice-phone"]),
            (#"{"tags":"user:nobody"}"#, []),
            (#"{"tags":"nobody || $UserId:{nobody}"}"#, []),
        ]

        @Test("every kind of address reaches exactly its devices")
        func audiences() async throws {
            try await Stage.with { stage in
                try await stage.register(Self.devices)
                let jobs = Self.audiences.map { Job(to: $0.to) }
                try await stage.withWorkers {
                    try await stage.publish(jobs)
                    for (job, audience) in zip(jobs, Self.audiences) {
                        let status = try await stage.finished(job)
                        let deliveries = try await stage.deliveries(job)
                        #expect(deliveries.map(\.installation) == audience.accepted, "\(audience.to)")
                        #expect(deliveries.allSatisfy { $0.state == "accepted" && $0.attempts == 1 })
                        #expect(status.audience == audience.accepted.count)
                        #expect(status.state == "completed")
                    }
                }
                let total = Self.audiences.reduce(0) { $0 + $1.accepted.count }
                let lines = try stage.witness.lines()
                #expect(lines.count == total)
                #expect(Set(lines).count == total)
            }
        }

        @Test("a denied permission is suppressed and never sent")
        func suppressed() async throws {
            try await Stage.with { stage in
                try await stage.register(Self.devices)
                let job = Job(to: #"{"tags":"lang:fr"}"#)
                try await stage.withWorkers {
                    try await stage.publish([job])
                    #expect(try await stage.finished(job).tally == ["audience": 2, "accepted": 1, "suppressed": 1])
                }
                #expect(try stage.witness.counts(of: job.id) == ["bob-phone": 1])
                let carol = try await stage.deliveries(job).last
                #expect(carol?.state == "suppressed" && carol?.attempts == 0 && carol?.reason == "PermissionDenied")
            }
        }

        @Test("a broadcast reaches every registered device and no direct channel")
        func broadcast() async throws {
            try await Stage.with { stage in
                try await stage.register(Self.devices)
                let channels = [1, 2].map { #"{"platform":"apns","token":"ok-direct-\#($0)"}"# }.joined(separator: ",")
                let direct = Job(to: #"{"channels":[\#(channels)]}"#)
                let broadcast = Job(to: #"{"broadcast":true}"#)
                let filtered = Job(to: #"{"broadcast":true,"platforms":["fcmV1"]}"#)
                try await stage.withWorkers {
                    try await stage.publish([direct])
                    #expect(try await stage.finished(direct).tally == ["audience": 2, "accepted": 2])
                    try await stage.publish([broadcast, filtered], lane: .bulk)
                    let tally = try await stage.finished(broadcast).tally
                    #expect(tally == ["audience": 4, "accepted": 3, "suppressed": 1])
                    #expect(try await stage.finished(filtered).tally == ["audience": 2, "accepted": 2])
                }
                #expect(try await stage.deliveries(broadcast).map(\.installation) == Self.devices.map(\.id))
                try await stage.expectQuiet()
            }
        }

        @Test("native content goes out as it came, to the platforms that it names")
        func native() async throws {
            try await Stage.with { stage in
                try await stage.register(Self.devices)
                let payload = #"{"apns":{"aps":{"content-available":1},"richId":"42"}}"#
                let job = Job(to: #"{"users":["alice"]}"#, content: payload, kind: "native")
                try await stage.withWorkers {
                    try await stage.publish([job])
                    #expect(try await stage.finished(job).tally == ["audience": 2, "accepted": 1, "failed": 1])
                }
                #expect(try stage.witness.counts(of: job.id) == ["alice-phone": 1])
                let tablet = try await stage.deliveries(job).last
                #expect(tablet?.state == "failed" && tablet?.attempts == 0 && tablet?.reason?.isEmpty == false)
            }
        }

        @Test(
            "an audience around the small limit and around the batch limit has exactly its rows",
            arguments: [40, 41, 450, 451, 1_000]
        )
        func sizes(count: Int) async throws {
            try await Stage.with { stage in
                try await stage.registerCrowd(count)
                let job = Job(to: #"{"tags":"crowd"}"#)
                try await stage.withWorkers(2) {
                    try await stage.publish([job])
                    #expect(try await stage.finished(job).tally == ["audience": count, "accepted": count])
                }
                let rows = try await stage.database.count("SELECT count(*) FROM dispatcher.delivery WHERE state = 2")
                #expect(rows == count)
                let counts = try stage.witness.counts(of: job.id)
                #expect(counts.count == count && counts.values.allSatisfy { $0 == 1 })
                try await stage.expectQuiet()
            }
        }

        @Test("the same job a hundred times at two workers is one notification, its devices reached once")
        func sameJob() async throws {
            try await Stage.with { stage in
                try await stage.register(Self.devices)
                let job = Job(to: #"{"users":["alice","bob"]}"#)
                try await stage.withWorkers(2) {
                    for lane in Lane.allCases {
                        try await stage.publish(Array(repeating: job, count: lane == .high ? 34 : 33), lane: lane)
                    }
                    #expect(try await stage.finished(job).tally == ["audience": 3, "accepted": 3])
                    try await stage.expectQuiet()
                }
                #expect(try await stage.database.count("SELECT count(*) FROM dashboard.notifications") == 1)
                #expect(try await stage.database.count("SELECT count(*) FROM dashboard.dead_letters") == 0)
                #expect(try await stage.deliveries(job).count == 3)
                #expect(try stage.witness.counts(of: job.id).values.sorted() == [1, 1, 1])
            }
        }
    }
}
