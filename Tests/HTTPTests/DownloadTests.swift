import Glibc
import Testing

@testable import HTTP

extension ServerTests {
    @Suite struct DownloadTests {
        static func get(_ server: HTTPServer, _ fields: [String], method: String = "GET") async throws
            -> RawClient.Response
        {
            let port = server.boundPort
            let request = "\(method) / HTTP/1.1\r\nHost: x\r\n" + fields.map { $0 + "\r\n" }.joined() + "\r\n"
            return try await offPool {
                let client = try RawClient(port)
                try client.send(request)
                return try client.receive(isHead: method == "HEAD")
            }
        }

        static let content = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }

        static func withFile(_ body: (HTTPServer) async throws -> Void) async throws {
            let file = try #require(temporaryFile(content))
            try await withServer(handler: { request in
                .download(request.head, contentType: "application/x-thing", file: file, tag: EntityTag("v1"))
            }) { try await body($0) }
        }

        static func temporaryFile(_ bytes: [UInt8]) -> HTTPFile? {
            guard let stream = tmpfile() else { return nil }
            defer { fclose(stream) }
            guard fwrite(bytes, 1, bytes.count, stream) == bytes.count, fflush(stream) == 0 else { return nil }
            return HTTPFile(takingOver: dup(fileno(stream)))
        }

        @Test("a file is sent whole, with its tag")
        func whole() async throws {
            try await Self.withFile { server in
                let response = try await Self.get(server, [])
                #expect(response.status == 200)
                #expect(response.body == Self.content)
                #expect(response["ETag"] == "\"v1\"")
                #expect(response["Accept-Ranges"] == "bytes")
                #expect(response["Content-Type"] == "application/x-thing")
            }
        }

        @Test("a range of a file is sent with its place")
        func range() async throws {
            try await Self.withFile { server in
                let middle = try await Self.get(server, ["Range: bytes=100000-150000"])
                #expect(middle.status == 206)
                #expect(middle.body == Array(Self.content[100_000...150_000]))
                #expect(middle["Content-Range"] == "bytes 100000-150000/200000")
                let tail = try await Self.get(server, ["Range: bytes=-10"])
                #expect(tail.body == Array(Self.content.suffix(10)))
                let stale = try await Self.get(server, ["Range: bytes=0-1", "If-Range: \"v0\""])
                #expect(stale.status == 200)
                let beyond = try await Self.get(server, ["Range: bytes=200000-"])
                #expect(beyond.status == 416)
                #expect(beyond["Content-Range"] == "bytes */200000")
            }
        }

        @Test("a client that has the representation gets 304")
        func notModified() async throws {
            try await Self.withFile { server in
                let response = try await Self.get(server, ["If-None-Match: W/\"v1\""])
                #expect(response.status == 304)
                #expect(response["Content-Length"] == "200000")
                #expect(response["ETag"] == "\"v1\"")
                let head = try await Self.get(server, [], method: "HEAD")
                #expect(head["Content-Length"] == "200000")
            }
        }

        @Test("fields that frame the message are the server's own")
        func ownedFields() async throws {
            try await withServer(handler: { _ in
                var response = HTTPResponse.text(.ok, "hello")
                for name in ["Content-Length", "transfer-encoding", "Connection", "Date"] {
                    try? response.headers.add(name, "7")
                }
                try? response.headers.add("X-Twice", "1")
                try? response.headers.add("X-Twice", "2")
                return response
            }) { server in
                let response = try await Self.get(server, [])
                #expect(response.text == "hello")
                #expect(response["Content-Length"] == "5")
                #expect(response["Transfer-Encoding"] == nil)
                #expect(response["Connection"] == nil)
                #expect(response.headers.filter { $0.name == "X-Twice" }.map(\.value) == ["1", "2"])
            }
        }

        @Test("a line end of the client does not come back as one")
        func injection() async throws {
            try await withServer(handler: { request in
                var response = HTTPResponse(.ok)
                let text = request.target.firstQueryValue("x") ?? ""
                do { try response.headers.add("X-Echo", text) } catch { return HTTPResponse(.badRequest) }
                return response
            }) { server in
                let port = server.boundPort
                let statuses = try await offPool {
                    let client = try RawClient(port)
                    return try ["fine", "a%0d%0aSet-Cookie:%20b", "a%0ab"].map { value in
                        try client.send("GET /?x=\(value) HTTP/1.1\r\nHost: x\r\n\r\n")
                        return try client.receive().status
                    }
                }
                #expect(statuses == [200, 400, 400])
            }
        }
    }
}
