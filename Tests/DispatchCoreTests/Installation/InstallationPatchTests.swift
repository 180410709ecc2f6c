import Testing

@testable import DispatchCore

@Suite struct InstallationPatchTests {
    private static let phone = #"""
        {"installationId":"i","hub":"shop","userId":"alice","platform":"apns","pushChannel":"aa","tags":["a","b","7"],
         "templates":{"t":{"body":"{\"aps\":{\"alert\":\"$(x)\"}}"}},"locale":"en"}
        """#

    private func patched(_ patch: String, of document: String = phone) throws -> Installation {
        let installation = try Installation(decoding: Array(document.utf8))
        return try InstallationPatch(decoding: Array(patch.utf8)).applied(to: installation)
    }

    private func tags(_ operation: String) throws -> [String] { try patched("[\(operation)]").tags.map(\.text) }

    @Test("an installation's document reads as the same installation")
    func document() throws {
        let browser =
            #"{"installationId":"w","platform":"browser","pushChannel":{"endpoint":"https://e.example/1","p256dh":"BPw","auth":"xy"},"expirationTime":"2030-01-02T03:04:05.000006Z","timeZone":"Europe/Paris","permission":"denied"}"#
        let empty = #"{"installationId":"e","platform":"fcmV1","pushChannel":"c"}"#
        for text in [browser, empty] {
            let installation = try Installation(decoding: Array(text.utf8))
            #expect(try Installation(decoding: installation.document) == installation)
        }
    }

    @Test("each member is added, replaced and removed")
    func members() throws {
        let patch = #"""
            [{"op":"add","path":"/userId","value":"bob"},{"op":"replace","path":"/pushChannel","value":"bb"},
             {"op":"remove","path":"/locale"},{"op":"add","path":"/timeZone","value":"Asia/Tokyo"},
             {"op":"add","path":"/permission","value":"provisional"},{"op":"add","path":"/topic","value":"app.x"},
             {"op":"add","path":"/expirationTime","value":"2031-01-01T00:00:00Z"},
             {"op":"add","path":"/environment","value":"sandbox"}]
            """#
        let result = try patched(patch)
        #expect(result.userID == "bob" && result.pushChannel == "bb" && result.locale == nil)
        #expect(result.timeZone == "Asia/Tokyo" && result.permission == .provisional && result.topic == "app.x")
        #expect(result.environment == .sandbox && result.expirationTime == Timestamp(rfc3339: "2031-01-01T00:00:00Z"))
        #expect(result.hub == "shop" && result.tags.count == 3)
    }

    @Test("tags are changed by position, by name, at the end and as a whole")
    func tags() throws {
        #expect(try tags(#"{"op":"add","path":"/tags/-","value":"c"}"#) == ["a", "b", "7", "c"])
        #expect(try tags(#"{"op":"add","path":"/tags/0","value":"c"}"#) == ["c", "a", "b", "7"])
        #expect(try tags(#"{"op":"add","path":"/tags","value":"c"}"#) == ["a", "b", "7", "c"])
        #expect(try tags(#"{"op":"add","path":"/tags","value":["c"]}"#) == ["c"])
        #expect(try tags(#"{"op":"add","path":"/tags/-","value":"a"}"#) == ["a", "b", "7"])
        #expect(try tags(#"{"op":"remove","path":"/tags/1"}"#) == ["a", "7"])
        #expect(try tags(#"{"op":"remove","path":"/tags/b"}"#) == ["a", "7"])
        #expect(try tags(#"{"op":"remove","path":"/tags/7"}"#) == ["a", "b"])
        #expect(try tags(#"{"op":"replace","path":"/tags/a","value":"z"}"#) == ["z", "b", "7"])
        #expect(try tags(#"{"op":"remove","path":"/tags"}"#) == [])
        let untagged = #"{"installationId":"e","platform":"fcmV1","pushChannel":"c"}"#
        #expect(try patched(#"[{"op":"add","path":"/tags/-","value":"c"}]"#, of: untagged).tags.map(\.text) == ["c"])
    }

    @Test("templates are changed whole, by member and as text")
    func templates() throws {
        let body = #"{\"aps\":{\"alert\":\"$(y)\"}}"#
        let add = try patched(#"[{"op":"add","path":"/templates/u","value":{"body":"\#(body)"}}]"#)
        #expect(add.templates?.members?.map(\.name) == ["t", "u"])
        let template = #"{\"body\":\"{\\\"aps\\\":{\\\"alert\\\":\\\"z\\\"}}\"}"#
        let text = try patched(#"[{"op":"add","path":"/templates/a~1b~01","value":"\#(template)"}]"#)
        #expect(text.templates?["a/b~1"]?["body"]?.string == #"{"aps":{"alert":"z"}}"#)
        let member = try patched(#"[{"op":"replace","path":"/templates/t/body","value":"\#(body)"}]"#)
        #expect(member.templates?["t"]?["body"]?.string == #"{"aps":{"alert":"$(y)"}}"#)
        let removed = try patched(#"[{"op":"remove","path":"/templates/t"}]"#)
        #expect(removed.templates == nil)
    }

    @Test("a test that holds changes nothing, whatever the order of members; one that fails stops everything")
    func tests() throws {
        let phone = try Installation(decoding: Array(Self.phone.utf8))
        let holding =
            #"[{"op":"test","path":"/userId","value":"alice"},{"op":"test","path":"/tags/1","value":"b"},{"op":"test","path":"/platform","value":"apns"}]"#
        #expect(try patched(holding) == phone)
        for failing in [#"/userId","value":"bob"#, #"/tags/9","value":"b"#, #"/topic","value":"x"#] {
            let patch = #"[{"op":"remove","path":"/userId"},{"op":"test","path":"\#(failing)"}]"#
            #expect(throws: InstallationPatchError.testFailed(operation: 1)) { try patched(patch) }
        }
    }

    @Test("what is not there cannot be removed, replaced or gone into")
    func targets() {
        for operation in [
            #""remove","path":"/topic""#, #""replace","path":"/topic","value":"x""#, #""remove","path":"/tags/x""#,
            #""add","path":"/tags/9","value":"x""#, #""add","path":"/templates/x/body","value":"{}""#,
            #""remove","path":"/tags/01""#,
        ] {
            #expect(throws: InstallationPatchError.noTarget(operation: 0), "\(operation)") {
                try patched(#"[{"op":\#(operation)}]"#)
            }
        }
    }

    @Test("a result that is no installation is refused with the place in it")
    func results() {
        for (operation, path) in [
            (#""remove","path":"/pushChannel""#, "$.pushChannel"),
            (#""replace","path":"/tags","value":"a,b""#, "$.tags"),
            (#""add","path":"/tags/-","value":"a b""#, "$.tags[3]"),
            (#""add","path":"/permission","value":"maybe""#, "$.permission"),
            (#""add","path":"/userId","value":null"#, "$.userId"),
        ] {
            #expect("\(operation)") {
                try patched(#"[{"op":\#(operation)}]"#)
            } throws: { error in
                guard case InstallationPatchError.invalid(let cause) = error else { return false }
                return cause.path == path
            }
        }
    }

    @Test("a patch that is malformed, or goes where it may not, is refused with its place")
    func malformed() {
        for (patch, path) in [
            ("{}", "$"), ("[1]", "$[0]"), (#"[{"op":"move","path":"/tags"}]"#, "$[0].op"),
            (#"[{"path":"/tags"}]"#, "$[0].op"), (#"[{"op":"add","value":1}]"#, "$[0].path"),
            (#"[{"op":"add","path":"/tags"}]"#, "$[0].value"), (#"[{"op":"remove","path":"tags"}]"#, "$[0].path"),
            (#"[{"op":"remove","path":"/platform"}]"#, "$[0].path"),
            (#"[{"op":"remove","path":"/hub"}]"#, "$[0].path"), (#"[{"op":"remove","path":"/tags/0/1"}]"#, "$[0].path"),
            (#"[{"op":"add","path":"/pushChannel/auth","value":"x"}]"#, "$[0].path"),
            (#"[{"op":"add","path":"/templates/t","value":"{"}]"#, "$[0].value"),
        ] {
            #expect("\(patch)") {
                _ = try InstallationPatch(decoding: Array(patch.utf8))
            } throws: { error in
                (error as? JobError)?.path == path
            }
        }
        let long = "[" + Array(repeating: #"{"op":"remove","path":"/tags"}"#, count: 101).joined(separator: ",") + "]"
        #expect(throws: JobError.self) { try InstallationPatch(decoding: Array(long.utf8)) }
    }
}
