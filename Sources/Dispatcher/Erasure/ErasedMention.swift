import DispatchCore

/// Finds erased people in messages of which nobody knows what they were to be.
enum ErasedMention {
    /// Those of the orders whom the message names: as a job, as a registration, or in any text of its JSON.
    static func orders(in body: [UInt8], of orders: [ErasureOrder]) -> [ErasureOrder] {
        guard !orders.isEmpty else { return [] }
        guard let document = try? JSONParser.parse(body) else {
            return orders.filter { order in
                ([order.user] + order.devices).contains { body.contains(quoted: $0) }
            }
        }
        let job = try? SendJob(decoding: document, messageID: nil)
        let installation = try? Installation(decoding: document)
        return orders.filter { order in
            if let job, order.names(job, body) { return true }
            if let installation, order.tombstones.contain(installation, hub: order.hub, .any) { return true }
            return document.anyText { order.isErased($0) }
        }
    }
}

extension ErasureOrder {
    fileprivate func names(_ job: SendJob, _ body: [UInt8]) -> Bool {
        if case .unaffected = JobRedaction(job, body: body, isErased: isErased) { false } else { true }
    }

    fileprivate func isErased(_ text: String) -> Bool {
        isErased(.user, text) || isErased(.installation, text) || isErased(.channel, text)
            || (text.hasPrefix("username:") && isErased(.user, String(text.dropFirst("username:".count))))
    }
}

extension JSONValue {
    /// Whether any text in it, at whatever depth, is such a one.
    fileprivate func anyText(_ isSuch: (String) -> Bool) -> Bool {
        if let string { return isSuch(string) }
        if let elements { return elements.contains { $0.anyText(isSuch) } }
        return members?.contains { $0.value.anyText(isSuch) } ?? false
    }
}

extension [UInt8] {
    /// Whether the text stands in it as JSON writes a string.
    fileprivate func contains(quoted text: String) -> Bool {
        let needle = JSONWriter.encode(.string(text))
        guard count >= needle.count, let first = needle.first else { return false }
        return (0...(count - needle.count)).contains { self[$0] == first && self[$0...].starts(with: needle) }
    }
}
