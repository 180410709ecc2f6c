import Testing

@testable import DispatchCore

@Suite("Properties of what goes over the wire")
struct WireFormTests {
    @Test("a push is well formed and within its limit, or refused for a reason", arguments: Platform.allCases)
    func wellFormed(platform: Platform) throws {
        var rendered = 0
        for seed in PropertyCount.seeds {
            let push = try GeneratedPush.neutral(seed: seed)
            switch push.rendered(for: platform) {
            case .success(let prepared):
                rendered += 1
                check(prepared, "\(platform.name), seed \(seed)")
            case .failure(let error):
                check(error, "\(platform.name), seed \(seed)")
            }
        }
        #expect(rendered * 5 > PropertyCount.seeds.count, "only \(rendered) were rendered")
    }

    private func check(_ push: PreparedPush, _ place: Comment) {
        #expect(push.size <= push.limit, place)
        let request = push.request()
        let body = push.body(channel: request.channel)
        #expect(push.isXML ? WireForms.isXML(body) : WireForms.isJSON(body), "\(place): \(text(body))")
        for header in request.headers(now: PushExample.now) {
            #expect(WireForms.isFieldValue(header.value), "\(place): \(header.name) is \(header.value)")
        }
    }

    private func check(_ error: RenderError, _ place: Comment) {
        #expect(!error.code.rawValue.isEmpty && !error.reason.isEmpty, place)
        #expect(error.reason.utf8.count < 400, "\(place): \(error)")
        switch error.code {
        case .vendorRule, .notExpressible:
            let path = error.member ?? ""
            #expect(path.hasPrefix("content") || path.hasPrefix("options"), "\(place): \(error) at “\(path)”")
        case .tooLarge, .reservedKey, .emptyContent: break
        case .noContentAddress: #expect(error.member == "content.attachment.url", place)
        case .malformedNative, .missingNative, .noTemplate, .malformedTemplate, .expired:
            Issue.record("\(place): neutral content cannot be refused as \(error)")
        }
    }

    @Test("a string of JSON inside JSON is JSON again; the values of string maps are strings")
    func nested() throws {
        for seed in PropertyCount.seeds {
            let push = try GeneratedPush.neutral(seed: seed)
            if case .success(let prepared) = push.rendered(for: .hms) {
                let message = try JSONParser.parse(prepared.body(channel: "t"))["message"]
                let data = message?["data"]?.string.map { Array($0.utf8) }
                #expect(data.map(WireForms.isJSON) ?? true, "hms, seed \(seed)")
            }
            for platform in [Platform.fcmV1, .adm] {
                guard case .success(let prepared) = push.rendered(for: platform) else { continue }
                let body = try JSONParser.parse(prepared.body(channel: "t"))
                let data = (platform == .adm ? body : body["message"])?["data"]?.members ?? []
                #expect(data.allSatisfy { $0.value.string != nil }, "\(platform.name), seed \(seed)")
            }
        }
    }

    @Test("a generated native payload or template never ends in anything but a push or a named refusal")
    func native() throws {
        for seed in PropertyCount.seeds {
            let push = try GeneratedPush(seed: seed) { generator in
                var job = generator.job()
                while job["native"] == nil { job = generator.job() }
                return JSONMember(name: "native", value: job["native"] ?? .null)
            }
            for platform in Platform.allCases {
                switch push.rendered(for: platform) {
                case .success(let prepared): #expect(prepared.size <= prepared.limit, "\(platform.name), seed \(seed)")
                case .failure(let error): #expect(!error.reason.isEmpty, "\(platform.name), seed \(seed)")
                }
            }
        }
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
