extension InstallationTemplate {
    /// Adds the headers to a body for Apple: what follows from the body and the job, and over it what the template says.
    func apnsPush(
        _ body: [UInt8],
        _ rules: APNsTemplateRules,
        _ properties: TemplateProperties,
        in context: RenderContext
    ) throws(RenderError) -> PreparedPush {
        let fields = try apnsFields(properties)
        let asked = fields.type ?? context.options.platforms.pushType
        let (type, hasIdleSound): (APNsPushType, Bool)
        do {
            (type, hasIdleSound) = try rules.pushType(properties, asked: asked)
        } catch {
            throw malformed(error.reasonInBody)
        }
        if let objection = fields.objection(as: type) { throw malformed(objection) }
        let push = try APNsRenderer.push(
            hasIdleSound ? try withoutSound(body) : body,
            type: type,
            notification: context.options.notification.description,
            in: fields.expiry?.shortening(context) ?? context
        )
        guard !headers.isEmpty else { return push }
        let given = ["apns-priority": fields.priority, "apns-collapse-id": fields.collapseID]
        let shared = push.headers.map { PushHeader($0.name, given[$0.name].flatMap(\.self) ?? $0.value) }
        return push.with(headers: shared + fields.others)
    }

    private func withoutSound(_ body: [UInt8]) throws(RenderError) -> [UInt8] {
        do {
            return JSONWriter.encode(try APNsNativePayload(JSONParser.parse(body)).withoutSound)
        } catch {
            throw malformed("its rendering is no JSON")
        }
    }

    private func apnsFields(_ properties: TemplateProperties) throws(RenderError) -> APNsTemplateFields {
        var fields = APNsTemplateFields()
        for header in headers {
            guard let value = header.value(properties) else { throw malformed("\(header.name) has control characters") }
            if let objection = fields.set(header.name, value) { throw malformed(objection) }
        }
        return fields
    }
}

extension PreparedPush {
    /// The same push with other header fields.
    func with(headers: [PushHeader]) -> PreparedPush {
        PreparedPush(
            platform: platform,
            bodyHead: bodyHead,
            bodyTail: bodyTail,
            embedsChannel: embedsChannel,
            headers: headers,
            topicSuffix: topicSuffix,
            expiresAt: expiresAt,
            isNowOrNever: isNowOrNever
        )
    }
}
