/// The address inside a browser's push channel, as `PushChannel` writes it.
enum WebPushEndpoint {
    private static let opening = Array(#"{"endpoint":"https://"#.utf8)
    private static let windows = Array("notify.windows.com".utf8)

    /// Whether the push service is Windows', which has rules of its own.
    static func isWindows(channel: String) -> Bool {
        var channel = channel
        return channel.withUTF8 { isWindows(host(in: $0)) }
    }

    private static func isWindows(_ host: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        let start = host.count - windows.count
        guard start >= 0 else { return false }
        guard host.suffix(windows.count).elementsEqual(windows, by: { $0 | 0x20 == $1 }) else { return false }
        return start == 0 || host[host.startIndex + start - 1] == UInt8(ascii: ".")
    }

    /// What stands between `https://` and the next `/`, `:`, `?`, `#`, quote or escape.
    private static func host(in channel: UnsafeBufferPointer<UInt8>) -> Slice<UnsafeBufferPointer<UInt8>> {
        guard channel.starts(with: opening) else { return channel[0..<0] }
        let rest = channel[opening.count...]
        return rest.prefix { !#"/:?#"\"#.utf8.contains($0) }
    }
}
