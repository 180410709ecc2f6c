extension PushRequest {
    /// Web Push: seconds left of its life, which the standard demands (RFC 8030 section 5.2).
    func webPushHeaders(now: Timestamp) -> [PushHeader] {
        let seconds = secondsLeft(at: now, atMost: WebPushRenderer.longestTTL) ?? WebPushRenderer.longestTTL
        var headers = push.headers
        headers.append(PushHeader("TTL", String(seconds)))
        // Windows' own push service keeps nothing by default, and answers 400 when that contradicts the time to live.
        if WebPushEndpoint.isWindows(channel: channel) {
            headers.append(PushHeader("X-WNS-Cache-Policy", seconds == 0 ? "no-cache" : "cache"))
        }
        return headers
    }

    /// Windows: seconds left, or that nothing is kept when none are (Microsoft, "Push notification service request and
    /// response headers").
    ///
    /// Microsoft names no longest time; more seconds than a signed 32-bit number holds are cut to it, 68 years, as no reader
    /// on the way can be trusted with them.
    func wnsHeaders(now: Timestamp) -> [PushHeader] {
        guard let seconds = secondsLeft(at: now, atMost: Int64(Int32.max)) else { return push.headers }
        guard seconds == 0 else { return push.headers + [PushHeader("X-WNS-TTL", String(seconds))] }
        let policy = "X-WNS-Cache-Policy"
        return push.headers.filter { $0.name.lowercased() != policy.lowercased() } + [PushHeader(policy, "no-cache")]
    }

    /// Whole seconds until the push becomes worthless, rounded down, 0 when it is sent now or never; nil when it never
    /// does.
    private func secondsLeft(at now: Timestamp, atMost longest: Int64) -> Int64? {
        guard !push.isNowOrNever else { return 0 }
        return push.expiresAt.map { min(max(($0 - now).microseconds / 1_000_000, 0), longest) }
    }
}
