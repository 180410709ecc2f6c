import Foundation
import Testing

@testable import Dispatcher

extension BrokerTests {
    /// Who may do what, in full: a new grant, and a new object, has to be written down to pass.
    @Suite(.timeLimit(.minutes(4))) struct PrivilegeTests {
        private static func documented() throws -> [String] {
            let folder = URL(fileURLWithPath: TestDatabase.migrations).deletingLastPathComponent()
            let text = try String(contentsOf: folder.appendingPathComponent("docs/privileges.md"), encoding: .utf8)
            let kinds = ["| schema |", "| table |", "| view |", "| sequence |", "| function |"]
            return text.split(separator: "\n").map(String.init).filter { line in
                kinds.contains { line.hasPrefix($0) }
            }
        }

        @Test("every role has the privileges of docs/privileges.md and no other")
        func everyPrivilege() async throws {
            try await withDatabase { database in
                let found = HeldPrivileges.lines(
                    try await HeldPrivileges.rows(in: database).filter { $0[2] != "public" }
                )
                let documented = try Self.documented()
                #expect(documented.count > 80 && documented == documented.sorted())
                let unexpected = Set(found).subtracting(documented).sorted()
                #expect(unexpected.isEmpty, "held, not documented:\n\(unexpected.joined(separator: "\n"))")
                let missing = Set(documented).subtracting(found).sorted()
                #expect(missing.isEmpty, "documented, not held:\n\(missing.joined(separator: "\n"))")
            }
        }

        @Test("everybody together may do nothing in either schema, functions included")
        func everybody() async throws {
            try await withDatabase { database in
                let held = try await HeldPrivileges.rows(in: database).filter { $0[2] == "public" }
                #expect(held.isEmpty, "\(held)")
                let inPublic = try await database.texts(
                    "SELECT p FROM unnest(ARRAY['USAGE', 'CREATE']) p WHERE has_schema_privilege('public', 'public', p)"
                )
                #expect(inPublic.isEmpty)
            }
        }

        @Test("no role logs in, passes policies by, or belongs to another")
        func attributes() async throws {
            try await withDatabase { database in
                let able = try await database.texts(
                    """
                    SELECT rolname FROM pg_roles WHERE rolname LIKE 'dispatcher\\_%'
                      AND (rolsuper OR rolcreaterole OR rolcreatedb OR rolcanlogin OR rolreplication OR rolbypassrls)
                    """
                )
                #expect(able.isEmpty)
                let members = try await database.texts(
                    """
                    SELECT m.member::regrole::text, m.roleid::regrole::text FROM pg_auth_members m
                    WHERE m.member::regrole::text IN ('dispatcher_owner', 'dispatcher_worker', 'dispatcher_api',
                                                      'dispatcher_dashboard')
                    """
                )
                #expect(members.isEmpty)
            }
        }

        @Test("what works as its owner names its search path, and runs as the owner of the schemas")
        func definers() async throws {
            try await withDatabase { database in
                let loose = try await database.texts(
                    """
                    SELECT p.oid::regprocedure::text FROM pg_proc p
                    WHERE p.prosecdef AND p.pronamespace IN ('dispatcher'::regnamespace, 'dashboard'::regnamespace)
                      AND (p.proowner <> 'dispatcher_owner'::regrole
                           OR NOT coalesce(p.proconfig, '{}') && ARRAY['search_path=pg_catalog, pg_temp'])
                    """
                )
                #expect(loose.isEmpty)
                let strangers = try await database.texts(
                    """
                    SELECT c.oid::regclass::text FROM pg_class c
                    WHERE c.relnamespace IN ('dispatcher'::regnamespace, 'dashboard'::regnamespace)
                      AND c.relowner <> 'dispatcher_owner'::regrole
                    """
                )
                #expect(strangers.isEmpty)
            }
        }
    }
}
