import DispatchCore

/// The templates' part of the gauntlet.
enum FuzzTemplates {
    /// Reads a template for every platform and renders it for some properties.
    static func run(
        _ document: JSONValue,
        _ input: FuzzInput,
        counts: inout FuzzCounts,
        complain: (String) -> Void
    ) {
        guard input.kind == .template else { return }
        var generator = DocumentGenerator(seed: UInt64(input.bytes.count))
        let properties = TemplateProperties(generator.properties().members ?? [])
        var isTaken = false
        for platform in Platform.allCases {
            do throws(JobError) {
                let template = try InstallationTemplate(name: "t", decoding: document, platform: platform)
                isTaken = true
                counts.count("template for one platform", isAccepted: true)
                render(template, properties, counts: &counts, complain: complain)
            } catch {
                counts.refuse("template for one platform", code: error.code.rawValue)
                if error.reason.isEmpty || error.path.isEmpty {
                    complain("a template refused without a reason: \(error)")
                }
            }
        }
        counts.count("template", isAccepted: isTaken)
    }

    /// Renders a template that works on each platform for the properties of a job.
    static func render(_ job: SendJob, counts: inout FuzzCounts, complain: (String) -> Void) {
        guard case .template(let members) = job.content else { return }
        let properties = TemplateProperties(members)
        for template in standard { render(template, properties, counts: &counts, complain: complain) }
    }

    private static func render(
        _ template: InstallationTemplate,
        _ properties: TemplateProperties,
        counts: inout FuzzCounts,
        complain: (String) -> Void
    ) {
        let stage = "render template \(template.platform.name)"
        let context = RenderContext(options: PushOptions(notification: PushExample.job), now: PushExample.now)
        do throws(RenderError) {
            let push = try template.render(properties, in: context)
            counts.count(stage, isAccepted: true)
            if let objection = FuzzGauntlet.objection(to: push) { complain(objection) }
        } catch {
            counts.refuse(stage, code: error.code.rawValue)
            if error.reason.isEmpty { complain("refused without a reason") }
        }
    }

    private static let standard: [InstallationTemplate] = DocumentGenerator.templateBodies.compactMap {
        platform,
        body in
        let document = JSONValue.object([JSONMember(name: "body", value: .string(body))])
        return try? InstallationTemplate(name: "t", decoding: document, platform: platform)
    }
}
