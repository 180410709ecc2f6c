import DispatchCore
import Testing

@Suite struct UUIDValueTests {
    @Test("the canonical form reads back", arguments: ["0193f2c4-0000-7abc-8def-0123456789ab"])
    func roundTrip(text: String) {
        #expect(UUIDValue(text)?.description == text)
        #expect(UUIDValue(text.uppercased())?.description == text)
    }

    @Test("anything but 8-4-4-4-12 is refused", arguments: ["", "0193f2c4", "0193f2c4-0000-7abc-8def-0123456789ag"])
    func refusal(text: String) {
        #expect(UUIDValue(text) == nil)
    }
}
