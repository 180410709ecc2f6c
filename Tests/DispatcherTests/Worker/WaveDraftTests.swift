import AMQP
import DispatchCore
import Testing

@testable import Dispatcher

@Suite struct WaveDraftTests {
    private static let now = Timestamp(seconds: 1_800_000_000)

    /// A draft of jobs whose audiences have these sizes.
    private static func draft(_ jobs: [Job], sizes: [Int], existing: [WaveIdentity: [UInt8]] = [:]) throws -> WaveDraft
    {
        let waves = try jobs.enumerated().map { try WorkExample.wave($1, tag: UInt64($0 + 1)) }
        let targets = sizes.map { size in (0..<size).map { WorkExample.target($0 + 1) } }
        let ids = jobs.indices.map { NotificationID(rawValue: Int64(100 + $0)) }
        let resolved = ResolvedWave(targets: targets, existing: existing, ids: ids)
        return WaveDraft(waves, resolved: resolved, queue: "push.jobs.normal", batchLimit: 100, now: now)
    }

    private static func jobs(_ count: Int) -> [Job] { (0..<count).map { _ in Job(to: #"{"tags":"a"}"#) } }

    @Test("small audiences share batches up to the limit, in order")
    func packing() throws {
        let draft = try Self.draft(Self.jobs(6), sizes: [40, 40, 20, 1, 0, 40])
        #expect(draft.accepted.count == 6)
        #expect(draft.batches == [0..<3, 3..<6])
        #expect(draft.rejections.isEmpty)
    }

    @Test("a wave of which nothing is kept writes nothing about inboxes, and one statement however much is")
    func inbox() throws {
        let kept = Job(to: #"{"tags":"a"}"#, options: #"{"inbox":true}"#)
        let late = Job(to: #"{"tags":"a"}"#, options: #"{"inbox":true,"expiresAt":"2020-01-01T00:00:00Z"}"#)
        #expect(try WaveStore.inbox(Self.draft(Self.jobs(3) + [late], sizes: [1, 2, 0, 1]).accepted) == nil)
        #expect(try WaveStore.inbox(Self.draft([kept], sizes: [0]).accepted) == nil)
        // Planned: its rows come with its batches.
        #expect(try WaveStore.inbox(Self.draft([kept], sizes: [LaneProfile.smallAudience + 1]).accepted) == nil)
        #expect(try WaveStore.inbox(Self.draft(Self.jobs(1) + [kept, kept], sizes: [1, 2, 1]).accepted) != nil)
    }

    @Test(
        "copies of a job are one notification and are counted as repeated, those of an earlier wave too; a conflict is not"
    )
    func repeated() throws {
        let job = Self.jobs(1)[0]
        var other = Job(to: #"{"tags":"b"}"#, id: job.id)
        other.messageID = job.id
        let draft = try Self.draft([job, job, job, other], sizes: [1, 1, 1, 1])
        #expect(draft.accepted.count == 1 && draft.repeated == 2 && draft.rejections.count == 1)
        #expect(draft.rejections[0].jobID?.description == job.id)
        let plan = WavePlan(draft, ids: [1], lane: .normal)
        #expect(plan.accepted == 1 && plan.repeated == 2)
    }

    @Test("a wave without any device has no batch")
    func nobody() throws {
        let draft = try Self.draft(Self.jobs(2), sizes: [0, 0])
        #expect(draft.accepted.count == 2 && draft.batches.isEmpty)
        #expect(draft.accepted.allSatisfy { !$0.isPlanned })
    }

    @Test("an audience over the small limit is planned, and its targets are not sent by the wave")
    func large() throws {
        let draft = try Self.draft(Self.jobs(2), sizes: [LaneProfile.smallAudience, LaneProfile.smallAudience + 1])
        #expect(draft.accepted.map(\.isPlanned) == [false, true])
        #expect(draft.accepted[1].targets.isEmpty)
        #expect(draft.batches.count == 1)
    }

    @Test("a broadcast is planned whatever its size; a job for later too, one for the past is not")
    func planned() throws {
        let jobs = [
            Job(to: #"{"broadcast":true}"#),
            Job(to: #"{"tags":"a"}"#, options: #"{"sendAt":"2028-01-01T00:00:00Z"}"#),
            Job(to: #"{"tags":"a"}"#, options: #"{"sendAt":"2020-01-01T00:00:00Z"}"#),
        ]
        #expect(try Self.draft(jobs, sizes: [0, 1, 1]).accepted.map(\.isPlanned) == [true, true, false])
    }

    @Test("the same job again is silently one; with another body it is a conflict, known or in the wave")
    func twice() throws {
        let first = Job(to: #"{"tags":"a"}"#)
        let other = Job(to: #"{"tags":"b"}"#, id: first.id)
        let draft = try Self.draft([first, first, other], sizes: [1, 1, 1])
        #expect(draft.accepted.count == 1)
        #expect(draft.rejections.map(\.reason) == ["conflictingJob"])
        let identity = WaveIdentity(job: try #require(UUIDValue(first.id)), hub: 1)
        let later = try Self.draft([first, other], sizes: [1, 1], existing: [identity: first.body])
        #expect(later.accepted.isEmpty && later.batches.isEmpty)
        #expect(later.rejections.map(\.message.body) == [other.body])
    }

    @Test(
        "the expiry counts from the later of acceptance and sending time",
        arguments: [
            ("{}", 1_800_000_000 + 28 * 86_400),
            (#"{"ttlSeconds":60}"#, 1_800_000_060),
            (#"{"ttlSeconds":0}"#, 1_800_000_010),
            (#"{"sendAt":"2028-01-01T00:00:00Z","ttlSeconds":60}"#, 1_830_297_660),
            (#"{"expiresAt":"2028-01-01T00:00:00Z"}"#, 1_830_297_600),
        ]
    )
    func expiry(options: String, expected: Int64) throws {
        let draft = try Self.draft([Job(to: #"{"tags":"a"}"#, options: options)], sizes: [1])
        #expect(draft.accepted.first?.expiresAt == Timestamp(seconds: expected))
    }
}
