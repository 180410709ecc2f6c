import DispatchCore
import Testing

@testable import Dispatcher

@Suite("Which events are told") struct EventChoiceTests {
    private func choice(_ text: String?) throws -> EventChoice {
        try Configuration(Environment(text.map { ["DISPATCHER_EVENTS": $0] } ?? [:])).events
    }

    @Test("nothing said: what devices report, and what ends badly")
    func usual() throws {
        let usual = try choice(nil)
        let told = EventKind.allCases.filter { usual.contains($0) }
        #expect(
            told.map(\.rawValue) == [
                "failed", "expired", "retired", "fetched", "displayed", "read", "dismissed", "action", "reply",
            ]
        )
        #expect(usual.receiptMask == 0b11_1111)
        #expect(ChannelEvent.Kind.allCases.allSatisfy { usual.contains($0) })
    }

    @Test("all, none, or a list of names")
    func named() throws {
        #expect(try choice("all") == .all)
        #expect(try choice("none") == EventChoice([]))
        #expect(try choice("reply,accepted") == EventChoice([.reply, .accepted]))
        #expect(try choice("channel.stopped,failed") == EventChoice([.failed], channels: [.stopped]))
        #expect(try !choice("channel.stopped").contains(ChannelEvent.Kind.resumed))
        #expect(try choice("reply,read").receiptMask == 0b10_0100)
        #expect(try choice("").contains(.failed))
    }

    @Test(
        "a name that is none is refused, with the names that are",
        arguments: ["Reply", "reply,", "reply;read", "all,read", " read"]
    )
    func wrong(_ text: String) {
        #expect(throws: ConfigurationError.self) { try choice(text) }
    }

    @Test("every kind is stored as a number of its own")
    func codes() {
        #expect(Set(EventKind.allCases.map(\.code)).count == EventKind.allCases.count)
        for kind in EventKind.allCases { #expect(EventKind(code: kind.code) == kind) }
        for kind in ChannelEvent.Kind.allCases {
            #expect(ChannelEvent.Kind(code: kind.code) == kind && EventKind(code: kind.code) == nil)
        }
        for option in ResponseOption.allCases { #expect(ResponseOption(code: option.code) == option) }
        #expect(EventKind(code: 0) == nil && EventKind(code: 11) == nil && ResponseOption(code: 0) == nil)
    }
}
