import DispatchCore
import Testing

@Suite("XML bodies of templates")
struct XMLTemplateTests {
    private func render(
        _ body: String,
        _ properties: String = #"{"a":"<&>'\"\n\u0001é","b":"x"}"#,
        syntax: TemplateSyntax = .azure,
        headers: [String: String] = [:]
    ) throws -> String {
        let template = try TemplateExample.template(body, on: .wns, syntax: syntax, headers: headers)
        let push = try template.render(TemplateExample.properties(properties), in: TemplateExample.context)
        return String(decoding: push.bodyHead, as: UTF8.self)
    }

    @Test(
        "attributes and leaf texts are replaced, the rest stays as it is written",
        arguments: [
            (
                "<toast launch='$(a)'><text>$(a)</text></toast>",
                "<toast launch='&lt;&amp;&gt;&apos;&quot;&#10;\u{FFFD}é'><text>&lt;&amp;&gt;&apos;&quot;\n\u{FFFD}é</text></toast>"
            ),
            (
                "<toast  x = \"1\" ><!-- $(a) --> $(a) <b/>$(b)</toast >",
                "<toast  x = \"1\" ><!-- $(a) --> $(a) <b/>$(b)</toast >"
            ),
            ("<toast><text>&#36;(b)</text></toast>", "<toast><text>x</text></toast>"),
            ("<toast><text><![CDATA[{'&lt;' + $(b)}]]></text></toast>", "<toast><text>&amp;lt;x</text></toast>"),
            ("<toast><text>$(<!-- c -->b)</text></toast>", "<toast><text>x</text></toast>"),
            ("<toast><text>#(b)</text><image id='#(b)'/></toast>", "<toast><text>x</text><image id='x'/></toast>"),
            ("<toast a=\"{&quot;q&quot; + 'r'}\"/>", "<toast a=\"qr\"/>"),
            ("<toast><text>&amp;&#x41;&lt;</text></toast>", "<toast><text>&amp;&#x41;&lt;</text></toast>"),
            (
                "<?xml version='1.0' encoding='utf-16'?>\n<toast><text>$(b)</text></toast>",
                "\n<toast><text>x</text></toast>"
            ),
            (
                " \n<tile><?pi x?><text>$(b)</text></tile><!-- end -->\n",
                "<tile><?pi x?><text>x</text></tile><!-- end -->\n"
            ),
            (
                "<toast><text> $(b)</text><text></text><text/></toast>",
                "<toast><text> $(b)</text><text></text><text/></toast>"
            ),
            ("<toast><ü:x y.z-1='$(b)'/></toast>", "<toast><ü:x y.z-1='x'/></toast>"),
        ]
    )
    func azure(body: String, expected: String) throws {
        #expect(try render(body) == expected)
    }

    @Test("the extended language works inside texts, and takes escapes away")
    func extended() throws {
        let body =
            #"<toast launch="go/%(b)?a=\$(b)"><text>Hello &lt;$(b)&gt; &amp; #(b)</text><text>&lt;</text></toast>"#
        let expected =
            #"<toast launch="go/x%20y?a=$(b)"><text>Hello &lt;x y&gt; &amp; x y</text><text>&lt;</text></toast>"#
        #expect(try render(body, #"{"b":"x y"}"#, syntax: .extended) == expected)
    }

    @Test(
        "what is no XML or not safe is refused, with its place",
        arguments: [
            ("<toast>", 7), ("<toast></tost>", 7), ("<toast/><toast/>", 8), ("<toast/>x", 8), ("<toast a=1/>", 9),
            ("<toast a='1' a='2'/>", 13), ("<toast a='<'/>", 10), ("<toast a='1'b='2'/>", 12),
            ("<toast>&nbsp;</toast>", 7),
            ("<toast>&#0;</toast>", 7), ("<toast>&#xD800;</toast>", 7), ("<toast>&#1234567890;</toast>", 7),
            ("<toast>]]></toast>", 10), ("<toast>\u{1}</toast>", 7), ("<toast>\u{FFFF}</toast>", 7),
            ("<!DOCTYPE toast><toast/>", 1), ("<!DOCTYPE x [<!ENTITY a \"$(b)\">]><toast>&a;</toast>", 1),
            ("<toast><!-- x</toast>", 21), ("<toast><![CDATA[x</toast>", 25), ("<?xml version='1.0'", 19),
            ("< toast/>", 1),
            ("<1/>", 1), ("<toast a='x", 11), ("<toast", 6), ("<", 1), ("<!-- x -->", 10), ("<toast a/>", 8),
            ("</toast>", 0),
        ]
    )
    func refused(body: String, offset: Int) {
        let error = #expect(throws: JobError.self) { try render(body) }
        #expect(error?.code == .badTemplate)
        #expect(error?.path == "$.body")
        #expect(error?.offset == offset)
        #expect(error?.reason.hasPrefix("invalidXML at /") == true)
    }

    @Test("at most 32 levels and 64 attributes")
    func limits() throws {
        func nested(_ depth: Int) -> String {
            "<toast>" + String(repeating: "<a>", count: depth - 1) + String(repeating: "</a>", count: depth - 1)
                + "</toast>"
        }
        func attributes(_ count: Int) -> String {
            "<toast" + (0..<count).map { " a\($0)=''" }.joined() + "/>"
        }
        _ = try render(nested(32))
        _ = try render(attributes(64))
        #expect(throws: JobError.self) { try render(nested(33)) }
        #expect(throws: JobError.self) { try render(attributes(65)) }
    }

    @Test("a bad expression is named by its way through the elements")
    func path() {
        let body = "<toast><visual><text/><text>x</text><text b='$('>y</text></visual></toast>"
        let error = #expect(throws: JobError.self) { try render(body) }
        #expect(error?.reason.hasPrefix("missingCloseParenthesis at /toast/visual/text[3]/@b, byte 2: ") == true)
    }
}
