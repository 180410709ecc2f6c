import Postgres

/// The addresses of one kind in a wave, column by column, as the look-up's arrays take them.
struct AddressKeys {
    struct Owner {
        let ordinal: Int32
        let hub: Int32

        /// Bit n is set when the job wants platform n.
        let platforms: Int32
    }

    private var ordinals: [Int32] = []
    private var hubs: [Int32] = []
    private var platforms: [Int32] = []
    private var addresses: [String] = []

    mutating func append(_ values: [String], owner: Owner) {
        for value in values {
            ordinals.append(owner.ordinal)
            hubs.append(owner.hub)
            platforms.append(owner.platforms)
            addresses.append(value)
        }
    }

    /// The look-up of every address by `condition` on `i` (installation) and `k` (key), or nil when there is none.
    func statement(_ condition: String) -> PostgresStatement? {
        guard !addresses.isEmpty else { return nil }
        return PostgresStatement(
            """
            SELECT k.ordinal, i.*
            FROM unnest($1::int4[], $2::int4[], $3::int4[], $4::text[]) AS k(ordinal, hub, platforms, address)
            CROSS JOIN LATERAL (
                SELECT \(AudienceLookup.deviceColumns)
                FROM dispatcher.installation i
                WHERE \(condition) AND i.hub_id = k.hub AND (k.platforms >> i.platform) & 1 = 1
                  AND \(AudienceLookup.isReachable)
                LIMIT \(LaneProfile.smallAudience + 1)
            ) i
            """,
            [.int4s(ordinals), .int4s(hubs), .int4s(platforms), .texts(addresses)]
        )
    }
}
