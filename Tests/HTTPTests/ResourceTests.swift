import Glibc
import Testing

@testable import HTTP

extension ServerTests {
    /// Each in a process of its own, where nothing else opens descriptors or takes memory.
    @Suite struct ResourceTests {
        @Test(
            "two thousand idle connections cost a bounded amount of memory",
            .disabled(if: isSanitized, "the sanitizer's own memory would be measured")
        )
        func idleConnections() async {
            await #expect(processExitsWith: .success) {
                raiseDescriptorLimit()
                try await withServer({ $0.idleTimeout = .seconds(600) }) { server in
                    let port = server.boundPort
                    let (before, first, second) = try await offPool {
                        let before = residentKilobytes()
                        let clients = try (0..<2000).map { _ in try RawClient(port) }
                        for client in clients { try ask(client) }
                        let first = residentKilobytes()
                        for _ in 0..<3 { for client in clients { try ask(client) } }
                        return (before, first, residentKilobytes())
                    }
                    print(
                        "idle connections: \(before) kB before, \(first) kB with 2000, \(second) kB three requests later"
                    )
                    // The library has 24 KiB of each, the client here some too.
                    guard first - before < 160 * 1024, second - first < 16 * 1024 else { exit(1) }
                }
            }
        }

        @Test("no descriptor is left behind")
        func descriptors() async {
            await #expect(processExitsWith: .success) {
                try await serveSome()
                let before = openDescriptors()
                for _ in 0..<5 { try await serveSome() }
                let after = openDescriptors()
                print("descriptors: \(before) before, \(after) after")
                guard after <= before else { exit(1) }
            }
        }
    }
}

/// Whether the process runs with the thread or the address sanitizer.
private let isSanitized = dlsym(nil, "__tsan_init") != nil || dlsym(nil, "__asan_init") != nil

private func ask(_ client: RawClient) throws {
    try client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    guard try client.receive().status == 200 else { throw RawClient.Trouble(description: "not 200") }
}

/// Files, broken uploads, refused and idle connections; then the stop.
private func serveSome() async throws {
    guard let file = ServerTests.DownloadTests.temporaryFile([1, 2, 3]) else { exit(2) }
    try await withServer(
        policy: { _ in .stream(limit: 1000) },
        handler: { request in
            .download(request.head, contentType: "text/plain", file: file, tag: nil)
        }
    ) { server in
        let port = server.boundPort
        try await offPool {
            let clients = try (0..<50).map { _ in try RawClient(port) }
            for client in clients { try ask(client) }
            for client in clients.prefix(20) {
                try client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nab")
            }
            for client in clients.dropFirst(20).prefix(10) { try client.send("GET / HT") }
            for client in clients.suffix(10) {
                try client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9999\r\n\r\n")
            }
        }
    }
}

private func raiseDescriptorLimit() {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    limit.rlim_cur = min(limit.rlim_max, 8192)
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
}

private func openDescriptors() -> Int {
    guard let directory = opendir("/proc/self/fd") else { return -1 }
    defer { closedir(directory) }
    var count = 0
    while readdir(directory) != nil { count += 1 }
    return count
}

private func residentKilobytes() -> Int {
    guard let stream = fopen("/proc/self/statm", "r") else { return -1 }
    defer { fclose(stream) }
    var text = [CChar](repeating: 0, count: 128)
    guard fgets(&text, Int32(text.count), stream) != nil else { return -1 }
    let fields = String(decoding: text.map { UInt8(bitPattern: $0) }, as: UTF8.self).split(separator: " ")
    return (Int(fields[1]) ?? -1) * 4
}
