import DispatchCore

extension BenchCase {
    /// A device's own template, read before, filled with the job's properties.
    static func templatedRenders() throws -> [BenchCase] {
        let job = try BenchJobs.decoded(BenchJobs.properties)
        guard case .template(let members) = job.content else { return [] }
        let properties = TemplateProperties(members)
        let context = BenchJobs.context(of: job)
        return try Platform.allCases.map { platform in
            let body = JSONMember(name: "body", value: .string(templateBody(on: platform)))
            let template = try InstallationTemplate(name: "default", decoding: .object([body]), platform: platform)
            return BenchCase("a device's template", on: platform.name) { _ in
                try template.render(properties, in: context).size
            }
        }
    }

    private static func templateBody(on platform: Platform) -> String {
        switch platform {
        case .apns:
            #"""
            {"aps":{"alert":{"title":"$(title)","body":"{'Dear ' + $(name) + ', ' + $(body)}"},"badge":"#(unread)",\#
            "sound":"default","thread-id":"$(thread)"},"location":"$(location)","height":"#(height)"}
            """#
        case .fcmV1:
            #"{"message":{"notification":{"title":"$(title)","body":"$(body)"},"data":{"location":"$(location)"}}}"#
        case .browser: #"{"notification":{"title":"$(title)","body":"$(body)","data":{"location":"$(location)"}}}"#
        case .wns:
            """
            <toast launch="$(location)"><visual><binding template="ToastGeneric"><text>$(title)</text>\
            <text>$(body)</text></binding></visual></toast>
            """
        case .adm: #"{"data":{"title":"$(title)","body":"$(body)","location":"$(location)"}}"#
        case .hms:
            #"""
            {"message":{"data":"$(location)","android":{"notification":{"title":"$(title)","body":"$(body)",\#
            "click_action":{"type":3}}}}}
            """#
        }
    }
}
