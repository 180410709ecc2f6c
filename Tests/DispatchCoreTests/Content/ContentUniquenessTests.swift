import DispatchCore
import Testing

/// What a schema cannot say of a content: that names within a list differ.
@Suite struct ContentUniquenessTests {
    static func error(_ content: String) -> JobError? {
        let body = #"{"to":{"broadcast":true},"content":{"title":"t",\#(content)}}"#
        do throws(JobError) {
            _ = try SendJob(decoding: Array(body.utf8), messageID: SendJobTests.id)
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "a name that is there twice is refused where it stands the second time",
        arguments: [
            (
                #""wns":{"inputs":[{"id":"a","type":"text"},{"id":"b","type":"text"},{"id":"a","type":"text"}]}"#,
                "$.content.wns.inputs[2].id"
            ),
            (
                #""wns":{"inputs":[{"id":"a","type":"selection","selections":"#
                    + #"[{"id":"x","content":"X"},{"id":"x","content":"Y"}]}]}"#,
                "$.content.wns.inputs[0].selections[1].id"
            ),
            (#""actions":[{"id":"a","title":"A"},{"id":"a","title":"B"}]"#, "$.content.actions[1].id"),
            (#""localizations":{"en-GB":{"title":"a"},"EN-gb":{"title":"b"}}"#, "$.content.localizations['EN-gb']"),
        ]
    )
    func repeated(content: String, path: String) {
        let error = Self.error(content)
        #expect(error?.code == .conflictingMembers)
        #expect(error?.path == path)
    }

    @Test("names that only look alike are different names")
    func similar() {
        let composed = #"{"id":"\#u{E9}","type":"text"}"#
        let decomposed = #"{"id":"e\#u{301}","type":"text"}"#
        #expect(Self.error(#""wns":{"inputs":[\#(composed),\#(decomposed)]}"#) == nil)
    }
}
