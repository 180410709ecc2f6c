import Foundation
import Testing

@testable import Dispatcher

extension BrokerTests {
    @Suite(.timeLimit(.minutes(4))) struct BulkAPITests {
        private static func line(_ id: String, _ channel: String, _ more: String = "") -> String {
            #"{"installationId":"\#(id)","platform":"apns","pushChannel":"\#(channel)"\#(more)}"#
        }

        private func load(_ api: APIClient, _ lines: String) async throws -> APIClient.Answer {
            try await api.send("POST", "/api/installations/import", lines, ["Content-Type": "application/x-ndjson"])
        }

        private func export(_ api: APIClient, _ query: String = "") async throws -> [String] {
            let answer = try await api.send("GET", "/api/installations/export\(query)")
            #expect(answer.status == 200 && answer["Content-Type"] == "application/x-ndjson", "\(answer.text)")
            return Self.unchunked(Array(answer.body)).split(separator: "\n").map(String.init)
        }

        private static func unchunked(_ bytes: [UInt8]) -> String {
            var result: [UInt8] = []
            var rest = bytes[...]
            while let end = rest.firstIndex(of: 13),
                let size = Int(String(decoding: rest[..<end], as: UTF8.self), radix: 16)
            {
                rest = rest[(end + 2)...]
                result += rest.prefix(size)
                rest = rest.dropFirst(size + 2)
            }
            return String(decoding: result, as: UTF8.self)
        }

        @Test("lines are registered, wrong ones are named by number and place, and the export gives them back")
        func roundTrip() async throws {
            try await Stage.with { stage in
                try await stage.withAPI { (api: APIClient) async throws in
                    let good = (0..<1_200).map {
                        Self.line("p-\($0)", "ok-\($0)", $0 % 2 == 0 ? #","tags":["even"]"# : "")
                    }
                    let bad = [
                        "{", #"{"installationId":"x"}"#, Self.line("y", "c", #","hub":"other""#),
                        Self.line("z", "c", #","x":1"#),
                    ]
                    let long = Self.line("long", "c", #","locale":"\#(String(repeating: "x", count: 300_000))""#)
                    let body = (["", good[0] + "\r"] + bad + [long] + good[1...]).joined(separator: "\n")
                    let answer = try await load(api, body)
                    #expect(answer.status == 200 && answer.member("imported") == "1200", "\(answer.text.prefix(600))")
                    #expect(answer.member("rejected") == "5")
                    let object = try JSONSerialization.jsonObject(with: answer.body) as? [String: Any]
                    let named = object?["rejections"] as? [[String: Any]] ?? []
                    #expect(named.compactMap { $0["line"] as? Int } == [3, 4, 5, 6, 7])
                    #expect(named.compactMap { $0["path"] as? String } == ["$", "$.platform", "$.hub", "$.x", "$"])

                    let all = try await export(api)
                    #expect(all.count == 1_200 && all == all.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
                    #expect(try await export(api, "?tags=even").count == 600)
                    #expect(try await export(api, "?user=nobody") == [])
                    try await stage.database.execute("DELETE FROM dispatcher.installation")
                    #expect(try await load(api, all.joined(separator: "\n")).member("imported") == "1200")
                    #expect(try await export(api) == all)
                    // Nobody has heard of a secret, so a device gets its own when it registers.
                    let put = try await api.send("PUT", "/api/installations/p-1", Stage.phone("ok-1"))
                    #expect(put.status == 200 && put.member("secret")?.count == 43, "\(put.text)")
                    let known = try await export(api)
                    #expect(!known.joined().contains(put.member("secret") ?? "?"))
                }
            }
        }

        @Test("of lines for one id the last one wins, and of ids with one channel the last one keeps it")
        func repetitions() async throws {
            try await Stage.with { stage in
                try await stage.withAPI { (api: APIClient) async throws in
                    let lines = [
                        Self.line("a", "ok-1"), Self.line("b", "ok-1"), Self.line("a", "ok-2"), Self.line("c", "ok-2"),
                    ]
                    #expect(try await load(api, lines.joined(separator: "\n")).member("imported") == "4")
                    let rows = try await stage.database.texts(
                        "SELECT installation_id, push_channel, (retired_at IS NULL)::text FROM dispatcher.installation ORDER BY 1"
                    )
                    #expect(rows == [["a", "ok-2", "false"], ["b", "ok-1", "true"], ["c", "ok-2", "true"]])
                }
            }
        }

        @Test("bulk needs the right to manage and the right type, and stays in its hub")
        func rights() async throws {
            try await Stage.with { stage in
                try await stage.withAPI { (api: APIClient) async throws in
                    try await stage.addKey("sender", rights: [.listen, .send])
                    let sender = api.as(.key("sender", Stage.secret))
                    #expect(try await load(sender, Self.line("a", "ok-1")).status == 403)
                    #expect(try await sender.send("GET", "/api/installations/export").status == 403)
                    #expect(try await api.send("POST", "/api/installations/import", "{}").status == 415)
                    #expect(try await api.send("GET", "/api/installations/export?limit=1").status == 400)
                    try await stage.addKey("theirs", rights: .manage, hub: "other")
                    let theirs = api.as(.key("theirs", Stage.secret))
                    #expect(try await load(theirs, Self.line("a", "ok-1")).member("imported") == "1")
                    #expect(try await export(api) == [])
                    #expect(try await export(theirs).count == 1)
                }
            }
        }

        @Test("the command writes what the other command reads")
        func command() async throws {
            try await Stage.with { stage in
                try await stage.register([Device("a", user: "alice", tags: ["x"]), Device("b")])
                let path = NSTemporaryDirectory() + "export-\(UInt32.random(in: 0 ... .max)).jsonl"
                defer { try? FileManager.default.removeItem(atPath: path) }
                let result = try await Program.run(["installations", "export", path], environment: stage.environment())
                #expect(result.exit == .status(0), "\(result.errors)")
                let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
                #expect(lines.count == 2 && lines[0].contains("alice"))
                try await stage.database.execute("DELETE FROM dispatcher.installation")
                let back = try await Program.run(["installations", "import", path], environment: stage.environment())
                #expect(back.exit == .status(0) && back.output.contains(#""imported":2"#), "\(back.errors)")
            }
        }
    }

    @Suite struct JSONLinesTests {
        @Test("lines come whole however the pieces are cut")
        func pieces() {
            let text = Array("a\n\nbb\r\nccc\ntoo long\nd".utf8)
            for size in 1...text.count {
                var lines = JSONLines(limit: 5)
                var found: [String] = []
                for start in stride(from: 0, to: text.count, by: size) {
                    for line in lines.add(Array(text[start..<min(start + size, text.count)])) {
                        found.append("\(line.number) \(line.bytes.map { String(decoding: $0, as: UTF8.self) } ?? "-")")
                    }
                }
                if let line = lines.finish() {
                    found.append("\(line.number) \(String(decoding: line.bytes ?? [], as: UTF8.self))")
                }
                #expect(found == ["1 a", "3 bb", "4 ccc", "5 -", "6 d"], "\(size)")
            }
        }
    }
}
