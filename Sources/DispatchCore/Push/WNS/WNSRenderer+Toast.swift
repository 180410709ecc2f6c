// Microsoft, "Toast schema" with the pages of its elements, and "App notification content".
extension WNSRenderer {
    /// The most buttons and the most fields that a toast has.
    private static let rowLimit = 5

    private static let soundSchemes = ["ms-winsoundevent", "ms-appx", "ms-appdata", "ms-resource"]
    private static let pictureSchemes = ["https", "http", "ms-appx", "ms-appdata"]

    /// Renders a toast of the generic template.
    static func toast(_ content: Content, in context: RenderContext) throws(RenderError) -> [UInt8] {
        let actions = content.buttons(in: context).prefix(rowLimit)
        let inputs = content.wns?.inputs ?? []
        for action in actions where action.input != nil {
            guard !inputs.contains(where: { $0.id.hasSameBytes(as: action.id) }) else {
                throw broken("content.wns.inputs", "a field has the id of an action that asks for a text")
            }
        }
        let identity = context.options.notification
        var writer = ToastWriter()
        writer.open("toast", root(of: content, actions: actions, notification: identity))
        writeVisual(content, to: &writer)
        writer.empty("audio", audio(of: content), isNeeded: false)
        if !actions.isEmpty || !inputs.isEmpty {
            writer.open("actions")
            let answered = writeInputs(inputs, for: actions, to: &writer)
            writeButtons(actions, answered: answered, notification: identity, to: &writer)
            writer.close("actions")
        }
        writer.close("toast")
        return writer.bytes
    }

    private static func root(
        of content: Content,
        actions: ArraySlice<CategoryAction>,
        notification: UUIDValue
    ) -> [ToastWriter.Attribute] {
        let wns = content.wns
        let isUrgent = content.interruptionLevel == .timeSensitive || content.interruptionLevel == .critical
        let scenario = wns?.scenario ?? (isUrgent ? .urgent : nil)
        let duration = wns?.duration ?? (wns?.audio?.loops == true ? .long : nil)
        let isStyled = actions.contains { $0.options.contains(.destructive) }
        return [
            ("launch", wns?.launch ?? text(of: content.carriedMembers(of: notification))),
            ("scenario", scenario?.rawValue),
            ("duration", duration?.rawValue),
            ("useButtonStyle", isStyled ? "true" : nil),
        ]
    }

    private static func writeVisual(_ content: Content, to writer: inout ToastWriter) {
        writer.open("visual")
        writer.open("binding", [("template", "ToastGeneric")])
        for text in content.shownTexts { writer.text("text", text) }
        if let image = image(of: content) {
            let isHero = image.placement == .hero
            let attributes: [ToastWriter.Attribute] = [
                ("placement", image.placement == .inline ? nil : image.placement.rawValue),
                ("src", image.source),
                ("hint-crop", image.isCircle && !isHero ? "circle" : nil),
                ("alt", image.alternative),
            ]
            writer.empty("image", attributes)
        }
        writer.close("binding")
        writer.close("visual")
    }

    private static func image(of content: Content) -> ToastImage? {
        content.wns?.image ?? content.pictureURL.map { ToastImage(source: $0) }
    }

    private static func audio(of content: Content) -> [ToastWriter.Attribute] {
        if let audio = content.wns?.audio {
            let loop = audio.loops.map { $0 ? "true" : "false" }
            return [("src", audio.source), ("loop", loop), ("silent", audio.isSilent.map { $0 ? "true" : "false" })]
        }
        let isMute = content.sound == .silent || (content.sound == nil && content.interruptionLevel == .passive)
        let name = content.sound?.name.flatMap { $0.hasScheme(of: soundSchemes) ? $0 : nil }
        return [("src", name), ("silent", isMute ? "true" : nil)]
    }

    /// Writes the fields, and returns the actions that have one.
    private static func writeInputs(
        _ inputs: [ToastInput],
        for actions: ArraySlice<CategoryAction>,
        to writer: inout ToastWriter
    ) -> [CategoryAction] {
        for input in inputs { write(input, to: &writer) }
        let answered = actions.filter { $0.input != nil }.prefix(rowLimit - inputs.count)
        for action in answered {
            let attributes: [ToastWriter.Attribute] = [
                ("id", action.id),
                ("type", "text"),
                ("placeHolderContent", action.input?.placeholder),
                ("title", action.input?.buttonTitle == nil ? nil : action.title),
            ]
            writer.empty("input", attributes)
        }
        return Array(answered)
    }

    private static func write(_ input: ToastInput, to writer: inout ToastWriter) {
        let attributes: [ToastWriter.Attribute] = [
            ("id", input.id),
            ("type", input.selections.isEmpty ? "text" : "selection"),
            ("placeHolderContent", input.placeholder),
            ("title", input.title),
            ("defaultInput", input.initial),
        ]
        guard !input.selections.isEmpty else { return writer.empty("input", attributes) }
        writer.open("input", attributes)
        for selection in input.selections {
            writer.empty("selection", [("id", selection.id), ("content", selection.content)])
        }
        writer.close("input")
    }

    private static func writeButtons(
        _ actions: ArraySlice<CategoryAction>,
        answered: [CategoryAction],
        notification: UUIDValue,
        to writer: inout ToastWriter
    ) {
        // One icon turns all buttons into icon buttons, so all must have one.
        let haveIcons = actions.allSatisfy { $0.icon?.hasScheme(of: pictureSchemes) == true }
        for action in actions {
            let field = answered.contains(action) ? action.id : nil
            let arguments = [
                JSONMember(name: "action", value: .string(action.id)),
                JSONMember(name: "notificationId", value: .string(notification.description)),
            ]
            let attributes: [ToastWriter.Attribute] = [
                ("content", field == nil ? action.title : action.input?.buttonTitle ?? action.title),
                ("arguments", text(of: arguments)),
                ("activationType", action.options.contains(.foreground) ? nil : "background"),
                ("imageUri", haveIcons ? action.icon : nil),
                ("hint-inputId", field),
                ("hint-buttonStyle", action.options.contains(.destructive) ? "Critical" : nil),
            ]
            writer.empty("action", attributes)
        }
    }

    private static func text(of members: [JSONMember]) -> String {
        String(decoding: JSONWriter.encode(.object(members)), as: UTF8.self)
    }
}

extension String {
    /// Whether this is an address of one of the schemes, which stand in lower case.
    fileprivate func hasScheme(of schemes: [String]) -> Bool {
        guard let colon = utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
        let scheme = utf8[..<colon]
        return schemes.contains { name in
            name.utf8.count == scheme.count && scheme.elementsEqual(name.utf8) { $0 | 0x20 == $1 }
        }
    }
}
