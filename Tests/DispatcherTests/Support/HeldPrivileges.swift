@testable import Dispatcher

/// What each role may do in a database, as docs/privileges.md writes it down.
enum HeldPrivileges {
    static let roles = ["dispatcher_worker", "dispatcher_api", "dispatcher_dashboard"]

    /// Rows of kind, object, role and privileges; day partitions count as one, overloaded functions too.
    static func rows(in database: TestDatabase) async throws -> [[String]] {
        let names = (["public"] + roles).map { "'\($0)'" }.joined(separator: ", ")
        return try await database.texts(
            """
            WITH role AS (SELECT name FROM unnest(ARRAY[\(names)]) AS r(name)),
            \(relations),
            held AS (
                SELECT 'schema' AS kind, n.nspname::text AS object, r.name AS role, p AS privilege
                FROM pg_namespace n, role r, unnest(ARRAY['USAGE', 'CREATE']) AS p
                WHERE n.nspname IN ('dispatcher', 'dashboard') AND has_schema_privilege(r.name, n.oid, p)
                UNION ALL
                SELECT c.kind, c.name, r.name, p
                FROM relation c, role r, unnest(CASE WHEN kind = 'sequence' THEN ARRAY[]::text[] ELSE
                    ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER'] END) AS p
                WHERE has_table_privilege(r.name, c.oid, p)
                UNION ALL
                SELECT c.kind, c.name, r.name, p || ' of ' || a.attname
                FROM relation c
                JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped, role r,
                     unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'REFERENCES']) AS p
                WHERE c.kind <> 'sequence' AND has_column_privilege(r.name, c.oid, a.attnum, p)
                  AND NOT has_table_privilege(r.name, c.oid, p)
                UNION ALL
                SELECT c.kind, c.name, r.name, p
                FROM relation c, role r, unnest(CASE WHEN kind = 'sequence'
                    THEN ARRAY['USAGE', 'SELECT', 'UPDATE'] ELSE ARRAY[]::text[] END) AS p
                WHERE has_sequence_privilege(r.name, c.oid, p)
                UNION ALL
                SELECT 'function', n.nspname || '.' || f.proname, r.name, 'EXECUTE'
                FROM pg_proc f JOIN pg_namespace n ON n.oid = f.pronamespace, role r
                WHERE n.nspname IN ('dispatcher', 'dashboard') AND has_function_privilege(r.name, f.oid, 'EXECUTE')
            )
            SELECT kind, object, role, string_agg(DISTINCT lower(privilege), ', ' ORDER BY lower(privilege))
            FROM held GROUP BY kind, object, role ORDER BY 1, 2, 3
            """
        )
    }

    private static let relations = """
        relation AS (
            SELECT c.oid, n.nspname || '.' || regexp_replace(c.relname, '_[0-9]{8}$', '_DAY') AS name,
                   CASE c.relkind WHEN 'v' THEN 'view' WHEN 'S' THEN 'sequence' ELSE 'table' END AS kind
            FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE n.nspname IN ('dispatcher', 'dashboard') AND c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
        )
        """

    /// The lines of the document's table: kind, object, and a cell for each role.
    static func lines(_ rows: [[String]]) -> [String] {
        var cells: [[String]: [String: String]] = [:]
        for row in rows { cells[[row[0], row[1]], default: [:]][row[2]] = row[3] }
        return cells.map { object, held in
            let columns = roles.map { held[$0] ?? "–" }
            return "| \(object[0]) | `\(object[1])` | \(columns.joined(separator: " | ")) |"
        }.sorted()
    }
}
