import AMQP
import DispatchCore

@testable import Dispatcher

/// Work made up for tests without servers.
enum WorkExample {
    static let hub = Hub(id: 1, name: "default", apnsTopic: nil)

    /// A batch of notifications 100, 101, … with so many targets each; installations count from 1.
    static func batch(_ sizes: [Int], isAmbiguous: Bool = false, isRetry: Bool = false) throws -> BatchWork {
        var installation = 0
        let parts = try sizes.enumerated().map { index, size in
            let targets = (0..<size).map { _ in
                installation += 1
                return target(installation)
            }
            return BatchWork.Part(notification: try notification(100 + index), targets: targets)
        }
        return BatchWork(id: 1, epoch: 1, lane: .normal, isAmbiguous: isAmbiguous, isRetry: isRetry, parts: parts)
    }

    static func notification(_ id: Int) throws -> NotificationWork {
        NotificationWork(
            id: NotificationID(rawValue: Int64(id)),
            hub: hub,
            job: try wave(Job(to: #"{"tags":"a"}"#)).job,
            expiresAt: Timestamp(seconds: 1_900_000_000),
            isCancelled: false
        )
    }

    static func target(_ id: Int) -> DeliveryTarget {
        DeliveryTarget(
            device: .init(
                installationID: "i\(id)",
                platform: .apns,
                channel: "ok",
                topic: nil,
                permission: .authorized,
                locale: nil
            ),
            installation: InstallationKey(rawValue: Int64(id)),
            attempt: 1
        )
    }

    static func wave(_ job: Job, tag: UInt64 = 1) throws -> WaveJob {
        let message = AMQPDelivery(
            tag: DeliveryTag(value: tag, epoch: 1),
            body: job.body,
            routingKey: "jobs.normal",
            exchange: "push.in",
            isRedelivered: false,
            properties: AMQPProperties()
        )
        return WaveJob(job: try SendJob(decoding: job.body, messageID: nil), hub: hub, message: message)
    }
}
