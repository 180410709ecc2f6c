import DispatchCore
import Foundation
import Testing

@testable import Dispatcher

extension BrokerTests {
    /// Contents that jobs bring themselves.
    @Suite(.timeLimit(.minutes(4))) struct RichContentTests {
        private static let picture = #"{"type":"image/gif","data":"R0lGODlhAQABAAAAACw=","name":"dot.gif"}"#

        private func finish(_ jobs: [Job], in stage: Stage, _ changes: [String: String] = [:]) async throws {
            try await stage.withWorkers(1, changes) {
                try await stage.publish(jobs)
                for job in jobs { _ = try await stage.finished(job) }
            }
        }

        @Test("a job's content is stored with its notification, and the push carries the hub's number")
        func stored() async throws {
            try await Stage.with { stage in
                try await stage.register([Device("phone", user: "alice")])
                let rich = #"{"rich":{"message":"m","type":"img","content":\#(Self.picture)}}"#
                let job = Job(to: #"{"users":["alice"]}"#, content: rich)
                let plain = Job(to: #"{"users":["alice"]}"#)
                try await finish([job, plain, job], in: stage)
                let rows = try await stage.database.texts(
                    """
                    SELECT c.job_id::text, c.length::text, c.media_type, c.file_name, encode(k.bytes, 'hex'),
                           (c.checksum = sha256(k.bytes))::text, (c.published_at IS NOT NULL)::text
                    FROM dispatcher.content c JOIN dispatcher.content_chunk k ON k.content_id = c.id
                    """
                )
                let bytes = "47494638396101000100000000" + "2c"
                #expect(rows == [[job.id, "14", "image/gif", "dot.gif", bytes, "true", "true"]])
                let payload = try #require(try stage.payloads(of: job.id)["phone"])
                let number = try await stage.number(of: job.id)
                #expect(payload["richId"] == .number(JSONNumber(number)))
                #expect(payload["richMessage"] == .string("m") && payload["richType"] == .string("img"))
                #expect(
                    payload["aps"] == .object([JSONMember(name: "content-available", value: .number(JSONNumber(1)))])
                )
            }
        }

        @Test("waves of many jobs store what each brings")
        func wave() async throws {
            try await Stage.with { stage in
                try await stage.register([Device("phone", user: "alice")])
                let jobs = (0..<200).map { number in
                    let data = Data("content \(number)".utf8).base64EncodedString()
                    let rich = number % 3 == 0 ? "" : #","rich":{"content":{"type":"text/plain","data":"\#(data)"}}"#
                    return Job(to: #"{"users":["alice"]}"#, content: #"{"title":"\#(number)"\#(rich)}"#)
                }
                try await finish(jobs, in: stage)
                let stored = try await stage.database.texts(
                    """
                    SELECT c.job_id::text, convert_from(k.bytes, 'UTF8')
                    FROM dispatcher.content c JOIN dispatcher.content_chunk k ON k.content_id = c.id
                    """
                )
                let expected = jobs.enumerated().filter { $0.offset % 3 != 0 }
                    .map { [$0.element.id, "content \($0.offset)"] }
                #expect(Set(stored) == Set(expected))
            }
        }

        @Test("a url is kept as it is")
        func address() async throws {
            try await Stage.with { stage in
                try await stage.register([Device("phone", user: "alice")])
                let job = Job(to: #"{"users":["alice"]}"#, content: #"{"rich":{"url":"https://example.com/a?b=c"}}"#)
                try await finish([job], in: stage)
                let rows = try await stage.database.texts("SELECT length::text, url FROM dispatcher.content")
                #expect(rows == [["0", "https://example.com/a?b=c"]])
            }
        }

        @Test("the attachment is the content's own signed address, once the worker knows where it is")
        func attachment() async throws {
            try await Stage.with { stage in
                try await stage.register([Device("phone", user: "alice")])
                let content = #"{"title":"t","attachment":{"key":"photo"},"rich":{"content":\#(Self.picture)}}"#
                let job = Job(to: #"{"users":["alice"]}"#, content: content)
                // As the role that a worker may have, which sees the hub's secrets through a function alone.
                let url = "\(stage.database.url)?options=-c%20role%3Ddispatcher_worker"
                let changes = ["DISPATCHER_PUBLIC_URL": "https://push.example.com/", "DISPATCHER_DATABASE_URL": url]
                try await finish([job], in: stage, changes)
                let payload = try #require(try stage.payloads(of: job.id)["phone"])
                let start = "https://push.example.com/api/notifications/\(job.id)?expires="
                let address = try #require(payload["photo"]?.string)
                #expect(address.hasPrefix(start) && address.contains("&hub=default&signature="), "\(address)")
                #expect(payload["aps"]?["mutable-content"] == .number(JSONNumber(1)))

                let lost = Job(to: #"{"users":["alice"]}"#, content: content)
                try await stage.withWorkers {
                    try await stage.publish([lost])
                    try await stage.expect(1, "SELECT count(*) FROM dashboard.dead_letters WHERE reason = 'unsendable'")
                }
                let letters = try await stage.database.texts("SELECT path FROM dashboard.dead_letters")
                #expect(letters == [["$.content.attachment.url"]])
            }
        }

        @Test("contents go with their notifications, and those that nobody heard of after a day")
        func retention() async throws {
            try await withDatabase { database in
                try await database.execute(
                    """
                    INSERT INTO dispatcher.content (created_at, published_at, job_id, hub_id, length, checksum, media_type)
                    SELECT now() - age * interval '1 hour', CASE WHEN is_published THEN now() END,
                           ('00000000-0000-0000-0000-00000000000' || n)::uuid, 1, 1, sha256('a'), 'text/plain'
                    FROM (VALUES (1, 721, true), (2, 719, true), (3, 25, false), (4, 23, false), (5, 721, true), (6, 25, false))
                         AS v(n, age, is_published);
                    INSERT INTO dispatcher.content_chunk SELECT id, 1, 0, 'a' FROM dispatcher.content;
                    INSERT INTO dispatcher.notification (id, expires_at, job_id, hub_id, lane, target, body)
                    SELECT n, now(), ('00000000-0000-0000-0000-00000000000' || n)::uuid, 1, 1, '', '' FROM unnest(ARRAY[5, 6]) n
                    """
                )
                let store = WorkerStore(pool: database.pool)
                let hasMore = try await store.removeOldContents(retentionDays: 30)
                let left = try await database.texts("SELECT right(job_id::text, 1) FROM dispatcher.content ORDER BY 1")
                #expect(!hasMore && left == [["2"], ["4"], ["5"], ["6"]])
                #expect(try await database.count("SELECT count(*) FROM dispatcher.content_chunk") == 4)
            }
        }
    }
}
