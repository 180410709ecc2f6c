import Postgres

/// The statements that write a device's secret.
enum DeviceSecretRows {
    /// Writes nothing when the device has a secret.
    static func first(of installation: Int64, hub: Int32, hash: [UInt8]) -> PostgresStatement {
        PostgresStatement(
            """
            INSERT INTO dispatcher.device_secret (installation, hub_id, secret_hash) VALUES ($1, $2, $3)
            ON CONFLICT (installation) DO NOTHING
            """,
            [.int8(installation), .int4(hub), .bytea(hash)]
        )
    }

    /// Keeps the secret before, until the new one is used.
    static func next(of installation: Int64, hub: Int32, hash: [UInt8]) -> PostgresStatement {
        PostgresStatement(
            """
            INSERT INTO dispatcher.device_secret AS s (installation, hub_id, secret_hash) VALUES ($1, $2, $3)
            ON CONFLICT (installation) DO UPDATE
            SET previous_hash = s.secret_hash, secret_hash = EXCLUDED.secret_hash, issued_at = clock_timestamp()
            """,
            [.int8(installation), .int4(hub), .bytea(hash)]
        )
    }
}
