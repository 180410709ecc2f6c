import DispatchCore
import Foundation
import Testing

@Suite("The template language of Azure Notification Hubs")
struct AzureSyntaxTests {
    @Test(
        "a text becomes",
        arguments: [
            // The first character decides; everything else is copied.
            TemplateExample("Hello $(name)", #"{"name":"Ada"}"#, #""Hello $(name)""#),
            TemplateExample("", "{}", #""""#),
            TemplateExample("   ", "{}", #""   ""#),
            TemplateExample(" $(name)", #"{"name":"Ada"}"#, #"" $(name)""#),
            TemplateExample("a'b\"c", "{}", #""a'b\"c""#),
            TemplateExample("'x' + $(name)", "{}", #""'x' + $(name)""#),
            // $
            TemplateExample("$(name)", #"{"name":"Ada"}"#, #""Ada""#),
            TemplateExample("$(NAME)", #"{"naMe":"Ada"}"#, #""Ada""#),
            TemplateExample("$( name )", #"{"name":"Ada"}"#, #""Ada""#),
            TemplateExample("$(\u{A0}name\u{2003})", #"{"name":"Ada"}"#, #""Ada""#),
            TemplateExample("$(name)", "{}", #""""#),
            TemplateExample("$(n_1)", #"{"n_1":"\"\\\n\u0001é🎉"}"#, #""\"\\\n\u0001é🎉""#),
            TemplateExample("$(a)", #"{"a":1.50}"#, #""1.50""#),
            TemplateExample("$(a)", #"{"a":true}"#, #""true""#),
            TemplateExample("$(a)", #"{"a":{"b":["c",null]}}"#, #""{\"b\":[\"c\",null]}""#),
            TemplateExample("$(a)", #"{"A":"first","a":"second"}"#, #""first""#),
            // Clipped, in UTF-16 units.
            TemplateExample("$(a,3)", #"{"a":"abcdef"}"#, #""abc""#),
            TemplateExample("$(a,6)", #"{"a":"abcdef"}"#, #""abcdef""#),
            TemplateExample("$(a,0)", #"{"a":"abcdef"}"#, #""""#),
            TemplateExample("$(a, +2 )", #"{"a":"abcdef"}"#, #""ab""#),
            TemplateExample("$(a,-0)", #"{"a":"abcdef"}"#, #""""#),
            TemplateExample("$(a,2147483647)", #"{"a":"abcdef"}"#, #""abcdef""#),
            TemplateExample("$(a,2)", #"{"a":"éßx"}"#, #""éß""#),
            TemplateExample("$(a,2)", #"{"a":"x🎉y"}"#, #""x""#),
            TemplateExample("$(a,3)", #"{"a":"x🎉y"}"#, #""x🎉""#),
            TemplateExample("$(a,2)", #"{"a":"e\u0301x"}"#, "\"e\u{301}\""),
            TemplateExample("$(a,2)", #"{"a":"\n\t\r"}"#, #""\n\t""#),
            // With dots.
            TemplateExample(".(a,6)", #"{"a":"abcdef"}"#, #""abcdef""#),
            TemplateExample(".(a,5)", #"{"a":"abcdef"}"#, #""ab...""#),
            TemplateExample(".(a,3)", #"{"a":"abcdef"}"#, #""...""#),
            TemplateExample(".(a,2)", #"{"a":"abcdef"}"#, #""..""#),
            TemplateExample(".(a,0)", #"{"a":"abcdef"}"#, #""""#),
            TemplateExample(".(a,1)", #"{"a":"🎉"}"#, #"".""#),
            TemplateExample(".(a,5)", #"{"a":"x🎉yzzz"}"#, #""x...""#),
            TemplateExample(".(a,5)", "{}", #""""#),
            // URI-encoded.
            TemplateExample("%(a)", #"{"a":"a b/é~-._?🎉"}"#, #""a%20b%2F%C3%A9~-._%3F%F0%9F%8E%89""#),
            // Numbers.
            TemplateExample("#(a)", #"{"a":"12"}"#, "12"),
            TemplateExample("#(a)", #"{"a":12}"#, "12"),
            TemplateExample("#(a)", #"{"a":"0.50e+7"}"#, "0.50e+7"),
            TemplateExample("#(a)", #"{"a":"1E9"}"#, "1E9"),
            TemplateExample("#(a)", #"{"a":"-1"}"#, #""-1""#),
            TemplateExample("#(a)", #"{"a":"012"}"#, #""012""#),
            TemplateExample("#(a)", #"{"a":"1."}"#, #""1.""#),
            TemplateExample("#(a)", #"{"a":".5"}"#, #"".5""#),
            TemplateExample("#(a)", #"{"a":"1e"}"#, #""1e""#),
            TemplateExample("#(a)", #"{"a":"1 "}"#, #""1 ""#),
            TemplateExample("#(a)", #"{"a":"\"x"}"#, #""\"x""#),
            TemplateExample("#(a)", #"{"a":true}"#, #""true""#),
            TemplateExample("#(a)", #"{"a":{"b":1}}"#, #""{\"b\":1}""#),
            TemplateExample("#(a)", "{}", #""""#),
            TemplateExample("#(a:{7})", "{}", "7"),
            TemplateExample("#(a:{none})", "{}", #""none""#),
            // Composites.
            TemplateExample("{'Hello ' + $(name)}", #"{"name":"Ada"}"#, #""Hello Ada""#),
            TemplateExample("{ \"a\"\"b\"  + 'c''d' }", "{}", #""a\"bc'd""#),
            TemplateExample("{$(a)+.(b,4)+%(c)}", #"{"a":"1","b":"22222","c":"3 3"}"#, #""12...3%203""#),
            TemplateExample("{'' + '}' + '' }", "{}", #""}""#),
            TemplateExample("{#(a)}", #"{"a":"5"}"#, #""5""#),
            TemplateExample("$(a) + 'x'", #"{"a":"5"}"#, #""5x""#),
            TemplateExample("$(a)+$(a)", #"{"a":"5"}"#, #""55""#),
            TemplateExample("{'+' + '$(a)'}", #"{"a":"5"}"#, #""+$(a)""#),
            // The hidden default.
            TemplateExample("$(a:{none})", "{}", #""none""#),
            TemplateExample("$(a:{none})", #"{"a":""}"#, #""""#),
            TemplateExample("$(a:{})", "{}", #""""#),
            TemplateExample("$(a :{b),c} )", "{}", #""b),c""#),
            TemplateExample(#"$(a:{\}\\x\"})"#, "{}", #""}\\x\"""#),
            TemplateExample("$(a:{abcdef},2)", "{}", #""ab""#),
            TemplateExample(".(a:{abcdef} , 4)", "{}", #""a...""#),
            TemplateExample("%(a:{b c})", "{}", #""b%20c""#),
            TemplateExample("{$(a:{'x' + $(b)}) + 'y'}", #"{"b":"1"}"#, #""'x' + $(b)y""#),
        ]
    )
    func value(example: TemplateExample) throws {
        #expect(try example.json(.azure) == example.result)
    }

    @Test("names of 120 characters are the longest")
    func longName() throws {
        let name = String(repeating: "n", count: 120)
        #expect(try TemplateExample("$(\(name))", #"{"\#(name)":"v"}"#, "").json(.azure) == #""v""#)
    }

    @Test("names, literals, numbers and members keep their order and bytes")
    func literals() throws {
        let body = ##"{"b":[1.10,1e2,true,null,"x",{"$(a)":"$(a)"}],"aps":{"badge":"#(n)","alert":"é\n"},"a":{}}"##
        let template = try TemplateExample.template(" \n" + body.replacingOccurrences(of: ",", with: " , "), on: .apns)
        let push = try template.render(
            TemplateExample.properties(#"{"a":"v","n":3}"#),
            in: TemplateExample.context
        )
        let expected = #"{"b":[1.10,1e2,true,null,"x",{"$(a)":"v"}],"aps":{"badge":3,"alert":"é\n"},"a":{}}"#
        #expect(String(decoding: push.bodyHead, as: UTF8.self) == expected)
    }
}
