import DispatchCore

@testable import Dispatcher

/// PostgreSQL as the protocol knows it: tables, and the program's transactions as operations that are done whole or not at all.
///
/// A value: an operation that throws leaves nothing. Every operation mirrors one method of a store; the conformance test
/// holds the two against each other.
struct FakeDatabase {
    /// The clock of the server, which is all that decides about time here.
    var now: Timestamp
    let hub: Hub

    /// Rules that are broken on purpose, so that the checks can be seen to fail.
    let broken: Set<BrokenRule>

    var devices: [Device] = []
    var notifications: [NotificationID: Notification] = [:]
    var identities: [WaveIdentity: NotificationID] = [:]
    var plans: [NotificationID: Plan] = [:]
    var batches: [Int64: Batch] = [:]
    var deliveries: [DeliveryKey: Delivery] = [:]
    var progress: [NotificationID: [DeliveryState: Int]] = [:]
    var retries: [DeliveryKey: Retry] = [:]
    var workers: [Int64: Timestamp] = [:]
    var deadLetters: [[UInt8]: String] = [:]
    var suspects: [[UInt8]: Int] = [:]
    var nextBatch: Int64 = 1
    var nextWorker: Int64 = 1
    var nextRun: Int64 = 0

    /// What no table keeps and the promises are checked by.
    var history = History()

    init(now: Timestamp, hub: Hub, broken: Set<BrokenRule> = []) {
        self.now = now
        self.hub = hub
        self.broken = broken
    }

    struct Device {
        let key: InstallationKey
        let installationID: String
        let user: String?
        let platform: Platform
        let channel: String
        let registeredAt: Timestamp
        var retireReason: String?
        var permission = Permission.authorized
        var pausedUntil: Timestamp?

        var target: DeliveryTarget.Device {
            DeliveryTarget.Device(
                installationID: installationID,
                platform: platform,
                channel: channel,
                topic: nil,
                permission: permission,
                locale: nil,
                pausedUntil: pausedUntil
            )
        }
    }

    struct Notification: Equatable {
        let id: NotificationID
        let jobID: UUIDValue
        let hub: Int32
        let lane: Lane
        let expiresAt: Timestamp
        let isAtMostOnce: Bool
        let body: [UInt8]
        var audience: Int
        var cancelledAt: Timestamp?
    }

    struct Plan: Equatable {
        var dueAt: Timestamp
        var cursor: Int64 = 0
        var worker: Int64?
        var epoch: Int32
    }

    struct Batch: Equatable {
        var createdAt: Timestamp
        var publishedAt: Timestamp?
        var worker: Int64?
        var epoch: Int32
        let lane: Lane
        var isAmbiguous = false
        var notifications: [NotificationID]
        var sizes: [Int]
        var installations: [InstallationKey]
        var attempts: [Int]?
    }

    struct Delivery: Equatable {
        var state: DeliveryState
        let platform: Int16
        var attempts: Int
        var isAmbiguous: Bool
        var reason: String?
        var acceptedAt: Timestamp?
        var finishedAt: Timestamp?
    }

    struct Retry: Equatable {
        let dueAt: Timestamp
        let attempt: Int
        let lane: Lane
    }

    /// What the server refuses; nothing of the operation is left.
    enum Refusal: Error, Equatable {
        /// SQLSTATE 23505.
        case duplicate(String)
    }
}

extension FakeDatabase {
    /// What is decided by a commit and not to be read from the tables afterwards.
    struct History {
        /// The notifications that had been cancelled when the intent of a batch was committed.
        var intents: [Intent: Set<NotificationID>] = [:]

        /// Everything that a table's rules forbid and that the program relied on not to happen.
        var breaches: [String] = []

        /// What the present transaction has begun.
        var begun: [Intent] = []

        /// What was begun in a transaction whose answer was lost, so that no worker knows of it: none of it is sent, and it
        /// is in no worker's budget.
        var unheard: Set<Intent> = []

        /// How many deliveries a lost worker has left in doubt each time it was lost.
        var losses: [(worker: Int64, deliveries: Int)] = []

        struct Intent: Hashable {
            let batch: Int64
            let epoch: Int32
        }

        /// The answer to a transaction has come, or is lost.
        mutating func hear(_ isHeard: Bool) {
            if isHeard { unheard.subtract(begun) } else { unheard.formUnion(begun) }
        }
    }
}
