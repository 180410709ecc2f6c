import DispatchCore
import Glibc
import Testing

/// Prints how long the hot paths take: `DISPATCHER_MEASURE=1 swift test -c release --filter Measurement`.
@Suite(.serialized, .enabled(if: getenv("DISPATCHER_MEASURE") != nil))
struct Measurement {
    static let job = """
        {"id":"0193f2c4-7d1e-7abc-8def-0123456789ab","hub":"default","to":{"tags":"username:alice && !muted"},\
        "content":{"title":"Event invite","body":"Dinner on Friday?","category":"event-invite","thread":"message-alice",\
        "data":{"location":"Aconcagua"}},\
        "options":{"priority":"high","expiresAt":"2026-12-01T12:00:00Z","collapseKey":"invite-7"}}
        """

    static let installation = """
        {"installationId":"0193f2c4-7d1e-7abc-8def-0123456789ab","userId":"alice","platform":"apns",\
        "pushChannel":"ok-0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef","environment":"sandbox",\
        "topic":"com.example.app","tags":["username:alice","lang:en","vip"],"locale":"en-GB","timeZone":"Europe/London",\
        "templates":{"t":{"body":"{\\"aps\\":{\\"alert\\":\\"$(a)\\"}}"}},"permission":"authorized","expirationTime":"2027-01-01T00:00:00.5+01:00"}
        """

    @Test("microseconds a document")
    func documents() throws {
        let job = Array(Self.job.utf8)
        let installation = Array(Self.installation.utf8)
        let value = try JSONParser.parse(job)
        try Self.report("parse \(job.count) bytes") { try JSONParser.parse(job).members?.count ?? 0 }
        try Self.report("decode the job") { try SendJob(decoding: job, messageID: nil).hub.utf8.count }
        try Self.report("decode \(installation.count) bytes of installation") {
            try Installation(decoding: installation).tags.count
        }
        try Self.report("write the job") { JSONWriter.encode(value).count }
        let tag = try TagExpression(parsing: "username:alice")
        try Self.report("parse a point tag") { try TagExpression(parsing: "username:alice").pointTag == nil ? 0 : 1 }
        try Self.report("compile a point tag") { tag.sql(firstParameter: 1).parameters.count }
    }

    private static func report(_ name: String, _ work: () throws -> Int) throws {
        let count = 100_000
        var sum = 0
        let time = try ContinuousClock().measure {
            for _ in 0..<count {
                sum += try work()
            }
        }
        print("\(name): \(Double(time.microseconds) / Double(count)) µs (\(sum / count))")
    }
}
