import Testing

@testable import Dispatcher

@Suite struct PagePlaceTests {
    @Test(
        "a place is two numbers in their one spelling",
        arguments: [
            ("0-0", [0, 0]), ("1764590400000000-17", [1_764_590_400_000_000, 17]),
            ("999999999999999999-999999999999999999", [PagePlace.endOfTime, 999_999_999_999_999_999]),
        ]
    )
    func places(text: String, numbers: [Int64]) throws {
        let place = try #require(PagePlace.numbers(text, separator: "-"))
        #expect([place.time, place.number] == numbers)
    }

    @Test(
        "what a page has not written is no place",
        arguments: [
            "", "-", "1", "1-", "-1-2", "1-2-3", "+1-2", "01-2", "1-02", "1 -2", "1.2", "1-٣", "1000000000000000000-1",
        ]
    )
    func others(text: String) {
        #expect(PagePlace.numbers(text, separator: "-") == nil)
    }
}
