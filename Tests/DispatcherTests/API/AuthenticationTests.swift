import Foundation
import Testing

@testable import Dispatcher

extension BrokerTests {
    @Suite(.timeLimit(.minutes(4))) struct AuthenticationTests {
        /// The answer without what differs from request to request.
        private func essence(_ answer: APIClient.Answer) -> String {
            answer.text.replacing(/urn:uuid:[0-9a-f-]+/, with: "") + (answer["WWW-Authenticate"] ?? "")
        }

        @Test("every bad credential gets the same answer")
        func refusals() async throws {
            try await Stage.with { stage in
                try await stage.withAPI { (api: APIClient) async throws in
                    let base = "http://127.0.0.1:\(api.port)"
                    let good = try APIClient.token("all", Stage.secret, base + "/")
                    let bad = [
                        try APIClient.token("nobody", Stage.secret, base + "/"),
                        try APIClient.token("all", "wrong" + Stage.secret, base + "/"),
                        try APIClient.token("all", Stage.secret, base + "/", seconds: -1),
                        try APIClient.token("all", Stage.secret, base + "/api/jobs"),
                        try APIClient.token("all", Stage.secret, base + "/api/inst"),
                        try APIClient.token("all", Stage.secret, base + "/api/installations?user=x"),
                        try APIClient.token("all", Stage.secret, "http://elsewhere.example/"),
                        try APIClient.token("all", Stage.secret, "/api"),
                        good.replacing("se=", with: "se=9"), good + "&skn=all", good.replacing("&skn=all", with: ""),
                        good.replacing("sig=", with: "sig=%zz"), good.replacing("&se=", with: "&se=-"),
                        good.replacing("skn=all", with: "skn=a%00"), "SharedAccessSignature", "SharedAccessSignature ",
                        "Basic !", "Basic " + Data("x".utf8).base64EncodedString(),
                        "Basic " + Data("phone:secret".utf8).base64EncodedString(), "Bearer ", "Bearer x", "Digest x",
                        "",
                    ]
                    var answers: Set<String> = []
                    for field in bad {
                        let answer = try await api.as(.field(field)).send("GET", "/api/installations")
                        #expect(answer.status == 401, "\(field)")
                        answers.insert(essence(answer))
                    }
                    answers.insert(essence(try await api.as(.nobody).send("GET", "/api/installations")))
                    #expect(answers.count == 1, "\(answers)")
                }
            }
        }

        @Test("a token is good for its address and what is below, by either secret, however it is written")
        func tokens() async throws {
            try await Stage.with { stage in
                try await stage.withAPI { (api: APIClient) async throws in
                    let base = "127.0.0.1:\(api.port)"
                    for (secret, address) in [
                        (Stage.secret, "http://\(base)/"), (Stage.secret, "sb://127.0.0.1"),
                        ("second-" + Stage.secret, "https://\(base)/API/Installations"),
                        (Stage.secret, "https://\(base)/api/installations?user=a"),
                    ] {
                        let field = try APIClient.token("all", secret, address)
                        let answer = try await api.as(.field(field)).send("GET", "/api/installations?user=a")
                        #expect(answer.status == 200, "\(address): \(answer.text)")
                    }
                    let parts = try APIClient.token("all", Stage.secret, "http://\(base)/").dropFirst(22).split(
                        separator: "&"
                    )
                    let turned = "sharedaccesssignature " + parts.reversed().joined(separator: "&")
                    #expect(try await api.as(.field(turned)).send("GET", "/api/installations").status == 200)
                }
            }
        }

        @Test("a right allows what it is for, and to manage allows all")
        func rights() async throws {
            try await Stage.with { stage in
                try await stage.withAPI { (api: APIClient) async throws in
                    try await stage.addKey("listener", rights: .listen)
                    try await stage.addKey("sender", rights: .send)
                    let job = "/api/jobs/0193f2c4-7d1e-7abc-8def-0123456789ab"
                    for (name, device, sent, search) in [
                        ("listener", 404, 403, 403), ("sender", 403, 404, 403), ("all", 404, 404, 200),
                    ] {
                        let client = api.as(.key(name, Stage.secret))
                        #expect(try await client.send("GET", "/api/installations/x").status == device, "\(name)")
                        #expect(try await client.send("GET", job).status == sent, "\(name)")
                        #expect(try await client.send("GET", "/api/installations").status == search, "\(name)")
                    }
                }
            }
        }

        @Test("an address that fails too often is told to wait, while good credentials pass")
        func limit() async throws {
            try await Stage.with { stage in
                try await stage.withAPI { (api: APIClient) async throws in
                    var statuses: [Int] = []
                    for _ in 1...32 {
                        let answer = try await api.as(.bearer("x")).send("GET", "/api/installations")
                        statuses.append(answer.status)
                        if answer.status == 429 { #expect(Int(answer["Retry-After"] ?? "") ?? 0 > 0) }
                    }
                    #expect(statuses == Array(repeating: 401, count: 30) + [429, 429])
                    #expect(try await api.send("GET", "/api/installations").status == 200)
                }
            }
        }
    }
}
