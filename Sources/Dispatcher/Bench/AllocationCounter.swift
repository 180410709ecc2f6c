import Glibc

/// Reads the counter of bench/allocations.c, which `scripts/bench` loads before the program.
struct AllocationCounter {
    private typealias Read = @convention(c) () -> UInt64

    private let read: Read?

    /// Looks for the counter among the loaded libraries.
    init() {
        // The null handle is RTLD_DEFAULT: "Find the first occurrence of the desired symbol using the default shared
        // object search order" (dlsym(3)).
        read = dlsym(nil, "dispatcher_allocation_count").map { unsafeBitCast($0, to: Read.self) }
    }

    /// The allocations of this thread so far, or nil when nobody counts.
    var count: UInt64? { read?() }
}
