import DispatchCore
import Synchronization

/// Parsed templates by their text: the devices of one version of an app have the same.
final class TemplateCache: Sendable {
    /// A device's templates, or why they cannot be read.
    typealias Entry = Result<TemplateSet, RenderError>

    private struct Key: Hashable {
        let platform: Platform

        /// Bytes, because texts that only look alike make different payloads.
        let text: [UInt8]
    }

    /// Apps have a few versions at a time; a hub whose devices all differ starts anew now and then instead of growing.
    private static let limit = 1_024

    private let entries = Mutex<[Key: Entry]>([:])

    /// The templates in `text`, an object of templates by name.
    func templates(_ text: String, platform: Platform) -> Entry {
        let key = Key(platform: platform, text: Array(text.utf8))
        if let entry = entries.withLock({ $0[key] }) { return entry }
        let entry = Result { () throws(RenderError) in try Self.parse(key.text, platform: platform) }
        entries.withLock { entries in
            if entries.count >= Self.limit { entries.removeAll(keepingCapacity: true) }
            entries[key] = entry
        }
        return entry
    }

    /// What was checked at registration is wrong only after somebody wrote the table by hand.
    private static func parse(_ text: [UInt8], platform: Platform) throws(RenderError) -> TemplateSet {
        do {
            return try TemplateSet(decoding: try JSONParser.parse(text), platform: platform)
        } catch {
            throw RenderError(code: .malformedTemplate, platform: platform, reason: String(describing: error))
        }
    }
}
