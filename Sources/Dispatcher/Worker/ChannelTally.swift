import DispatchCore

/// A batch's answers by channel.
struct ChannelTally {
    private(set) var reports: [ChannelReport] = []

    /// The channel of each run of devices is looked up once: most batches have one or two.
    private var index: [ChannelKey: Int] = [:]

    init(_ batch: BatchWork, results: [DeliveryResult?], now: Timestamp) {
        var position = 0
        for part in batch.parts {
            var last: (device: DeliveryTarget.Device, report: Int)?
            for target in part.targets {
                defer { position += 1 }
                guard let result = results[position], result.disposition != nil, let device = target.device else {
                    continue
                }
                let report: Int
                if let last, last.device.hasSameChannel(as: device) {
                    report = last.report
                } else {
                    report = place(ChannelKey(device, of: part.notification.hub))
                }
                last = (device, report)
                reports[report].add(result, attempt: target.attempt, now: now)
            }
        }
    }

    private mutating func place(_ key: ChannelKey) -> Int {
        if let found = index[key] { return found }
        index[key] = reports.count
        reports.append(ChannelReport(key))
        return reports.count - 1
    }
}

extension DeliveryTarget.Device {
    /// Whether it is plain that both have one channel; browsers' devices are told apart by their origins.
    fileprivate func hasSameChannel(as other: DeliveryTarget.Device) -> Bool {
        platform == other.platform && platform != .browser
            && (platform != .apns || topic == other.topic && isSandbox == other.isSandbox)
    }
}
