import DispatchCore
import Foundation
import Testing

/// docs/job-format.md, held to what the code does.
@Suite struct JobFormatTests {
    static let id = "0193f2c4-7d1e-7abc-8def-0123456789ab"
    static let now = Timestamp(microseconds: 1_796_000_000_000_000)

    static func document() throws -> String {
        try String(contentsOf: DocumentedBlock.file, encoding: .utf8)
    }

    @Test("every example is what its fence says")
    func decoding() throws {
        let blocks = try DocumentedBlock.all()
        #expect(blocks.count { $0.kind == "job" } >= 12)
        for block in blocks {
            #expect(throws: Never.self, "\(block)") { try decode(block) }
        }
    }

    private func decode(_ block: DocumentedBlock) throws {
        switch block.kind {
        case "job": try SendJob(decoding: block.bytes, messageID: Self.id).checkSendable(now: Self.now)
        case "installation": _ = try Installation(decoding: block.bytes)
        case "category": _ = try ActionCategory(decoding: block.bytes)
        case "receipt": _ = try Receipt(decoding: block.bytes)
        case "event", "channel-event": #expect(try JSONParser.parse(block.bytes)["specversion"] == .string("1.0"))
        default: Issue.record("\(block) has no kind that is known")
        }
    }

    @Test("every example agrees with its schema")
    func schema() throws {
        let blocks = try DocumentedBlock.all()
        let documents = try blocks.map { ($0.schema, JSONWriter.encode(try JSONParser.parse($0.bytes))) }
        let verdicts = try SchemaFolder.verdicts(of: documents)
        #expect(verdicts.count == blocks.count)
        for (block, verdict) in zip(blocks, verdicts) {
            #expect(verdict == nil, "\(block): \(verdict ?? "")")
        }
    }

    @Test("every job is refused by the platforms that the line below it names, and by no others")
    func rendering() throws {
        for block in try DocumentedBlock.all() where block.kind == "job" {
            let job = try SendJob(decoding: block.bytes, messageID: Self.id)
            if case .template = job.content { continue }
            var refusals: [String: String] = [:]
            let wanted = job.platforms.platforms
            for platform in wanted {
                if let code = Self.refusal(of: job, on: platform) { refusals[platform.name] = code.rawValue }
            }
            #expect(refusals == block.refusals, "\(block)")
        }
    }

    private static func refusal(of job: SendJob, on platform: Platform) -> RenderError.Code? {
        let expiry = job.options.expiry(acceptedAt: now)
        let options = PushOptions(notification: job.id, options: job.options, expiresAt: expiry)
        do throws(RenderError) {
            _ = try PushRenderer.prepare(job.content, for: platform, in: RenderContext(options: options, now: now))
            return nil
        } catch {
            return error.code
        }
    }

    @Test("every member and every word that a schema knows is in the document", arguments: SchemaNames.files)
    func names(file: String) throws {
        let document = try Self.document()
        let names = try SchemaNames.read(file)
        #expect(names.count >= 8)
        let missing = names.filter { !SchemaNames.isNamed($0, in: document) }
        #expect(missing.sorted() == [])
    }

    @Test("every code of an error and of a delivery has its row")
    func codes() throws {
        let document = try Self.document()
        let codes = JobError.Code.allCases.map(\.rawValue) + RenderError.Code.allCases.map(\.rawValue)
        let missing = codes.filter { !document.contains("\n| `\($0)` |") }
        #expect(missing == [])
    }

    @Test("the payloads' sizes are those of the code")
    func sizes() throws {
        let limits = Platform.allCases.map { ("`\($0.name)`", "\($0.payloadLimit)") }
        let lines = try Self.document().replacing(",", with: "").split(separator: "\n").map { line in
            line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
        let header = try #require(lines.firstIndex { $0.count == limits.count && Set($0) == Set(limits.map(\.0)) })
        let row = Dictionary(uniqueKeysWithValues: zip(lines[header], lines[header + 2]))
        for (platform, limit) in limits {
            #expect(row[platform]?.hasPrefix(limit) == true, "\(platform)")
        }
    }

    @Test("every kind of event and of receipt is named")
    func kinds() throws {
        let document = try Self.document()
        let kinds = EventKind.allCases.map(\.rawValue) + ReceiptKind.allCases.map(\.rawValue)
        #expect(kinds.filter { !document.contains("`\($0)`") } == [])
    }

    @Test(
        "every link leads to a heading or a file that is there",
        arguments: ["job-format.md", "platforms.md", "dashboards.md", "templates.md"]
    )
    func links(name: String) throws {
        let folder = SchemaFolder.root.appending(path: "docs")
        let document = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
        let links = document.matches(of: /\]\(([^)#]*)(?:#([^)]+))?\)/)
        #expect(!links.isEmpty)
        for link in links {
            let target = link.1.isEmpty ? folder.appending(path: name) : folder.appending(path: String(link.1))
            guard let text = try? String(contentsOf: target.standardizedFileURL, encoding: .utf8) else {
                Issue.record("\(name): no file \(link.1)")
                continue
            }
            guard let heading = link.2 else { continue }
            #expect(SchemaNames.headings(of: text).contains(String(heading)), "\(name): \(link.0)")
        }
    }
}
