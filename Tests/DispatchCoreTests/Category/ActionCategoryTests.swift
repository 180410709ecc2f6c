import DispatchCore
import Testing

@Suite struct ActionCategoryTests {
    static let invite = """
        {"id":"event-invite","actions":[\
        {"id":"accept","title":"Accept","icon":"checkmark","options":["foreground","destructive","authenticationRequired"]},\
        {"id":"comment","title":"Comment","input":{"buttonTitle":"Send","placeholder":"Enter comment here..."}}],\
        "intents":["INSendMessageIntent"],\
        "options":["customDismissAction","allowInCarPlay","hiddenPreviewsShowTitle","hiddenPreviewsShowSubtitle","allowAnnouncement"],\
        "hiddenPreviewsBodyPlaceholder":"%u messages","summaryFormat":"%u more messages from %@",\
        "contentExtension":{"defaultContentHidden":true,"initialContentSizeRatio":0.50,"mediaPlayPauseButton":"overlay"}}
        """

    static func category(_ text: String) throws(JobError) -> ActionCategory {
        try ActionCategory(decoding: Array(text.utf8))
    }

    static func text(_ category: ActionCategory) -> String { String(decoding: category.json, as: UTF8.self) }

    @Test("every member arrives")
    func everything() throws {
        let category = try Self.category(Self.invite)
        #expect(category.id == "event-invite")
        #expect(category.actions.map(\.id) == ["accept", "comment"])
        #expect(category.actions.map(\.title) == ["Accept", "Comment"])
        #expect(category.actions.first?.icon == "checkmark")
        #expect(category.actions.first?.options == Set(CategoryActionOption.allCases))
        #expect(category.actions.first?.input == nil)
        #expect(category.actions.last?.input == TextInput(buttonTitle: "Send", placeholder: "Enter comment here..."))
        #expect(category.intents == ["INSendMessageIntent"])
        #expect(category.options == Set(CategoryOption.allCases))
        #expect(category.hiddenPreviewsBodyPlaceholder == "%u messages")
        #expect(category.summaryFormat == "%u more messages from %@")
        #expect(category.contentExtension?.defaultContentHidden == true)
        #expect(category.contentExtension?.initialContentSizeRatio?.text == "0.50")
        #expect(category.contentExtension?.mediaPlayPauseButton == .fading)
    }

    @Test("what is written is what was read, byte for byte")
    func sameText() throws {
        #expect(Self.text(try Self.category(Self.invite)) == Self.invite)
    }

    @Test(
        "what is written is read as the same category",
        arguments: [invite, #"{"id":"é\"\\","contentExtension":{}}"#]
    )
    func roundTrip(text: String) throws {
        let category = try Self.category(text)
        #expect(try Self.category(Self.text(category)) == category)
    }

    @Test(
        "members with their default are left out, and lists of options are sets in a fixed order",
        arguments: [
            (#"{"id":"a","actions":[],"intents":[],"options":[]}"#, #"{"id":"a"}"#),
            (
                #"{"id":"a","options":["allowInCarPlay","customDismissAction","allowInCarPlay"]}"#,
                #"{"id":"a","options":["customDismissAction","allowInCarPlay"]}"#
            ),
            (
                #"{"contentExtension":{"mediaPlayPauseButton":"none","defaultContentHidden":false},"id":"a"}"#,
                #"{"id":"a","contentExtension":{}}"#
            ),
            (
                #"{"actions":[{"title":"A","id":"x","options":[],"input":{}}],"id":"a"}"#,
                #"{"id":"a","actions":[{"id":"x","title":"A","input":{}}]}"#
            ),
        ]
    )
    func canonical(read: String, written: String) throws {
        #expect(Self.text(try Self.category(read)) == written)
    }
}
