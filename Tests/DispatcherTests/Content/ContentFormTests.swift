import Crypto
import Foundation
import Testing

@testable import Dispatcher

/// The texts that contents come and go with.
@Suite struct ContentFormTests {
    @Test(
        "a file's name is kept without folders and control characters",
        arguments: [
            ("photo.png", "photo.png"), ("/etc/passwd", "passwd"), (#"C:\a\b.txt"#, "b.txt"), ("a/", "a"), ("..", nil),
            ("../..", nil), ("", nil), (" ", nil), ("/", nil), ("a\r\nb", "ab"), ("a\u{0}b", "ab"),
            ("\u{202E}gpj.exe", "gpj.exe"),
            ("résumé.pdf", "résumé.pdf"), (String(repeating: "x", count: 300), String(repeating: "x", count: 255)),
            (String(repeating: "é", count: 200), String(repeating: "é", count: 127)),
        ] as [(String, String?)]
    )
    func names(text: String, name: String?) {
        #expect(FileName.cleaned(text) == name)
    }

    @Test(
        "the disposition says the name in plain letters, and in full where that is more",
        arguments: [
            (nil, true, "inline"), (nil, false, "attachment"), ("a b.png", true, #"inline; filename="a b.png""#),
            (#"a"b.png"#, false, #"attachment; filename="a_b.png"; filename*=UTF-8''a%22b.png"#),
            ("é;x", false, "attachment; filename=\"__x\"; filename*=UTF-8''%C3%A9%3Bx"),
            ("100%", true, "inline; filename=\"100_\"; filename*=UTF-8''100%25"),
        ] as [(String?, Bool, String)]
    )
    func dispositions(name: String?, isShown: Bool, field: String) {
        #expect(FileName.disposition(name, isShown: isShown) == field)
    }

    @Test("what is no media type is refused, and what nobody names is unknown")
    func types() throws {
        #expect(try ContentType.checked(nil) == "application/octet-stream")
        #expect(try ContentType.checked("text/plain; charset=utf-8") == "text/plain; charset=utf-8")
        for text in [
            "", "image", "image/", "/png", "image/*", "*/*", "a b/c", "image/pñg",
            String(repeating: "x", count: 300) + "/y",
        ] {
            #expect(throws: Problem.self, "\(text)") { try ContentType.checked(text) }
        }
        #expect(ContentType.essence("Image/PNG; a=b") == "image/png")
        for type in ["image/svg+xml", "IMAGE/SVG+XML", "text/html", "video/x+xml", "nonsense", "text/plain2"] {
            #expect(!ContentType.isShown(type), "\(type)")
        }
        for type in ["IMAGE/PNG", "video/mp4; codecs=\"x\"", "text/plain"] {
            #expect(ContentType.isShown(type), "\(type)")
        }
    }

    @Test("a digest is read from among others, and one that cannot be read is refused")
    func digests() throws {
        let digest = try SHA256.digest(of: [1])
        let text = "sha-256=:\(Data(digest).base64EncodedString()):"
        for field in [text, "sha-512=:AA==:, \(text)", " SHA-256=\(text.dropFirst(8)) ", "\(text),md5=:AA==:"] {
            #expect(try DigestField.sha256(field) == digest, "\(field)")
        }
        for field in [nil, "sha-512=:AA==:"] { #expect(try DigestField.sha256(field) == nil) }
        for field in [
            "", "x", "=:AA==:", "md5", "md5=:?:", "unixsum=30637", "\(text),", "a b=:AA==:", "sha-256=", "sha-256=:",
            "sha-256=::",
            "sha-256=:AA==:", "sha-256=:*:", "sha-256=AAAA", String(repeating: "sha-512=:AA==:,", count: 100) + text,
        ] {
            #expect(throws: Problem.self, "\(field)") { try DigestField.sha256(field) }
        }
        #expect(throws: Never.self) { try DigestField.check(digest, against: digest) }
        #expect(throws: Never.self) { try DigestField.check(digest, against: nil) }
        #expect(throws: Problem.self) { try DigestField.check(digest, against: try SHA256.digest(of: [2])) }
    }

    @Test(
        "the public address is one of http without a query",
        arguments: [
            ("https://push.example.com", "https://push.example.com/x"),
            ("https://push.example.com/", "https://push.example.com/x"),
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080/x"), ("https://a.example/hub", "https://a.example/hub/x"),
            ("https://", nil), ("https:///a", nil), ("push.example.com", nil), ("ftp://a", nil), ("https://a?b", nil),
            ("https://a#b", nil), ("https://a b", nil), ("https://é", nil), ("", nil), ("https://a/\"", nil),
        ] as [(String, String?)]
    )
    func addresses(text: String, url: String?) {
        #expect(PublicAddress(text)?.url("/x") == url)
    }
}
