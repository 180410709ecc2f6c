import Testing

@testable import HTTP

@Suite struct ExchangeStateTests {
    static func receiving(_ intake: ExchangeState.Intake) -> ExchangeState {
        var state = ExchangeState()
        state.begin(intake, expectedCount: 0)
        return state
    }

    static func upload(_ state: inout ExchangeState, _ count: Int) -> ExchangeState.UploadStep {
        [UInt8](repeating: 1, count: count).withUnsafeBytes { state.upload($0) }
    }

    static func name(_ step: ExchangeState.AnswerStep) -> String {
        switch step {
        case .start(let body): "start \(body.count)"
        case .answer(let response): "answer \(response.status.code)"
        case .suspend: "suspend"
        case .abort: "abort"
        }
    }

    static func complete(_ state: inout ExchangeState) -> String {
        name(state.complete { HTTPResponse(.contentTooLarge) })
    }

    @Test("a collected body starts the handler, and its answer is sent after a resume")
    func collected() {
        var state = Self.receiving(.collect(limit: 10))
        #expect(Self.upload(&state, 4) == .taken)
        #expect(Self.upload(&state, 6) == .taken)
        #expect(Self.complete(&state) == "start 10")
        #expect(Self.name(state.settle()) == "suspend")
        #expect(state.handlerReturned(HTTPResponse(.ok)) == true)
        #expect(Self.complete(&state) == "answer 200")
        #expect(state.finish() == false)
    }

    @Test("an answer that is there at once needs no resume")
    func inline() {
        var state = Self.receiving(.collect(limit: 0))
        #expect(Self.complete(&state) == "start 0")
        #expect(state.handlerReturned(HTTPResponse(.ok)) == false)
        #expect(Self.name(state.settle()) == "answer 200")
    }

    @Test("only the first answer counts")
    func late() {
        var state = Self.receiving(.collect(limit: 0))
        _ = Self.complete(&state)
        _ = state.settle()
        #expect(state.expire(with: HTTPResponse(.serviceUnavailable)) == true)
        #expect(state.handlerReturned(HTTPResponse(.ok)) == false)
        #expect(Self.complete(&state) == "answer 503")
        #expect(state.expire(with: HTTPResponse(.serviceUnavailable)) == false)
    }

    @Test("a spurious call while the handler runs suspends again")
    func spurious() {
        var state = Self.receiving(.collect(limit: 0))
        _ = Self.complete(&state)
        _ = state.settle()
        #expect(Self.complete(&state) == "suspend")
    }

    @Test("a body beyond the limit is dropped within bounds and answered with 413", arguments: [true, false])
    func overflow(isStream: Bool) {
        var state = Self.receiving(isStream ? .stream(limit: 10) : .collect(limit: 10))
        #expect(Self.upload(&state, 11) == .taken)
        #expect(Self.upload(&state, ExchangeState.overflowAllowance - 11) == .taken)
        #expect(state.read() == .failed(.tooLarge))
        #expect(state.handlerReturned(HTTPResponse(.ok)) == false)
        var other = state
        #expect(Self.complete(&state) == "answer 413")
        #expect(Self.upload(&other, 1) == .abort)
        #expect(Self.complete(&other) == "abort")
    }

    @Test("a stream stops the client at the high mark and lets it go on at the low one")
    func backPressure() {
        var state = Self.receiving(.stream(limit: 1 << 20))
        let piece = ExchangeState.highWater / 4
        for _ in 0..<3 { #expect(Self.upload(&state, piece) == .taken) }
        #expect(Self.upload(&state, piece) == .takenThenSuspend)
        #expect(Self.upload(&state, piece) == .left)
        let chunk = [UInt8](repeating: 1, count: piece)
        #expect(state.read() == .chunk(chunk, resume: false))
        #expect(state.read() == .chunk(chunk, resume: false))
        #expect(state.read() == .chunk(chunk, resume: true))
        #expect(state.read() == .chunk(chunk, resume: false))
        #expect(state.read() == .wait)
        #expect(Self.complete(&state) == "suspend")
        #expect(state.read() == .end)
        #expect(state.receivedCount == ExchangeState.highWater)
    }

    @Test("a handler that answers early lets the rest be dropped, and resumes a stopped client")
    func early() {
        var state = Self.receiving(.stream(limit: ExchangeState.highWater + 5))
        #expect(Self.upload(&state, ExchangeState.highWater) == .takenThenSuspend)
        #expect(state.handlerReturned(HTTPResponse(.conflict)) == true)
        #expect(Self.upload(&state, 5) == .taken)
        #expect(Self.complete(&state) == "answer 409")
    }

    @Test("a request that breaks off fails its reader and leaves a handler to be cancelled")
    func broken() {
        var state = Self.receiving(.stream(limit: 100))
        #expect(Self.upload(&state, 5) == .taken)
        #expect(state.finish() == true)
        #expect(state.read() == .failed(.interrupted))
        #expect(state.handlerReturned(HTTPResponse(.ok)) == false)
        #expect(state.abort() == false)
    }

    @Test("an abort resumes once, and nothing is suspended or answered after it")
    func abort() {
        var state = Self.receiving(.collect(limit: 0))
        _ = Self.complete(&state)
        _ = state.settle()
        #expect(state.abort() == true)
        #expect(state.abort() == false)
        #expect(Self.complete(&state) == "abort")
        #expect(Self.name(state.settle()) == "abort")
        #expect(state.handlerReturned(HTTPResponse(.ok)) == false)
        #expect(!state.isSuspended)
    }

    @Test("a refusal is sent when the request is complete")
    func refusal() {
        var state = ExchangeState()
        state.refuse(HTTPResponse(.unauthorized))
        #expect(Self.complete(&state) == "answer 401")
    }

    @Test("whatever comes in whatever order, suspends and resumes alternate", arguments: 1...8)
    func fuzz(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var faults = 0
        for _ in 0..<2000 {
            var state = Self.receiving(
                Bool.random(using: &generator) ? .stream(limit: 1 << 20) : .collect(limit: 1 << 20)
            )
            var isSuspended = false
            for _ in 0..<30 {
                let (suspends, resumes) = Self.event(&state, &generator, isSuspended: isSuspended)
                if (suspends && isSuspended) || (resumes && !isSuspended) { faults += 1 }
                isSuspended = suspends || (isSuspended && !resumes)
                if state.isSuspended != isSuspended { faults += 1 }
            }
        }
        #expect(faults == 0, "seed \(seed)")
    }

    /// The library does not call while a connection is suspended, but for further chunks of one read.
    static func event(
        _ state: inout ExchangeState,
        _ generator: inout SeededGenerator,
        isSuspended: Bool
    ) -> (suspends: Bool, resumes: Bool) {
        switch UInt8.random(in: 0..<7, using: &generator) {
        case 0, 1: return (upload(&state, 20_000) == .takenThenSuspend, false)
        case 2 where !isSuspended:
            let step = complete(&state)
            if step.hasPrefix("start") { return (name(state.settle()) == "suspend", false) }
            return (step == "suspend", false)
        case 3: return (false, state.handlerReturned(HTTPResponse(.ok)))
        case 4:
            if case .chunk(_, resume: true) = state.read() { return (false, true) }
            return (false, false)
        case 5: return (false, state.expire(with: HTTPResponse(.ok)))
        case 6 where UInt8.random(in: 0..<8, using: &generator) == 0: return (false, state.abort())
        default: return (false, false)
        }
    }
}
