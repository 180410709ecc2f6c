extension TemplateProperties {
    /// Appends what `reference` stands for; the text of an absent property is its default, or empty.
    func write(_ reference: TemplateReference, escaping: TemplateEscaping, into bytes: inout [UInt8]) {
        guard let place = place(of: reference) else {
            reference.fallback?.withUnsafeBufferPointer {
                Self.write($0, reference.form, escaping: escaping, into: &bytes)
            }
            return
        }
        if escaping == .json, reference.form == .whole, nodes[place].kind != .container {
            bytes.append(contentsOf: json[nodes[place].range])
        } else {
            withText(at: place) { Self.write($0, reference.form, escaping: escaping, into: &bytes) }
        }
    }

    /// Appends the value that `reference` stands for as JSON.
    ///
    /// A text that has the form of a number becomes one. Other values than texts stay what they are where `keepsKinds`,
    /// else they become texts, as Azure Notification Hubs knows no others.
    func writeJSON(_ reference: TemplateReference, keepsKinds: Bool, into bytes: inout [UInt8]) {
        guard let place = place(of: reference) else {
            let fallback = reference.fallback ?? []
            return fallback.withUnsafeBufferPointer { Self.writeNumberOrText($0, into: &bytes) }
        }
        if keepsKinds, nodes[place].kind != .string {
            bytes.append(contentsOf: json[nodes[place].range])
        } else {
            withText(at: place) { Self.writeNumberOrText($0, into: &bytes) }
        }
    }

    private func withText(at place: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
        if var text = nodes[place].unescaped { return text.withUTF8(body) }
        json.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[nodes[place].range])) }
    }

    private static func write(
        _ text: UnsafeBufferPointer<UInt8>,
        _ form: TemplateReference.Form,
        escaping: TemplateEscaping,
        into bytes: inout [UInt8]
    ) {
        switch form {
        case .whole: escaping.append(text, to: &bytes)
        case .clipped(let units): escaping.append(TextForms.prefix(of: text, units: units).text, to: &bytes)
        case .dotted(let units):
            guard TextForms.prefix(of: text, units: units).text.count < text.count else {
                return escaping.append(text, to: &bytes)
            }
            escaping.append(TextForms.prefix(of: text, units: max(units - 3, 0)).text, to: &bytes)
            bytes.append(contentsOf: repeatElement(UInt8(ascii: "."), count: min(units, 3)))
        case .encoded: TextForms.appendURIEncoded(text, to: &bytes)
        }
    }

    private static func writeNumberOrText(_ text: UnsafeBufferPointer<UInt8>, into bytes: inout [UInt8]) {
        if TextForms.isNumber(text) {
            bytes.append(contentsOf: text)
        } else {
            bytes.append(UInt8(ascii: "\""))
            JSONWriter.appendEscaped(text, to: &bytes)
            bytes.append(UInt8(ascii: "\""))
        }
    }
}
