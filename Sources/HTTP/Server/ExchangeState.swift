/// The course of one request and its answer, without I/O: each event returns what to do.
///
/// The library allows a response only before the body or after it: "The response cannot be queued when this callback is
/// called to process the client upload data". So an answer that is known while the body arrives waits, and the rest of
/// the body is read and dropped, within bounds.
struct ExchangeState {
    enum Phase: Equatable {
        /// The header is being read. Can transition to: receiving, answered, over.
        case head
        /// The body is being read. Can transition to: handling, answered, over.
        case receiving
        /// The request is complete, its answer is not. Can transition to: answered, over.
        case handling
        /// The answer is with the library. Can transition to: over.
        case answered
        /// The request is done or its connection lost.
        case over
    }

    /// What becomes of the body's octets.
    enum Intake: Equatable {
        case collect(limit: Int)
        case stream(limit: Int)
        /// They are dropped; with fewer left than come, the connection is closed.
        case discard(left: Int)
    }

    /// What to do with a piece of the body.
    enum UploadStep: Equatable {
        case taken
        /// It is taken, and no more is wanted now.
        case takenThenSuspend
        /// It is not taken; the library offers it again after the resume.
        case left
        case abort
    }

    /// What to do when the library asks for an answer.
    enum AnswerStep {
        /// Run the handler with this body, then ask `settle`.
        case start([UInt8])
        case answer(HTTPResponse)
        case suspend
        case abort
    }

    /// What a reader of the stream gets.
    enum ReadStep: Equatable {
        case chunk([UInt8], resume: Bool)
        case end
        case failed(HTTPBodyError)
        case wait
    }

    /// A stream's chunks are bounded: at 64 KiB the client is stopped, at 16 KiB it may go on.
    static let highWater = 64 * 1024
    static let lowWater = 16 * 1024

    /// How much of a body that is too large is read so that the client sees the 413 instead of a reset connection.
    static let overflowAllowance = 1024 * 1024

    /// The most octets that are read to no use after the answer to a streamed body is known; then the connection closes.
    private static let discardLimit = 16 * 1024 * 1024

    private(set) var phase = Phase.head
    private(set) var isSuspended = false
    private(set) var isAborted = false
    private(set) var isOverflowed = false
    private(set) var receivedCount = 0
    private(set) var intake = Intake.discard(left: 0)
    private var collected: [UInt8] = []
    private var chunks: [[UInt8]] = []
    private var nextChunk = 0
    private var bufferedCount = 0
    private var failure: HTTPBodyError?
    private var response: HTTPResponse?

    /// Whether the handler's answer would still be used.
    var needsResponse: Bool { response == nil && !isAborted && phase != .answered && phase != .over }

    // MARK: Events of the library

    /// The header is good; the body comes now, if there is one.
    mutating func begin(_ intake: Intake, expectedCount: Int) {
        phase = .receiving
        self.intake = intake
        if case .collect = intake { collected.reserveCapacity(min(expectedCount, Self.highWater)) }
    }

    /// The answer is known from the header alone and there is no body to wait for.
    mutating func refuse(_ response: HTTPResponse) {
        phase = .receiving
        self.response = response
    }

    /// A response was given to the library.
    mutating func answered() {
        phase = .answered
    }

    mutating func upload(_ bytes: UnsafeRawBufferPointer) -> UploadStep {
        guard phase == .receiving, !isAborted else { return .abort }
        // Within one read of several chunks the library goes on although the connection was suspended in between.
        if isSuspended { return .left }
        receivedCount += bytes.count
        switch intake {
        case .collect(let limit):
            guard collected.count + bytes.count <= limit else { return overflow(by: bytes.count) }
            collected.append(contentsOf: bytes)
            return .taken
        case .stream(let limit):
            guard receivedCount <= limit else { return overflow(by: bytes.count) }
            return buffer(bytes)
        case .discard(let left):
            guard bytes.count <= left else { return abortUpload() }
            intake = .discard(left: left - bytes.count)
            return .taken
        }
    }

    /// The request is complete, or the library asks again after a resume.
    mutating func complete(overflowResponse: () -> HTTPResponse) -> AnswerStep {
        guard !isAborted else { return .abort }
        let isFirst = phase == .receiving
        if isFirst { phase = .handling }
        if isOverflowed { response = overflowResponse() }
        if response == nil, isFirst, case .collect = intake {
            defer { collected = [] }
            return .start(collected)
        }
        return settle()
    }

    /// The answer if it is there; else the connection is to be suspended.
    mutating func settle() -> AnswerStep {
        guard !isAborted else { return .abort }
        guard let response else {
            isSuspended = true
            return .suspend
        }
        phase = .answered
        return .answer(response)
    }

    /// The request ended, for whatever reason; whether a handler is still at it.
    mutating func finish() -> Bool {
        let isHandled = needsResponse
        if phase == .head || phase == .receiving { failure = failure ?? .interrupted }
        phase = .over
        chunks = []
        collected = []
        return isHandled
    }

    // MARK: Events of the handler

    /// The handler has an answer; whether the connection is to be resumed.
    mutating func handlerReturned(_ response: HTTPResponse) -> Bool {
        guard needsResponse else { return false }
        self.response = response
        if phase == .receiving, case .stream(let limit) = intake {
            intake = .discard(left: min(max(0, limit - receivedCount), Self.discardLimit))
            chunks = []
            nextChunk = 0
            bufferedCount = 0
        }
        return resume()
    }

    /// A reader wants the next piece of the body.
    mutating func read() -> ReadStep {
        if nextChunk < chunks.count {
            let chunk = chunks[nextChunk]
            chunks[nextChunk] = []
            nextChunk += 1
            bufferedCount -= chunk.count
            if nextChunk == chunks.count {
                chunks.removeAll(keepingCapacity: true)
                nextChunk = 0
            }
            let resumes = phase == .receiving && bufferedCount <= Self.lowWater && resume()
            return .chunk(chunk, resume: resumes)
        }
        if let failure { return .failed(failure) }
        return isDry ? .wait : .end
    }

    /// Whether a reader would have to wait.
    var isDry: Bool {
        nextChunk == chunks.count && failure == nil && (phase == .head || phase == .receiving)
    }

    // MARK: Events of the clock

    /// The handler took too long; whether the connection is to be resumed.
    mutating func expire(with response: HTTPResponse) -> Bool {
        guard phase == .handling, needsResponse else { return false }
        self.response = response
        return resume()
    }

    /// The connection shall close without an answer; whether it is to be resumed for that.
    mutating func abort() -> Bool {
        guard phase != .over else { return false }
        isAborted = true
        failure = failure ?? .interrupted
        return resume()
    }

    // MARK: Steps

    private mutating func buffer(_ bytes: UnsafeRawBufferPointer) -> UploadStep {
        chunks.append(Array(bytes))
        bufferedCount += bytes.count
        guard bufferedCount >= Self.highWater else { return .taken }
        isSuspended = true
        return .takenThenSuspend
    }

    private mutating func overflow(by count: Int) -> UploadStep {
        isOverflowed = true
        failure = .tooLarge
        chunks = []
        nextChunk = 0
        bufferedCount = 0
        collected = []
        guard count <= Self.overflowAllowance else { return abortUpload() }
        intake = .discard(left: Self.overflowAllowance - count)
        return .taken
    }

    private mutating func abortUpload() -> UploadStep {
        isAborted = true
        failure = failure ?? .tooLarge
        return .abort
    }

    private mutating func resume() -> Bool {
        defer { isSuspended = false }
        return isSuspended
    }
}
