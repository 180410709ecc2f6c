import Glibc
import Testing

@testable import HTTP

@Suite struct WakeSignalTests {
    @Test("a signal before the wait leaves nothing to wait for")
    func before() throws {
        let wake = try #require(WakeSignal())
        wake.signal()
        wake.signal()
        #expect(!wake.beginWait())
        wake.endWait(isReadable: false)
        #expect(wake.beginWait())
    }

    @Test("a signal within the wait is readable, until the wait has ended")
    func within() throws {
        let wake = try #require(WakeSignal())
        #expect(wake.beginWait())
        #expect(!isReadable(wake))
        wake.signal()
        wake.signal()
        #expect(isReadable(wake))
        wake.endWait(isReadable: true)
        #expect(!isReadable(wake))
        #expect(wake.beginWait())
    }

    @Test("a signal after the wait costs the thread one look and nothing else")
    func after() throws {
        let wake = try #require(WakeSignal())
        #expect(wake.beginWait())
        wake.endWait(isReadable: false)
        wake.signal()
        #expect(!isReadable(wake))
        #expect(!wake.beginWait())
    }

    private func isReadable(_ wake: WakeSignal) -> Bool {
        var socket = pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&socket, 1, 0) == 1
    }
}
