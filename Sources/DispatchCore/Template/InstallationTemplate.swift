/// A device's own form of a notification: read once, rendered for each notification by joining bytes.
public struct InstallationTemplate: Hashable, Sendable {
    /// The name under which the installation has it.
    public let name: String

    /// The platform whose payload it makes.
    public let platform: Platform

    let body: TemplateBody
    let headers: [TemplateHeader]
    let expiry: TemplateText?

    /// Reads the value of `templates.NAME`; the error's path begins at that value.
    ///
    /// A body or a header that cannot be read, or never could be sent to the platform, is a `badTemplate`: the reason has
    /// the `TemplateError.Code`, the place inside the body and a sentence.
    public init(name: String, decoding value: JSONValue, platform: Platform) throws(JobError) {
        var source = TemplateSource()
        try value.forEachMember { (name, value) throws(JobError) in
            try source.read(name, value)
        }
        self.name = name
        self.platform = platform
        headers = try source.headers(on: platform)
        expiry = try source.expiry(on: platform)
        body = try source.body(
            on: platform,
            kind: headers.first { $0.name.lowercased() == "x-wns-type" }?.text.constant
        )
        try checkConstantParts()
    }

    /// Makes one device's push out of a notification's properties.
    ///
    /// The headers of the template win over the job's options. The push never outlives the job; a template can shorten its life.
    /// One whose end is over is refused as `expired`. `oversize` does not apply: a template says itself what is cut, by `.(name,length)`.
    public func render(
        _ properties: TemplateProperties,
        in context: RenderContext
    ) throws(RenderError) -> PreparedPush {
        guard let (head, tail) = body.program.render(properties) else {
            let reason = "the payload has more than \(TemplateProgram.sizeLimit) bytes"
            throw RenderError(code: .tooLarge, platform: platform, reason: reason)
        }
        let context = try expiring(context, properties)
        let push =
            switch body.kind {
            case .apns(let rules): try apnsPush(head, rules, properties, in: context)
            case .wns(let kind): try wnsPush(head, kind, properties, in: context)
            case .fcm(let outline): try fcmPush(head, tail, outline, properties, in: context)
            case .browser: try WebPushRenderer.push(head, options: context.options)
            case .adm(let outline): try admPush(head, outline, properties, in: context)
            case .hms: try checkedPush(head, in: context)
            }
        guard push.expiresAt.map({ $0 > context.now }) ?? true else { throw expired }
        return push
    }

    private var expired: RenderError {
        let name = JobError.excerpt(of: name)
        return RenderError(code: .expired, platform: platform, reason: "the template “\(name)”: its end is over")
    }

    func malformed(_ reason: String) -> RenderError {
        let name = JobError.excerpt(of: name)
        return RenderError(code: .malformedTemplate, platform: platform, reason: "the template “\(name)”: \(reason)")
    }
}

extension InstallationTemplate {
    /// The context with the end that the template's `expiry` gives to it.
    private func expiring(
        _ context: RenderContext,
        _ properties: TemplateProperties
    ) throws(RenderError) -> RenderContext {
        guard let text = expiry?.render(properties), !text.isEmpty else { return context }
        guard let expiry = TemplateExpiry(text) else { throw malformed("the expiry is neither 0 nor a time") }
        return expiry.shortening(context)
    }

    /// Hands a body to the rules for native payloads of its platform.
    private func checkedPush(_ bytes: [UInt8], in context: RenderContext) throws(RenderError) -> PreparedPush {
        let payload: JSONValue
        do {
            payload = try JSONParser.parse(bytes)
        } catch {
            throw malformed("its rendering is no JSON, \(error)")
        }
        do {
            return try PushRenderer.prepare(.native([platform: payload]), for: platform, in: context)
        } catch {
            throw error.code == .tooLarge ? error : malformed(error.reasonInBody)
        }
    }

    private func fcmPush(
        _ head: [UInt8],
        _ tail: [UInt8],
        _ outline: TemplateOutline,
        _ properties: TemplateProperties,
        in context: RenderContext
    ) throws(RenderError) -> PreparedPush {
        try check(outline, properties)
        return try FCMRenderer.push(head: head, tail: tail, options: context.options)
    }

    private func admPush(
        _ body: [UInt8],
        _ outline: TemplateOutline,
        _ properties: TemplateProperties,
        in context: RenderContext
    ) throws(RenderError) -> PreparedPush {
        try check(outline, properties)
        return try ADMRenderer.push(body, options: context.options)
    }

    /// Applies the rules for native payloads; where the properties make no difference, they were applied at registration.
    private func check(_ outline: TemplateOutline, _ properties: TemplateProperties) throws(RenderError) {
        guard outline.settled == nil else { return }
        guard let value = outline.value(properties) else { throw malformed("its rendering is no JSON") }
        do {
            try PushRenderer.check(native: value, on: platform)
        } catch {
            throw malformed(error.reasonInBody)
        }
    }

    /// Refuses at registration what no properties can mend.
    private func checkConstantParts() throws(JobError) {
        let nothing = TemplateProperties([])
        let fields = try constantFields(nothing)
        if case .apns(let rules) = body.kind {
            let types = fields.type.map { [$0] } ?? [nil] + APNsPushType.allCases
            if let objection = rules.objection(to: types) { throw JobError(objection.templateError).under("body") }
        }
        guard body.program.isConstant, headers.allSatisfy({ $0.text.constant != nil }),
            expiry?.constant != nil || expiry == nil
        else { return }
        let options = PushOptions(notification: UUIDValue(high: 0, low: 0))
        do {
            _ = try render(nothing, in: RenderContext(options: options, now: Timestamp(seconds: 0)))
        } catch {
            throw JobError(TemplateError(.platformRule, reason: error.reason + ".")).under("body")
        }
    }

    /// Checks the headers without expressions; what Apple is told by them.
    private func constantFields(_ nothing: TemplateProperties) throws(JobError) -> APNsTemplateFields {
        var fields = APNsTemplateFields()
        for header in headers where header.text.constant != nil {
            let value = header.value(nothing)
            guard let value, !value.isEmpty else {
                let reason = "A header's value must not be blank nor hold control characters."
                throw JobError(TemplateError(.platformRule, reason: reason)).under(header.name).under("headers")
            }
            let objection =
                platform == .apns
                ? fields.set(header.name, value) : WNSTemplateFields.objection(to: value, of: header.name)
            guard let reason = objection else { continue }
            throw JobError(TemplateError(.platformRule, reason: reason + ".")).under(header.name).under("headers")
        }
        if let type = fields.type, let objection = fields.objection(as: type) {
            let error = TemplateError(.platformRule, reason: objection + ".")
            throw JobError(error).under("apns-priority").under("headers")
        }
        return fields
    }
}
