extension Content {
    /// Whether the system has a text to draw; a subtitle alone is none, since Android has no place for it.
    var hasAndroidText: Bool { title != nil || body != nil }

    /// Whether nothing is left to show and to hand over, as when the number of unread notifications is not known.
    var isEmptyOnAndroid: Bool {
        isSilent && data.isEmpty && rich == nil
    }

    /// Whether the push may wake the device at once.
    ///
    /// Firebase, "Set and manage Android message priority": apps whose urgent messages show nothing are lowered, so a
    /// silent content is urgent only when it announces a call, which the app shows itself.
    func isUrgent(_ options: PushOptions) -> Bool {
        let announcesCall = options.platforms.pushType == .voip || options.platforms.pushType == .pushtotalk
        return options.priority == .high && (!isSilent || announcesCall)
    }

    /// The address of the picture, when the attachment is one.
    var pictureURL: String? {
        guard let attachment, attachment.isImage else { return nil }
        return attachment.url
    }

    /// The buttons of this notification: its own, or else those of its declared category.
    func buttons(in context: RenderContext) -> [CategoryAction] {
        actions.isEmpty ? context.category?.actions ?? [] : actions
    }

    /// Refuses what no platform but Apple's has a form for, and what has nothing left.
    func checkAndroid(_ platform: Platform) throws(RenderError) {
        guard liveActivity == nil else {
            throw RenderError(
                code: .notExpressible,
                platform: platform,
                member: "content.liveActivity",
                reason: "a Live Activity exists on Apple's platforms only"
            )
        }
        guard !isEmptyOnAndroid else {
            throw RenderError(
                code: .emptyContent,
                platform: platform,
                reason: "there is nothing to show and no data"
            )
        }
    }
}
