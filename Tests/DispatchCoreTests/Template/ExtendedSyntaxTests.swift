import DispatchCore
import Testing

@Suite("The extended template language")
struct ExtendedSyntaxTests {
    @Test(
        "a text becomes",
        arguments: [
            TemplateExample("Hello $(name)!", #"{"name":"Ada"}"#, #""Hello Ada!""#),
            TemplateExample(
                "$(a)$(b), .(c,4) and %(d) #(e)",
                #"{"a":1,"b":"2","c":"33333","d":"4 4","e":5}"#,
                #""12, 3... and 4%204 5""#
            ),
            TemplateExample(" $(name)", #"{"name":"Ada"}"#, #"" Ada""#),
            TemplateExample("$(a) + $(b)", #"{"a":1,"b":2}"#, #""1 + 2""#),
            // Signs that begin nothing are themselves.
            TemplateExample("#ff8800", "{}", ##""#ff8800""##),
            TemplateExample("$5, 100% of … .", "{}", #""$5, 100% of … .""#),
            TemplateExample("a {b} 'c' \"d\"", "{}", #""a {b} 'c' \"d\"""#),
            TemplateExample("$body", "{}", #""$body""#),
            // Escapes.
            TemplateExample(##"\$(a) \#(a) \.(a) \%(a)"##, "{}", ##""$(a) #(a) .(a) %(a)""##),
            TemplateExample(#"\{a}"#, "{}", #""{a}""#),
            TemplateExample(#"\\$(a)"#, #"{"a":"x"}"#, #""\\x""#),
            TemplateExample(#"C:\temp\"#, "{}", #""C:\\temp\\""#),
            TemplateExample("\\#1", "{}", ##""#1""##),
            // Nested values.
            TemplateExample("$(user.name)", #"{"user":{"name":"Ada"}}"#, #""Ada""#),
            TemplateExample("$(USER.Name)", #"{"uSer":{"NAME":"Ada"}}"#, #""Ada""#),
            TemplateExample("$( items[1].tags[0] )", #"{"items":[1,{"tags":["x"]}]}"#, #""x""#),
            TemplateExample("$(a[0][1])", #"{"a":[[1,2]]}"#, #""2""#),
            TemplateExample("$(a[2])", #"{"a":[1]}"#, #""""#),
            TemplateExample("$(a.b)", #"{"a":"text"}"#, #""""#),
            TemplateExample("$(a[0])", #"{"a":{"0":1}}"#, #""""#),
            TemplateExample("$(a.b:{none})", #"{"a":{"b":null}}"#, #""none""#),
            TemplateExample(
                "$(user.name:{x},1) and .(a.b,4)",
                #"{"user":{"name":"Ada"},"a":{"b":"12345"}}"#,
                #""A and 1...""#
            ),
            // Whole values.
            TemplateExample("#(a)", #"{"a":-1.50}"#, "-1.50"),
            TemplateExample("#(a)", #"{"a":"12"}"#, "12"),
            TemplateExample("#(a)", #"{"a":"-12"}"#, #""-12""#),
            TemplateExample("#(a)", #"{"a":false}"#, "false"),
            TemplateExample("#(a)", #"{"a":{"b":[1,"\n"]}}"#, #"{"b":[1,"\n"]}"#),
            TemplateExample("#(a.b)", #"{"a":{"b":[1,null]}}"#, "[1,null]"),
            TemplateExample("#(a)", "{}", #""""#),
            TemplateExample("#(a:{8})", "{}", "8"),
            TemplateExample("#(a) ", #"{"a":1}"#, #""1 ""#),
            TemplateExample("$(a)", #"{"a":{"b":[1,"\n"]}}"#, #""{\"b\":[1,\"\\n\"]}""#),
            TemplateExample("$(a,4)", #"{"a":{"b":1}}"#, #""{\"b\"""#),
            TemplateExample("%(a)", #"{"a":[1]}"#, #""%5B1%5D""#),
            // Composites stay, with nested names.
            TemplateExample("{'Hello ' + $(user.name)}", #"{"user":{"name":"Ada"}}"#, #""Hello Ada""#),
        ]
    )
    func value(example: TemplateExample) throws {
        #expect(try example.json(.extended) == example.result)
    }
}
