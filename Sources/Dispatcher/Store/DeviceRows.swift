import DispatchCore
import Postgres

extension PostgresRows {
    /// Reads the device whose columns start at `column`: id, installation id, platform, channel, topic,
    /// permission, locale, is in the sandbox, is paused until.
    func deliveryTarget(_ row: Int, from column: Int, attempt: Int) throws(PostgresError) -> DeliveryTarget {
        let key = InstallationKey(rawValue: try int8(row, column))
        return DeliveryTarget(device: try device(row, from: column + 1), installation: key, attempt: attempt)
    }

    /// Reads a device whose columns start at `column`: installation id, platform, channel, topic, permission, locale, is in
    /// the sandbox, is paused until.
    func device(_ row: Int, from column: Int) throws(PostgresError) -> DeliveryTarget.Device? {
        guard let platform = Platform(rawValue: try int2(row, column + 1)) else { return nil }
        return DeliveryTarget.Device(
            installationID: try text(row, column),
            platform: platform,
            channel: try text(row, column + 2),
            topic: try textOrNull(row, column + 3),
            permission: Permission(rawValue: try int2(row, column + 4)) ?? .notDetermined,
            locale: try textOrNull(row, column + 5),
            isSandbox: try bool(row, column + 6),
            pausedUntil: try isNull(row, column + 7)
                ? nil : Timestamp(microseconds: try timestamp(row, column + 7))
        )
    }
}
