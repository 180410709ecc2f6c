import DispatchCore
import Foundation
import Postgres
import Testing

@testable import Dispatcher

extension BrokerTests {
    /// S11: at a time, by the devices' own clocks, listed and changed until it is sent, cancelled, expired.
    @Suite(.timeLimit(.minutes(4))) struct S11ScheduleTests {
        private static func utc(in seconds: Int) -> String {
            String((DatabaseClock().now + .seconds(seconds)).rfc3339.prefix(19))
        }

        private static func instant(in seconds: Int) -> String { (DatabaseClock().now + .seconds(seconds)).rfc3339 }

        private static func job(_ options: String, title: String = "Good evening", id: String? = nil) -> Job {
            let content = #"{"title":"\#(title)"}"#
            let to = #"{"broadcast":true}"#
            return id.map { Job(to: to, content: content, options: options, id: $0) }
                ?? Job(to: to, content: content, options: options)
        }

        private static func move(_ phone: Phone, to zone: String) async throws {
            let patch = #"[{"op":"add","path":"/timeZone","value":"\#(zone)"}]"#
            #expect(try await phone.app.patch("/api/installations/\(phone.id)", patch).status == 200)
        }

        /// The jobs that the API lists as scheduled, with the given member.
        private static func listed(_ scene: Scene, _ member: String) async throws -> [String: String] {
            let answer = try await scene.backend.send("GET", "/api/jobs?state=scheduled")
            let object = try JSONSerialization.jsonObject(with: answer.body) as? [String: Any]
            let jobs = object?["jobs"] as? [[String: Any]] ?? []
            return jobs.reduce(into: [:]) { $0[$1["id"] as? String ?? ""] = $1[member] as? String ?? "" }
        }

        @Test(
            "by the clock of each phone: those that are due, those that come, and none of those that are cancelled",
            arguments: Door.allCases
        )
        func clocks(_ door: Door) async throws {
            try await Scene.play(door) { scene in
                let tokyo = try await scene.phone("tokyo", user: "tomoko")
                let london = try await scene.phone("greenwich", user: "gwen")
                let midway = try await scene.phone("midway", user: "mia")
                for (phone, zone) in [(tokyo, "Asia/Tokyo"), (london, "Etc/UTC"), (midway, "Pacific/Midway")] {
                    try await Self.move(phone, to: zone)
                }
                let job = Self.job(#"{"timeZone":"device","sendAt":"\#(Self.utc(in: 4))"}"#)
                try await scene.send(job)
                for phone in [tokyo, london] {
                    _ = try await phone.push(of: job.id)
                    try await scene.expect("accepted", of: job.id, on: phone)
                }
                try await london.report("read", job.id)
                try await scene.expect("accepted read", of: job.id, on: london)
                let states = try await scene.stage.database.texts(
                    "SELECT zones[1], state FROM dashboard.local_times WHERE notification_id::text = $1 ORDER BY due_at",
                    [.text(job.id)]
                )
                #expect(states == [["Asia/Tokyo", "begun"], ["Etc/UTC", "begun"], ["Pacific/Midway", "waiting"]])
                #expect(try await scene.backend.send("DELETE", "/api/jobs/\(job.id)").status == 202)
                let status = try await scene.stage.finished(job)
                #expect(status.state == "cancelled" && status.tally == ["audience": 2, "accepted": 2])
                #expect(try midway.pushes().isEmpty)
            }
        }

        @Test(
            "listed and changed until it is due, the new words are sent once; cancelled before it is due, nothing is",
            arguments: Door.allCases
        )
        func changes(_ door: Door) async throws {
            try await Scene.play(door) { scene in
                let phone = try await scene.phone("phone", user: "alice")
                try await Self.move(phone, to: "Asia/Tokyo")
                let tonight = Self.utc(in: 86_400)
                let job = Self.job(#"{"timeZone":"device","sendAt":"\#(tonight)"}"#)
                let other = Self.job(#"{"sendAt":"\#(Self.instant(in: 3_600))"}"#)
                for each in [job, other] { try await scene.send(each) }
                #expect(await eventually { try await Self.listed(scene, "sendAt").count == 2 })
                #expect(try await Self.listed(scene, "localTime") == [job.id: tonight, other.id: ""])
                // Where the phone is, not where the first clocks on Earth show the time.
                let local = try #require(Timestamp(rfc3339: tonight + "Z"))
                let isByPhone = await eventually {
                    try await Self.listed(scene, "sendAt")[job.id] == (local + .seconds(-9 * 3_600)).rfc3339
                }
                #expect(isByPhone)

                let path = "/api/jobs/\(job.id)"
                let later = Self.job(#"{"timeZone":"device","sendAt":"\#(Self.utc(in: 90_000))"}"#, id: job.id)
                let answer = try await scene.backend.send("PUT", path, String(decoding: later.body, as: UTF8.self))
                #expect(answer.status == 202 && answer.member("state") == "scheduled", "\(answer.text)")
                let now = Self.job(
                    #"{"timeZone":"device","sendAt":"\#(Self.utc(in: 9 * 3_600 + 1))"}"#,
                    title: "Now",
                    id: job.id
                )
                #expect(
                    try await scene.backend.send("PUT", path, String(decoding: now.body, as: UTF8.self)).status == 202
                )
                #expect(try await phone.push(of: job.id).payload["aps"]?["alert"]?["title"]?.string == "Now")
                try await scene.expect("accepted", of: job.id, on: phone)
                #expect(try await scene.stage.finished(job).state == "completed")
                let begun = try await scene.backend.send("PUT", path, String(decoding: later.body, as: UTF8.self))
                #expect(begun.status == 409 && begun.member("code") == "begun", "\(begun.text)")

                let cancel = try await Program.run(["cancel", other.id], environment: scene.stage.environment())
                #expect(cancel.exit == .status(0), "\(cancel.errors)")
                #expect(try await Self.listed(scene, "sendAt").isEmpty)
                #expect(try await scene.stage.database.count("SELECT count(*) FROM dispatcher.plan") == 0)
                #expect(try phone.pushes().count == 1)
            }
        }

        @Test(
            "what is over before a phone's clock shows the time expires there, and is counted",
            arguments: Door.allCases
        )
        func expires(_ door: Door) async throws {
            try await Scene.play(door) { scene in
                let early = try await scene.phone("early", user: "erin")
                let late = try await scene.phone("late", user: "lars")
                try await Self.move(early, to: "Asia/Tokyo")
                try await Self.move(late, to: "Pacific/Midway")
                let end = Self.instant(in: 12)
                let job = Self.job(#"{"timeZone":"device","sendAt":"\#(Self.utc(in: 3_600))","expiresAt":"\#(end)"}"#)
                try await scene.send(job)
                try await scene.expect("accepted", of: job.id, on: early)
                try await scene.expect("expired Expired", of: job.id, on: late)
                let tally = try await scene.stage.finished(job).tally
                #expect(tally == ["audience": 2, "accepted": 1, "expired": 1])
            }
        }

        @Test("from the command line, by the clock of one zone")
        func commandLine() async throws {
            try await Scene.play { scene in
                let phone = try await scene.phone("phone", user: "alice")
                let run = try await Program.run(
                    [
                        "enqueue", "--to", "user:alice", "--title", "Tea", "--send-at", Self.utc(in: 9 * 3_600 + 1),
                        "--time-zone", "Asia/Tokyo",
                    ],
                    environment: scene.stage.environment()
                )
                #expect(run.exit == .status(0), "\(run.errors)")
                _ = try await phone.push(of: run.output.trimmingCharacters(in: .whitespacesAndNewlines))
                for wrong in [
                    ["--send-at", "2026-12-24T18:00:00"], ["--time-zone", "device"],
                    ["--send-at", "2026-12-24T18:00:00Z", "--time-zone", "device"],
                ] {
                    let refused = try await Program.run(
                        ["enqueue", "--to", "user:alice", "--title", "Tea"] + wrong,
                        environment: scene.stage.environment()
                    )
                    #expect(
                        refused.exit == .status(1) && refused.errors.contains("$.options.sendAt"),
                        "\(refused.errors)"
                    )
                }
            }
        }
    }
}
