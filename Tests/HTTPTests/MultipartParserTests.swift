import Testing

@testable import HTTP

@Suite struct MultipartParserTests {
    struct Part: Equatable {
        var name: String
        var fileName: String?
        var content: [UInt8]
    }

    static func parse(_ body: [UInt8], boundary: String = "b", pieces: (Int) -> Int) throws -> [Part] {
        var parser = try MultipartParser(boundary: boundary)
        var parts: [Part] = []
        var isOpen = false
        var start = 0
        while start < body.count {
            let end = min(body.count, start + max(1, pieces(start)))
            for event in try parser.read(Array(body[start..<end])) {
                switch event {
                case .partBegan(let part):
                    #expect(!isOpen)
                    isOpen = true
                    parts.append(Part(name: part.name, fileName: part.fileName, content: []))
                case .data(let bytes): parts[parts.count - 1].content += bytes
                case .partEnded:
                    #expect(isOpen)
                    isOpen = false
                }
            }
            start = end
        }
        try parser.finish()
        #expect(!isOpen)
        return parts
    }

    static let form = [
        "--b", "Content-Disposition: form-data; name=\"a\"", "", "one\r\n--cx\r\n", "--b  ",
        "content-disposition: form-data; name=file; filename=\"x y.png\"", "Content-Type: image/png", "", "", "--b--",
        "rest",
    ].joined(separator: "\r\n")

    @Test("a form is read, however it is cut", arguments: [1, 2, 3, 7, 1000])
    func pieces(size: Int) throws {
        let parts = try Self.parse(Array(Self.form.utf8)) { _ in size }
        #expect(
            parts == [
                Part(name: "a", content: Array("one\r\n--cx\r\n".utf8)),
                Part(name: "file", fileName: "x y.png", content: []),
            ]
        )
    }

    @Test("the boundary comes from the content type")
    func contentType() throws {
        #expect(throws: Never.self) { try MultipartParser(contentType: "multipart/form-data; boundary=\"a b\"") }
        for type in [
            nil, "text/plain", "multipart/form-data", "multipart/form-data; boundary=\"a \"",
            "multipart/mixed; boundary=a",
        ] {
            #expect(throws: MultipartError.invalidBoundary) { try MultipartParser(contentType: type) }
        }
        #expect(throws: MultipartError.invalidBoundary) {
            try MultipartParser(boundary: String(repeating: "a", count: 71))
        }
        #expect(throws: MultipartError.invalidBoundary) { try MultipartParser(boundary: "a\r") }
    }

    static let header = "Content-Disposition: form-data; name=a\r\n\r\n"

    @Test(
        "a malformed body is refused",
        arguments: [
            ("", MultipartError.truncated), ("--b--", nil), ("--b\r\n\(header)x", .truncated),
            ("--b\r\n\(header)x\r\n--b", .truncated), ("--b\r\n\(header)x\r\n--b--", nil), ("--bx\r\n", .malformed),
            ("--b\n\(header)", .malformed), ("--b\r\nX: 1\r\n\r\n", .malformed),
            ("--b\r\nno colon\r\n\r\n", .malformed),
            ("--b\r\nContent-Disposition: attachment; name=a\r\n\r\n", .malformed),
            ("--b\r\nContent-Disposition: form-data\r\n\r\n", .malformed),
            ("--b\r\n\(header.dropLast(2))\(header)", .malformed),
            ("--b\r\n" + String(repeating: "X: 1\r\n", count: 1000) + "\r\n", .limit),
            (String(repeating: "x", count: 2000), .limit),
            (String(repeating: "--b\r\n\(header)x\r\n", count: 33) + "--b--", .limit),
        ] as [(String, MultipartError?)]
    )
    func malformed(body: String, error: MultipartError?) throws {
        func read() throws {
            var parser = try MultipartParser(boundary: "b")
            _ = try parser.read(Array(body.utf8))
            try parser.finish()
        }
        if let error { #expect(throws: error) { try read() } } else { #expect(throws: Never.self) { try read() } }
    }

    @Test("forms of any content come out as they went in", arguments: [1, 2, 3, 4])
    func roundTrip(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let alphabet: [UInt8] = [13, 10, 45, UInt8(ascii: "b"), UInt8(ascii: "c"), 0, 255]
        for _ in 0..<300 {
            var parts: [Part] = []
            var body: [UInt8] = []
            for index in 0..<Int.random(in: 0...4, using: &generator) {
                let count = Int.random(in: 0...200, using: &generator)
                let content = (0..<count).map { _ in alphabet.randomElement(using: &generator) ?? 0 }
                parts.append(Part(name: "n\(index)", content: content))
                body +=
                    Array("--bcb\r\nContent-Disposition: form-data; name=n\(index)\r\n\r\n".utf8) + content + [13, 10]
            }
            body += Array("--bcb--\r\n".utf8)
            // The content must not hold the delimiter; with this alphabet it seldom does.
            guard
                !parts.contains(where: {
                    contains($0.content, Array("\r\n--bcb".utf8)) || $0.content.starts(with: Array("--bcb".utf8))
                })
            else { continue }
            var cuts = generator
            let read = try Self.parse(body, boundary: "bcb") { _ in Int.random(in: 1...40, using: &cuts) }
            #expect(read == parts, "seed \(seed)")
        }
    }

    @Test("a part's digest is read, once")
    func digest() throws {
        func part(_ lines: String) throws -> MultipartPart? {
            var parser = try MultipartParser(boundary: "b")
            let head = "--b\r\nContent-Disposition: form-data; name=a\r\n\(lines)\r\n"
            guard case .partBegan(let part)? = try parser.read(Array(head.utf8)).first else { return nil }
            return part
        }
        #expect(try part("")?.contentDigest == nil)
        #expect(try part("content-digest:  sha-256=:AA==: \r\n")?.contentDigest == "sha-256=:AA==:")
        #expect(throws: MultipartError.malformed) { try part("Content-Digest: a\r\nContent-Digest: a\r\n") }
    }

    @Test("any octets are read or refused", arguments: [1, 2, 3, 4])
    func fuzz(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let words = [
            "--b", "\r\n", "--", Self.header, "\r", "\n", "x", "Content-Disposition: ", "form-data; name=a", ":",
        ]
        for _ in 0..<3000 {
            var parser = try MultipartParser(boundary: "b")
            for _ in 0..<Int.random(in: 1...30, using: &generator) {
                let word = words.randomElement(using: &generator) ?? ""
                guard (try? parser.read(Array(word.utf8))) != nil else { break }
            }
        }
    }

    private func contains(_ bytes: [UInt8], _ pattern: [UInt8]) -> Bool {
        guard bytes.count >= pattern.count else { return false }
        return (0...(bytes.count - pattern.count)).contains { bytes[$0...].starts(with: pattern) }
    }
}
