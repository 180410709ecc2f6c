import Testing

@testable import DispatchCore

@Suite("Properties of rendering")
struct RenderingPropertyTests {
    @Test("devices of one push differ in channel, message id and topic alone", arguments: Platform.allCases)
    func devices(platform: Platform) throws {
        for seed in PropertyCount.seeds {
            guard case .success(let push) = try GeneratedPush.neutral(seed: seed).rendered(for: platform) else {
                continue
            }
            let place: Comment = "\(platform.name), seed \(seed)"
            let channels = ["CHANNEL-1", "CHANNEL-2", "CHANNEL-1"]
            let requests = channels.enumerated().map { index, channel in
                push.request(installation: Int64(index), channel: channel, topic: "topic\(index)")
            }
            let bodies = requests.map { String(decoding: push.body(channel: $0.channel), as: UTF8.self) }
            #expect(bodies[0] == bodies[2], place)
            #expect((bodies[0] != bodies[1]) == push.embedsChannel, place)
            #expect(bodies[1].replacing("CHANNEL-2", with: "CHANNEL-1") == bodies[0], place)
            let fields = requests.map { request in
                request.headers(now: PushExample.now).filter { !["apns-id", "apns-topic"].contains($0.name) }
            }
            #expect(fields[0] == fields[1] && fields[1] == fields[2], place)
            #expect(Set(requests.map(\.messageID)).count == 3, place)
        }
    }

    @Test("the same input gives the same bytes, whatever was rendered between", arguments: Platform.allCases)
    func deterministic(platform: Platform) throws {
        for seed in PropertyCount.seeds {
            let push = try GeneratedPush.neutral(seed: seed)
            let other = try GeneratedPush.neutral(seed: seed &+ 1)
            let first = Self.wire(push, on: platform)
            _ = Self.wire(other, on: platform)
            #expect(Self.wire(push, on: platform) == first, "\(platform.name), seed \(seed)")
            let again = try GeneratedPush.neutral(seed: seed)
            #expect(Self.wire(again, on: platform) == first, "\(platform.name), seed \(seed)")
        }
    }

    private static func wire(_ push: GeneratedPush, on platform: Platform) -> String {
        switch push.rendered(for: platform) {
        case .success(let push):
            let request = push.request()
            let headers = request.headers(now: PushExample.now).map { "\($0.name): \($0.value)\n" }.joined()
            return headers + String(decoding: push.body(channel: request.channel), as: UTF8.self)
        case .failure(let error): return error.description
        }
    }

    @Test("data arrives at Apple's devices unchanged: order, names and the text of numbers")
    func appleData() throws {
        var seen = 0
        for seed in PropertyCount.seeds {
            let push = try GeneratedPush.neutral(seed: seed)
            let data = push.content.data
            guard !data.isEmpty, case .success(let prepared) = push.rendered(for: .apns) else { continue }
            let members = WireForms.members(prepared.body(channel: "t"))
            let names = Set(data.map { UTF8Text($0.name) })
            #expect(members.filter { names.contains(UTF8Text($0.name)) } == data, "seed \(seed)")
            seen += 1
        }
        #expect(seen * 20 > PropertyCount.seeds.count)
    }

    @Test("FCM and ADM hand data over as strings: a string stays, any other value is its compact JSON")
    func stringData() throws {
        for seed in PropertyCount.seeds {
            let push = try GeneratedPush.neutral(seed: seed)
            for platform in [Platform.fcmV1, .adm] {
                guard case .success(let prepared) = push.rendered(for: platform) else { continue }
                let body = try JSONParser.parse(prepared.body(channel: "t"))
                let written = (platform == .adm ? body : body["message"])?["data"]
                for member in push.content.data {
                    let text = member.value.string ?? String(decoding: JSONWriter.encode(member.value), as: UTF8.self)
                    let place: Comment = "\(platform.name), seed \(seed): \(member.name)"
                    #expect(written?[member.name]?.string?.hasSameBytes(as: text) == true, place)
                }
            }
        }
    }

    @Test("categories and receipts are what was written after they are read")
    func roundTrips() throws {
        for seed in PropertyCount.seeds {
            var generator = DocumentGenerator(seed: seed)
            let category = try ActionCategory(decoding: generator.category())
            #expect(try ActionCategory(decoding: category.json) == category, "seed \(seed)")
            let receipt = try Receipt(decoding: generator.receipt())
            #expect(try Receipt(decoding: receipt.json) == receipt, "seed \(seed)")
            let document = generator.job()
            #expect(try JSONParser.parse(JSONWriter.encode(document)) == document, "seed \(seed)")
        }
    }
}
