import DispatchCore
import Postgres

/// Rows for the channels that jobs address directly: hidden from tags, users and broadcasts.
struct ChannelRegistration {
    private var hubs: [Int32] = []
    private var ids: [String] = []
    private var platforms: [Int16] = []
    private var channels: [String] = []
    private var sandboxes: [Bool] = []
    private var topics: [String?] = []

    mutating func append(_ direct: [DirectChannel], hub: Int32) {
        for channel in direct {
            hubs.append(hub)
            ids.append(channel.installationID)
            platforms.append(channel.platform.rawValue)
            channels.append(channel.token)
            sandboxes.append(channel.environment == .sandbox)
            topics.append(channel.topic)
        }
    }

    var statement: PostgresStatement? {
        guard !ids.isEmpty else { return nil }
        // Ordered by key, so that two waves that name the same channels cannot lock each other out.
        return PostgresStatement(
            """
            INSERT INTO dispatcher.installation (hub_id, installation_id, platform, push_channel, is_sandbox, topic, is_direct)
            SELECT DISTINCT ON (hub, id) hub, id, platform, channel, is_sandbox, topic, true
            FROM unnest($1::int4[], $2::text[], $3::int2[], $4::text[], $5::bool[], $6::text[])
                AS c(hub, id, platform, channel, is_sandbox, topic)
            ORDER BY hub, id
            ON CONFLICT (hub_id, installation_id)
            DO UPDATE SET registered_at = clock_timestamp(), retired_at = NULL, retire_reason = NULL,
                          is_sandbox = EXCLUDED.is_sandbox, topic = EXCLUDED.topic
            """,
            [
                .int4s(hubs), .texts(ids), .int2s(platforms), .texts(channels), .bools(sandboxes),
                .textsOrNull(topics),
            ]
        )
    }
}

extension DirectChannel {
    /// The same channel is the same row: its id is made of the whole address.
    var installationID: String {
        let address = "\(environment.rawValue)\u{0}\(topic ?? "")\u{0}\(token)"
        return "channel:\(platform.name):\(SHA256Digest(of: address.utf8).hexadecimal)"
    }
}

extension SendJob {
    /// Bit n is set when the job wants platform n; a job that names none wants all.
    var platformMask: Int32 {
        platforms.isEmpty ? -1 : Int32(platforms.platforms.reduce(0) { $0 | (1 << Int($1.rawValue)) })
    }
}
