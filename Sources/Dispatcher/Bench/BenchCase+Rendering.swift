import DispatchCore

extension BenchCase {
    /// Everything that is measured.
    static func all() throws -> [BenchCase] {
        try staticRenders() + deviceRequests() + localizedRenders() + templatedRenders() + jobs()
    }

    /// A push of the ordinary alert, from scratch.
    private static func staticRenders() throws -> [BenchCase] {
        let job = try BenchJobs.decoded(BenchJobs.alert)
        let context = BenchJobs.context(of: job)
        return Platform.allCases.map { platform in
            BenchCase("rendered from scratch", on: platform.name) { _ in
                try PushRenderer.prepare(job.content, for: platform, in: context).size
            }
        }
    }

    /// What a batch does for each device once the push is there: the request, its body and its header fields.
    private static func deviceRequests() throws -> [BenchCase] {
        let job = try BenchJobs.decoded(BenchJobs.alert)
        let context = BenchJobs.context(of: job)
        return try Platform.allCases.map { platform in
            let push = try PushRenderer.prepare(job.content, for: platform, in: context)
            let channels = (0..<64).map { channel(of: platform, number: $0) }
            return BenchCase("a device of a rendered push", on: platform.name) { turn in
                let request = PushRequest(
                    push: push,
                    notification: job.id,
                    number: NotificationID(rawValue: 7),
                    installation: InstallationKey(rawValue: Int64(turn)),
                    installationID: "phone",
                    channel: channels[turn & 63],
                    topic: "com.example.app",
                    attempt: 1
                )
                return push.body(channel: request.channel).count + request.headers(now: context.now).count
            }
        }
    }

    /// The languages in turn, each rendered from scratch.
    private static func localizedRenders() throws -> [BenchCase] {
        let job = try BenchJobs.decoded(BenchJobs.localized)
        let contexts = BenchJobs.locales.map { BenchJobs.context(of: job, locale: $0) }
        return Platform.allCases.map { platform in
            BenchCase("one of three languages", on: platform.name) { turn in
                try PushRenderer.prepare(job.content, for: platform, in: contexts[turn % contexts.count]).size
            }
        }
    }

    private static func jobs() throws -> [BenchCase] {
        let body = Array(BenchJobs.alert.utf8)
        let job = try BenchJobs.decoded(BenchJobs.alert)
        return [
            BenchCase("job decoded") { _ in try SendJob(decoding: body, messageID: nil).hub.utf8.count },
            BenchCase("job checked for being sendable") { _ in
                try job.checkSendable(now: BenchJobs.now)
                return 1
            },
        ]
    }

    private static func channel(of platform: Platform, number: Int) -> String {
        let token = SHA256Digest(of: "\(number)".utf8).hexadecimal
        return switch platform {
        case .apns, .adm: token
        case .fcmV1, .hms: "c\(number):" + token + token
        case .browser: #"{"endpoint":"https://push.example.net/v1/\#(token)","p256dh":"BNcR","auth":"tBHI"}"#
        case .wns: "https://wns2.notify.windows.com/?token=" + token
        }
    }
}
