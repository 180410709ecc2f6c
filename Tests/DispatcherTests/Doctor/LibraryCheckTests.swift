import Testing

@testable import Dispatcher

@Suite struct LibraryCheckTests {
    @Test("a library that is too old is wrong", arguments: [("0.10.9", false), ("0.11.0", true), ("1.0.0", true)])
    func oldLibrary(version: String, isGood: Bool) {
        #expect(LibraryCheck.check("library", version, needs: (0, 11)).isGood == isGood)
    }

    @Test("the loaded libraries are ones the clients were written for")
    func loadedLibraries() {
        #expect(LibraryCheck.run().filter { !$0.isGood }.map(\.line) == [])
    }
}
