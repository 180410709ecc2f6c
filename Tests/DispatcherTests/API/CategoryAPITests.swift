import DispatchCore
import Foundation
import Testing

@testable import Dispatcher

extension BrokerTests {
    @Suite(.timeLimit(.minutes(4))) struct CategoryAPITests {
        private static let path = "/api/categories/event-invite"
        private static let accept = #"{"actions":[{"title":"Accept","id":"accept","options":[]}]}"#
        private static let document = #"{"id":"event-invite","actions":[{"id":"accept","title":"Accept"}]}"#

        @Test("a category is declared, read, replaced and removed; its tag is that of its content")
        func life() async throws {
            try await Stage.with { stage in
                try await stage.withAPI { (api: APIClient) async throws in
                    #expect(try await api.send("GET", Self.path).status == 404)
                    let first = try await api.send("PUT", Self.path, Self.accept)
                    #expect(first.status == 201 && first.text == Self.document, "\(first.text)")
                    let again = try await api.send("PUT", Self.path, Self.document)
                    #expect(again.status == 200 && again["ETag"] == first["ETag"])
                    let read = try await api.send("GET", Self.path)
                    #expect(read.text == Self.document && read["ETag"] == first["ETag"])
                    let other = try await api.send("PUT", Self.path, "{}")
                    #expect(other.status == 200 && other.text == #"{"id":"event-invite"}"#)
                    #expect(other["ETag"] != first["ETag"])
                    #expect(try await api.send("DELETE", Self.path).status == 204)
                    #expect(try await api.send("DELETE", Self.path).status == 204)
                    #expect(try await api.send("GET", Self.path).status == 404)
                }
            }
        }

        @Test("an app reads all of them in one answer, and again only when one has changed")
        func launch() async throws {
            try await Stage.with { stage in
                try await stage.withAPI { (api: APIClient) async throws in
                    let answer = try await api.send("PUT", "/api/installations/phone", Stage.phone("ok-1"))
                    let phone = api.as(.bearer(try #require(answer.member("secret"))))
                    #expect(try await phone.send("GET", "/api/categories").text == #"{"categories":[]}"#)
                    for id in ["b", "a%20%2F%20%C3%A9"] { _ = try await api.send("PUT", "/api/categories/\(id)", "{}") }
                    let all = try await phone.send("GET", "/api/categories")
                    #expect(all.text == #"{"categories":[{"id":"a / é"},{"id":"b"}]}"#)
                    let known = ["If-None-Match": try #require(all["ETag"])]
                    #expect(try await phone.send("GET", "/api/categories", nil, known).status == 304)
                    #expect(try await api.send("DELETE", "/api/categories/b").status == 204)
                    #expect(try await phone.send("GET", "/api/categories", nil, known).status == 200)
                    _ = try await api.send("PUT", "/api/categories/b", "{}")
                    #expect(try await phone.send("GET", "/api/categories", nil, known).status == 304)
                    #expect(try await phone.send("GET", "/api/categories/b").status == 200)
                    #expect(try await phone.send("PUT", "/api/categories/b", "{}").status == 403)
                    #expect(try await phone.send("DELETE", "/api/categories/b").status == 403)
                    try await stage.addKey("listener", rights: .listen)
                    let listener = api.as(.key("listener", Stage.secret))
                    #expect(try await listener.send("GET", "/api/categories").status == 200)
                    #expect(try await listener.send("PUT", "/api/categories/b", "{}").status == 403)
                }
            }
        }

        @Test("of two changes that depend on the same state one is made")
        func conditions() async throws {
            try await Stage.with { stage in
                try await stage.withAPI { (api: APIClient) async throws in
                    let onlyNew = ["If-None-Match": "*"]
                    #expect(try await api.send("PUT", Self.path, "{}", ["If-Match": "*"]).status == 412)
                    async let first = api.send("PUT", Self.path, "{}", onlyNew).status
                    async let second = api.send("PUT", Self.path, "{}", onlyNew).status
                    #expect(try await [first, second].sorted() == [201, 412])
                    let tag = ["If-Match": try #require(try await api.send("GET", Self.path)["ETag"])]
                    async let left = api.send("PUT", Self.path, Self.accept, tag).status
                    async let right = api.send("PUT", Self.path, #"{"summaryFormat":"%u"}"#, tag).status
                    #expect(try await [left, right].sorted() == [200, 412])
                    #expect(try await api.send("DELETE", Self.path, nil, tag).status == 412)
                }
            }
        }

        @Test("what is wrong is refused with its place")
        func refusals() async throws {
            try await Stage.with { stage in
                try await stage.withAPI { (api: APIClient) async throws in
                    let long = String(repeating: "x", count: CategoryLimits.bodyBytes)
                    for (body, status, place) in [
                        ("{", 400, "$"), ("[]", 400, "$"), (#"{"id":"other"}"#, 400, "$.id"),
                        (#"{"id":7}"#, 400, "$.id"),
                        (#"{"actions":[{"id":"a"}]}"#, 400, "$.actions[0].title"),
                        (#"{"hub":"default"}"#, 400, "$.hub"),
                        (#"{"summaryFormat":"\#(long)"}"#, 413, nil as String?),
                    ] {
                        let answer = try await api.send("PUT", Self.path, body)
                        #expect(answer.status == status, "\(body.prefix(80)): \(answer.text)")
                        if let place { #expect(answer.member("path") == place, "\(body.prefix(80)): \(answer.text)") }
                    }
                    #expect(try await api.send("PUT", Self.path, "{}", ["Content-Type": "text/plain"]).status == 415)
                    #expect(try await api.send("PUT", "/api/categories/a%00b", "{}").status == 400)
                    let name = String(repeating: "n", count: CategoryLimits.nameBytes + 1)
                    #expect(try await api.send("PUT", "/api/categories/\(name)", "{}").status == 400)
                    #expect(try await api.send("GET", "/api/categories?limit=1").status == 400)
                    #expect(try await stage.database.count("SELECT count(*) FROM dispatcher.category") == 0)
                }
            }
        }

        @Test("a hub has so many and no more, however many come at a time")
        func limit() async throws {
            try await Stage.with { stage in
                try await stage.withAPI { (api: APIClient) async throws in
                    try await stage.database.execute(
                        """
                        INSERT INTO dispatcher.category (hub_id, category_id, document)
                        SELECT 1, 'c' || n, '{"id":"c' || n || '"}' FROM generate_series(3, \(CategoryLimits.perHub)) n
                        """
                    )
                    let answers = try await withThrowingTaskGroup(of: APIClient.Answer.self) { group in
                        for number in 0..<6 {
                            group.addTask { try await api.send("PUT", "/api/categories/new-\(number)", "{}") }
                        }
                        return try await group.reduce(into: []) { $0.append($1) }
                    }
                    #expect(answers.map(\.status).sorted() == [201, 201, 409, 409, 409, 409])
                    #expect(answers.contains { $0.member("code") == "tooManyCategories" })
                    // One that is there may change, and another hub has room of its own.
                    #expect(try await api.send("PUT", "/api/categories/c3", Self.accept).status == 200)
                    try await stage.addKey("theirs", rights: .manage, hub: "other")
                    let other = api.as(.key("theirs", Stage.secret))
                    #expect(try await other.send("PUT", Self.path, "{}").status == 201)
                }
            }
        }
    }
}
