import DispatchCore
import Testing

@testable import Dispatcher

@Suite("Batches that crash workers", .enabled(if: Servers.areAvailable), .timeLimit(.minutes(4)))
struct CrashSuspectTests {
    @Test("the second worker that ends with a batch makes it a suspect, which nobody takes along with others")
    func suspicion() async throws {
        try await CrashWard.with { ward in
            try await ward.addNotification(1)
            let batch = try await ward.addBatch([(1, 3)])
            let left = try await ward.addWorker()
            #expect(try await ward.batches(left).claim(batch) != nil)
            try await WorkerStore(pool: ward.database.pool).leave(left)
            let first = try await ward.crash(with: batch)
            #expect(first.announced.map(\.batch.id) == [batch] && first.findings.isEmpty)
            let second = try await ward.crash(with: batch)
            #expect(second.announced.isEmpty && second.findings.map(\.verdict) == [.suspected])
            let worker = try await ward.addWorker()
            #expect(try await ward.batches(worker).claim(batch) == nil)
            try await ward.database.execute("UPDATE dispatcher.batch SET created_at = now() - interval '1 hour'")
            #expect(try await ward.schedule().findUnannounced().isEmpty)
            #expect(try await ward.suspects(worker).reserve() == batch)
            #expect(try await ward.suspects(try await ward.addWorker()).reserve() == nil, "one worker at a time")
        }
    }

    @Test("what a worker that ended had reserved and not begun is not blamed")
    func reserved() async throws {
        try await CrashWard.with { ward in
            try await ward.addNotification(1)
            let batch = try await ward.addBatch([(1, 1)])
            for _ in 0..<2 { _ = try await ward.crash(with: batch) }
            for _ in 0..<3 {
                let worker = try await ward.addWorker()
                #expect(try await ward.suspects(worker).reserve() == batch)
                #expect(try await ward.crash(worker).findings.map(\.verdict) == [.suspected])
            }
            #expect(try await ward.crashAlone().verdicts == [.struck])
            let leaving = try await ward.addWorker()
            #expect(try await ward.suspects(leaving).reserve() == batch)
            #expect(try await ward.suspects(leaving).beginTrial(batch))
            try await WorkerStore(pool: ward.database.pool).leave(leaving)
            #expect(try await ward.comeThrough() == batch)
            let worker = try await ward.addWorker()
            #expect(try await ward.suspects(worker).reserve() == nil)
            #expect(try await ward.database.count("SELECT count(*) FROM dispatcher.suspect_notification") == 0)
        }
    }

