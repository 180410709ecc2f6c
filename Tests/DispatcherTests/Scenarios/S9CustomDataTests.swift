import DispatchCore
import Testing

@testable import Dispatcher

extension BrokerTests {
    /// S9: what the app itself reads.
    @Suite(.timeLimit(.minutes(4))) struct S9CustomDataTests {
        @Test("custom values arrive as they are; an integer stays one, digit by digit", arguments: Door.allCases)
        func data(_ door: Door) async throws {
            try await Scene.play(door) { scene in
                let platforms = ["apns", "fcmV1", "browser", "wns", "adm", "hms"]
                var phones: [Phone] = []
                for platform in platforms {
                    phones.append(try await scene.phone("on-\(platform)", user: "alice", platform: platform))
                }
                let data =
                    #"{"location":"Aconcagua","customNumber":20,"large":9007199254740993,"list":[1,2.50,null,true]}"#
                let job = Job(to: #"{"users":["alice"]}"#, content: #"{"title":"A summit","data":\#(data)}"#)
                try await scene.send(job)
                for (platform, phone) in zip(platforms, phones) {
                    let found = try await phone.push(of: job.id).data
                    let isTyped = platform != "fcmV1" && platform != "adm"
                    // Firebase and Amazon carry texts alone; each is the value's JSON.
                    #expect(found?["location"] == .string("Aconcagua"), "\(platform)")
                    #expect(Self.text(found?["customNumber"], isTyped) == "20", "\(platform)")
                    #expect(Self.text(found?["large"], isTyped) == "9007199254740993", "\(platform)")
                    #expect(Self.text(found?["list"], isTyped) == "[1,2.50,null,true]", "\(platform)")
                    try await phone.report("read", job.id)
                    try await scene.expect("accepted read", of: job.id, on: phone)
                }
                #expect(try await scene.figure("read", of: job.id) == 6)
            }
        }

        /// The JSON text of a value; a text where the platform has texts alone must be one.
        private static func text(_ value: JSONValue?, _ isTyped: Bool) -> String? {
            guard let value else { return nil }
            return isTyped ? String(decoding: JSONWriter.encode(value), as: UTF8.self) : value.string
        }
    }
}
