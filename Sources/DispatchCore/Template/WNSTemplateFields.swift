/// What Windows takes as the value of a header field that a template sets.
///
/// Microsoft, "Push notification service request and response headers".
enum WNSTemplateFields {
    /// Why the value cannot be sent; nil when it can.
    static func objection(to value: String, of name: String) -> String? {
        switch name.lowercased() {
        case "x-wns-tag", "x-wns-group":
            let isLabel = value.utf8.count <= 16 && value.utf8.allSatisfy(NameForms.isLetterOrDigit)
            return isLabel ? nil : "\(name) has at most 16 ASCII letters and digits"
        case "x-wns-priority":
            return ["1", "2", "3", "4"].contains(value) ? nil : "\(name) is not 1, 2, 3 or 4"
        case "x-wns-cache-policy":
            return ["cache", "no-cache"].contains(value) ? nil : "\(name) is not cache or no-cache"
        case "x-wns-ttl":
            return seconds(value) == nil ? "\(name) is no number of seconds" : nil
        default: return nil
        }
    }

    /// The seconds of a time to live; nil when the text is none.
    static func seconds(_ text: String) -> Int64? {
        guard text.utf8.allSatisfy(JSONReader.isDigit) else { return nil }
        return Int32(text).map(Int64.init)
    }
}
