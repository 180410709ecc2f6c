import Glibc

/// A fault for tests: ends the process when a message holds a marker, as a crash in a library would.
///
/// Present in debug builds only; a release build has an empty function here.
enum CrashHook {
    #if DEBUG
    private static let marker: [UInt8]? = getenv("DISPATCHER_FAULT_CRASH_ON").map { Array(String(cString: $0).utf8) }

    static func check(_ body: [UInt8]) {
        guard let marker, body.count >= marker.count else { return }
        let starts = 0...(body.count - marker.count)
        if starts.contains(where: { body[$0..<($0 + marker.count)].elementsEqual(marker) }) { abort() }
    }
    #else
    static func check(_ body: [UInt8]) {}
    #endif
}
