import FoundationEssentials
import Glibc

/// What the system says about this process.
struct ProcessFacts: Sendable {
    /// Taken once, when the program begins to tell its metrics.
    static let startTime: Double = {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return Double(now.tv_sec)
    }()

    let processorSeconds: Double
    let residentBytes: Int
    let openDescriptors: Int
    let threads: Int

    init() {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        processorSeconds = Self.seconds(usage.ru_utime) + Self.seconds(usage.ru_stime)
        let status = Self.status()
        residentBytes = (status["VmRSS"] ?? 0) * 1024
        threads = status["Threads"] ?? 0
        openDescriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
    }

    private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }

    /// The lines of `/proc/self/status` that have a number.
    private static func status() -> [String: Int] {
        guard let data = FileManager.default.contents(atPath: "/proc/self/status") else { return [:] }
        var found: [String: Int] = [:]
        for line in String(decoding: data, as: UTF8.self).split(separator: "\n") {
            let words = line.split { $0 == ":" || $0 == "\t" || $0 == " " }
            if words.count > 1, let number = Int(words[1]) { found[String(words[0])] = number }
        }
        return found
    }
}

extension MetricPage {
    /// What every process tells.
    mutating func addProcess() {
        let facts = ProcessFacts()
        add(.build, [Sample([Version.current, String(SchemaVersion.current)], 1)])
        add(.startTime, ProcessFacts.startTime)
        add(.processorTime, facts.processorSeconds)
        add(.residentMemory, facts.residentBytes)
        add(.openDescriptors, facts.openDescriptors)
        add(.threads, facts.threads)
    }
}
