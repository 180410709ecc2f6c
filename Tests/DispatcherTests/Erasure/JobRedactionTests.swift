import AMQP
import Crypto
import DispatchCore
import Testing

@testable import Dispatcher

@Suite("What an erasure leaves of a job")
struct JobRedactionTests {
    private static let erased: Set<String> = ["user alice", "installation phone", "channel token"]

    private func redaction(_ to: String) throws -> (JobRedaction, String) {
        let body = Array(#"{"id":"0193f2c4-7d1e-7abc-8def-0123456789ab","to":\#(to),"content":{"title":"x"}}"#.utf8)
        let job = try SendJob(decoding: body, messageID: nil)
        let result = JobRedaction(job, body: body) { kind, name in Self.erased.contains("\(kind) \(name)") }
        guard case .redacted(let left, let body) = result else { return (result, "") }
        // What is kept reads back as what is sent.
        #expect(try SendJob(decoding: body, messageID: nil) == left)
        return (result, String(decoding: body, as: UTF8.self))
    }

    @Test(
        "one that does not name the erased is untouched",
        arguments: [
            #"{"broadcast":true}"#, #"{"users":["bob","alic"]}"#, #"{"installations":["alice"]}"#, #"{"tags":"alice"}"#,
            #"{"tags":"username:alice2 && $UserId:{bob}"}"#, #"{"channels":[{"platform":"apns","token":"alice"}]}"#,
        ]
    )
    func unaffected(to: String) throws {
        guard case .unaffected = try redaction(to).0 else {
            Issue.record("\(to)")
            return
        }
    }

    @Test(
        "one for nobody else is emptied",
        arguments: [
            #"{"users":["alice"]}"#, #"{"users":["\u0061lice"]}"#, #"{"installations":["phone"]}"#,
            #"{"tags":"$UserId:{alice}"}"#, #"{"tags":"username:alice"}"#, #"{"tags":"$InstallationId:{phone}"}"#,
            #"{"channels":[{"platform":"apns","token":"token"}]}"#,
        ]
    )
    func emptied(to: String) throws {
        guard case .emptied = try redaction(to).0 else {
            Issue.record("\(to)")
            return
        }
    }

    @Test(
        "one for others too loses the name and nothing else",
        arguments: [
            (#"{"users":["alice","bob"]}"#, #""users":["bob"]"#),
            (
                #"{"users":["carol","alice","bob"],"platforms":["apns"]}"#,
                #""users":["carol","bob"],"platforms":["apns"]"#
            ),
            (#"{"installations":["phone","b"]}"#, #""installations":["b"]"#),
            (#"{"tags":"a && !username:alice"}"#, #""tags":"a && !$UserId:{erased-86c9b1f0}""#),
            (#"{"tags":"$UserId:alice || a"}"#, #""tags":"$UserId:{erased-86c9b1f0} || a""#),
            (
                #"{"channels":[{"platform":"apns","token":"token"},{"platform":"apns","token":"t","environment":"sandbox","topic":"x"}]}"#,
                #""channels":[{"platform":"apns","token":"t","environment":"sandbox","topic":"x"}]"#
            ),
        ]
    )
    func redacted(to: String, left: String) throws {
        let (result, body) = try redaction(to)
        guard case .redacted = result else {
            Issue.record("\(to)")
            return
        }
        #expect(body.contains(left) && !body.contains("alice") && !body.contains("phone"), "\(body)")
    }

    @Test("a tombstone counts in its hub, for its kind, and for as long as its queue is unmarked")
    func tombstones() throws {
        let salt = [UInt8](repeating: 7, count: 32)
        var stones = Tombstones(salt: salt)
        #expect(stones.isEmpty && !stones.contain(.user, "alice", hub: 1, .any))
        // The bytes that dispatcher.name_hash puts together.
        let digest = try SHA256.digest(of: salt + [0, 0, 0, 1, 0, 1] + Array("alice".utf8))
        stones.add(digest, hub: 1, awaits: MarkedQueue.bulk.rawValue | MarkedQueue.installations.rawValue)
        #expect(stones.contain(.user, "alice", hub: 1, .any))
        #expect(!stones.contain(.user, "alice", hub: 2, .any) && !stones.contain(.installation, "alice", hub: 1, .any))
        #expect(stones.contain(.user, "alice", hub: 1, .unmarked(.bulk)))
        #expect(!stones.contain(.user, "alice", hub: 1, .unmarked(.high)))
    }

    @Test("a marker is known by its type, and any other message is none")
    func markers() throws {
        let id = try #require(UUIDValue("0193f2c4-7d1e-7abc-8def-0123456789ab"))
        let messages = ErasureMarker(erasure: id).messages
        #expect(Set(messages.map(\.routingKey)).count == 5)
        func delivery(_ properties: AMQPProperties) -> AMQPDelivery {
            AMQPDelivery(
                tag: DeliveryTag(value: 1, epoch: 1),
                body: [],
                routingKey: "jobs.high",
                exchange: "push.in",
                isRedelivered: false,
                properties: properties
            )
        }
        #expect(ErasureMarker(delivery(messages[0].properties))?.erasure == id)
        #expect(ErasureMarker(delivery(AMQPProperties(messageID: id.description))) == nil)
        #expect(ErasureMarker(delivery(AMQPProperties(messageID: "x", type: ErasureMarker.type))) == nil)
        for queue in MarkedQueue.allCases { #expect(MarkedQueue(queue: "push." + queue.routingKey) == queue) }
    }
}