    @Test("a suspect is narrowed down to one device, whose second crash alone ends its delivery", arguments: [nil, 3])
    func narrowing(_ attempt: Int?) async throws {
        try await CrashWard.with { ward in
            for id in 1...3 { try await ward.addNotification(Int64(id)) }
            let batch = try await ward.addBatch([(1, 20), (2, 1), (3, 31)], attempt: attempt)
            for _ in 0..<2 { _ = try await ward.crash(with: batch) }
            #expect(try await ward.crashAlone().verdicts == [.narrowed])
            let number = attempt.map { "\($0)" } ?? ""
            #expect(
                try await ward.shapes() == [
                    ["1,2,3", "20,1,4", "device-1 device-25", number, "1"],
                    ["3", "25", "device-26 device-50", number, "1"], ["3", "2", "device-51 device-52", number, "1"],
                ]
            )
            #expect(try await ward.crashAlone().verdicts == [.narrowed])
            #expect(try await ward.database.count("SELECT count(*) FROM dispatcher.batch") == 4)
            _ = try await ward.comeThrough()
            let (guilty, verdicts) = try await ward.crashAlone()
            #expect(verdicts == [.struck])
            let last = try await ward.crashAlone()
            #expect(last.batch == guilty && last.verdicts == [.isolated])
            let worker = try await ward.addWorker()
            let work = try #require(try await ward.batches(worker).claim(guilty))
            #expect(work.parts.map(\.notification.isQuarantined) == [true])
            #expect(work.parts.flatMap(\.targets).map(\.attempt) == [attempt ?? 1])
            let rendering = BatchRendering(work, now: DatabaseClock().now)
            #expect(rendering.requests.isEmpty && rendering.results.first??.reason == "CrashesWorkers")
            #expect(rendering.results.first??.state == .failed)
        }
    }

    @Test("the rest of a large audience waits for its suspects, and goes on when they have come through")
    func siblings() async throws {
        try await CrashWard.with { ward in
            try await ward.addNotification(1)
            var batches: [Int64] = []
            for place in 0..<3 { batches.append(try await ward.addBatch([(1, 10)], from: 1 + place * 10)) }
            #expect(try await ward.crash(with: batches[0]).findings.isEmpty)
            #expect(try await ward.crash(with: batches[1]).findings.map(\.verdict) == [.suspected])
            let worker = try await ward.addWorker()
            for batch in batches { #expect(try await ward.batches(worker).claim(batch) == nil) }
            try await ward.database.execute("UPDATE dispatcher.batch SET created_at = now() - interval '1 hour'")
            #expect(try await ward.schedule().findUnannounced().isEmpty)
            #expect(try await ward.comeThrough() == batches[1])
            #expect(try await ward.suspects(worker).reserve() == nil)
            #expect(try await ward.schedule().findUnannounced().map(\.batch.id) == [batches[0], batches[2]])
            #expect(try await ward.batches(worker).claim(batches[2]) != nil)
        }
    }

    @Test("two devices without one that came through end the notification, else four", arguments: [false, true])
    func quarantine(_ hasComeThrough: Bool) async throws {
        try await CrashWard.with { ward in
            try await ward.addNotification(1)
            let batch = try await ward.addBatch([(1, 6)])
            let rest = try await ward.addBatch([(1, 50)], from: 50)
            for _ in 0..<2 { _ = try await ward.crash(with: batch) }
            #expect(try await ward.crashAlone().verdicts == [.narrowed])
            if hasComeThrough {
                try await ward.database.execute(
                    """
                    INSERT INTO dispatcher.delivery
                        (notification_id, installation_id, accepted_at, finished_at, state, platform, attempts)
                    VALUES (1, 600, now(), now(), 2, 1, 1)
                    """
                )
            }
            let needed = hasComeThrough ? 4 : 2
            for device in 1...needed {
                #expect(try await ward.crashAlone().verdicts == [.struck])
                let end: [CrashVerdict] = device == needed ? [.isolated, .quarantined] : [.isolated]
                #expect(try await ward.crashAlone().verdicts == end)
            }
            let worker = try await ward.addWorker()
            #expect(try await ward.suspects(worker).reserve() == nil)
            let work = try #require(try await ward.batches(worker).claim(rest))
            #expect(work.parts.map(\.notification.isQuarantined) == [true])
            let shown = "SELECT state, isolated::text FROM dashboard.suspects"
            #expect(try await ward.database.texts(shown) == [["quarantined", "\(needed)"]])
        }
    }

    @Test("a batch of which some was answered is under no suspicion any more")
    func progress() async throws {
        try await CrashWard.with { ward in
            try await ward.addNotification(1)
            let batch = try await ward.addBatch([(1, 2)])
            _ = try await ward.crash(with: batch)
            let worker = try await ward.addWorker()
            let work = try #require(try await ward.batches(worker).claim(batch))
            let shrink = """
                SELECT dispatcher.shrink_batch(\(batch), \(worker), %, ARRAY[1]::int8[], ARRAY[1],
                    (SELECT installation_ids[1:1] FROM dispatcher.batch WHERE id = \(batch)), NULL)
                """
            try await ward.database.execute(shrink.replacing("%", with: "\(work.epoch)"))
            #expect(try await ward.crash(worker).findings.isEmpty)
            #expect(try await ward.crash(with: batch).findings.map(\.verdict) == [.suspected])
        }
    }
}
