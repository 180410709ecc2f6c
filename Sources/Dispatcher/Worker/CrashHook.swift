import Glibc

/// Faults for tests: ends the process when a message holds a marker, as a crash in a library would, or between two steps,
/// as kill -9 would.
///
/// Present in debug builds only; a release build has an empty function here.
enum CrashHook {
    #if DEBUG
    private static let marker = bytes("DISPATCHER_FAULT_CRASH_ON")
    private static let toldMarker = bytes("DISPATCHER_FAULT_CRASH_AFTER_TELLING")

    private static let pushMarker = bytes("DISPATCHER_FAULT_CRASH_ON_PUSH")
    private static let pushDevice = getenv("DISPATCHER_FAULT_CRASH_ON_DEVICE").map { String(cString: $0) }

    private static let point = getenv("DISPATCHER_FAULT_CRASH_AT").map { String(cString: $0) }
    private static let arm = getenv("DISPATCHER_FAULT_CRASH_ARM").map { String(cString: $0) }

    static func check(_ body: [UInt8]) { check(body, marker) }

    /// The same for a push that is about to be handed to the gateway, for one device if one is named.
    static func check(_ payload: [UInt8], for device: String) {
        if pushDevice == nil || pushDevice == device { check(payload, pushMarker) }
    }

    /// Ends the process at the chosen point, once: who removes the file that arms it is the one.
    static func reach(_ reached: CrashPoint) {
        guard let point, point == reached.rawValue, let arm, unlink(arm) == 0 else { return }
        kill(getpid(), SIGKILL)
    }

    /// The same for what the broker has just confirmed.
    static func checkTold(_ body: [UInt8]) { check(body, toldMarker) }

    private static func bytes(_ variable: String) -> [UInt8]? {
        getenv(variable).map { Array(String(cString: $0).utf8) }
    }

    private static func check(_ body: [UInt8], _ marker: [UInt8]?) {
        guard let marker, body.count >= marker.count else { return }
        let starts = 0...(body.count - marker.count)
        if starts.contains(where: { body[$0..<($0 + marker.count)].elementsEqual(marker) }) { abort() }
    }
    #else
    static func check(_ body: [UInt8]) {}
    static func check(_ payload: [UInt8], for device: String) {}
    static func checkTold(_ body: [UInt8]) {}
    static func reach(_ reached: CrashPoint) {}
    #endif
}
