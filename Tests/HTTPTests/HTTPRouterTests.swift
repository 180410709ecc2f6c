import Testing

@testable import HTTP

@Suite struct HTTPRouterTests {
    static func router() throws -> HTTPRouter<String> {
        var router = HTTPRouter<String>()
        try router.add(.get, "/api/installations", "list")
        try router.add(.post, "/api/installations", "create")
        try router.add(.get, "/api/installations/{id}", "read")
        try router.add(.delete, "/api/installations/{id}", "delete")
        try router.add(.get, "/api/installations/count", "count")
        try router.add(.get, "/api/{kind}/{id}/history", "history")
        try router.add(.get, "/", "root")
        return router
    }

    static func find(_ method: HTTPMethod, _ path: String) throws -> String {
        switch try router().match(method, HTTPTarget(path).segments) {
        case .found(let route, let parameters): "\(route) \(parameters["kind"] ?? "") \(parameters["id"] ?? "")"
        case .methodNotAllowed(let allow): "405 \(allow)"
        case .notFound: "404"
        }
    }

    @Test(
        "a request finds its route",
        arguments: [
            (HTTPMethod.get, "/api/installations", "list  "), (.post, "/api/installations?x=1", "create  "),
            (.get, "/api/installations/a%2Fb", "read  a/b"), (.get, "/api/installations/count", "count  "),
            (.head, "/api/installations/7", "read  7"),
            (.get, "/api/installations/7/history", "history installations 7"),
            (.get, "/api/jobs/7/history", "history jobs 7"), (.get, "/", "root  "),
            (.put, "/api/installations", "405 GET, HEAD, POST"),
            (.post, "/api/installations/7", "405 DELETE, GET, HEAD"),
            (.delete, "/api/installations/count", "405 GET, HEAD"),
            (.get, "/api", "404"), (.get, "/api/installations/", "404"), (.get, "/API/installations", "404"),
            (.get, "/api/jobs", "404"), (.get, "//", "404"),
        ]
    )
    func look(method: HTTPMethod, path: String, result: String) throws {
        #expect(try Self.find(method, path) == result)
    }

    @Test("parameters have types")
    func types() {
        let parameters = HTTPRouteParameters(names: ["id", "name"], values: ["12", "x"])
        #expect(parameters.value("id", as: Int.self) == 12)
        #expect(parameters.value("name", as: Int.self) == nil)
        #expect(parameters["other"] == nil)
    }

    @Test("a pattern is well-formed and free")
    func patterns() throws {
        var router = try Self.router()
        #expect(throws: HTTPRouteError.duplicate("/api/installations/{other}")) {
            try router.add(.get, "/api/installations/{other}", "again")
        }
        for pattern in ["", "a", "/{", "/{}", "/a{b}", "/{a}/{a}", "/{a-b}"] {
            #expect(throws: HTTPRouteError.malformed(pattern)) { try router.add(.get, pattern, "bad") }
        }
    }

    @Test("a deep path that almost fits everywhere is decided quickly")
    func depth() throws {
        var router = HTTPRouter<Int>()
        try router.add(.get, "/" + Array(repeating: "a", count: 20).joined(separator: "/"), 1)
        try router.add(.get, "/" + (0..<20).map { "{p\($0)}" }.joined(separator: "/"), 2)
        let segments = Array(repeating: "a", count: 19) + ["b"]
        guard case .found(2, let parameters) = router.match(.get, segments) else {
            Issue.record("the parameters were not taken")
            return
        }
        #expect(parameters["p19"] == "b")
    }
}
