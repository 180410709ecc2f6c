extension InstallationTemplate {
    /// Adds the headers to a body for Windows; those of the template win over the job's, but for the type, which the body
    /// decides.
    func wnsPush(
        _ body: [UInt8],
        _ kind: WNSOptions.Kind,
        _ properties: TemplateProperties,
        in context: RenderContext
    ) throws(RenderError) -> PreparedPush {
        var context = context
        var given: [PushHeader] = []
        for header in headers where header.name.lowercased() != "x-wns-type" {
            guard let value = header.value(properties) else { throw malformed("\(header.name) has control characters") }
            guard !value.isEmpty else { throw malformed("\(header.name) is empty") }
            if let objection = WNSTemplateFields.objection(to: value, of: header.name) { throw malformed(objection) }
            if header.name.lowercased() == "x-wns-ttl", let seconds = WNSTemplateFields.seconds(value) {
                let end = seconds == 0 ? 0 : context.now.seconds + seconds
                context = TemplateExpiry(seconds: end).shortening(context)
            } else {
                given.append(PushHeader(header.name, value))
            }
        }
        let push = try WNSRenderer.push(body, kind: kind, thread: nil, options: context.options)
        guard !given.isEmpty else { return push }
        let names = given.map { $0.name.lowercased() }
        return push.with(headers: push.headers.filter { !names.contains($0.name.lowercased()) } + given)
    }
}
