import AMQP
import DispatchCore

/// Reads the messages of a wave: the valid documents with their hubs, and a named reason for each of the others.
struct DocumentDecoder<Document: HubDocument>: Sendable {
    let queue: String
    let hubs: HubDirectory
    let publishers: PublisherCheck

    struct Item: Sendable {
        let document: Document
        let hub: Hub
        let message: AMQPDelivery
    }

    struct Decoded: Sendable {
        var items: [Item] = []
        var rejections: [Rejection] = []
    }

    func decode(_ messages: [AMQPDelivery]) async throws -> Decoded {
        var decoded = Decoded()
        decoded.items.reserveCapacity(messages.count)
        for message in messages {
            switch Self.parse(message) {
            case .failure(let error):
                decoded.rejections.append(Rejection(message, queue: queue, error: error))
            case .success(let document):
                guard let hub = try await hubs.hub(named: document.hub) else {
                    decoded.rejections.append(.unknownHub(document.hub, message, queue: queue))
                    continue
                }
                if let rejection = publishers.rejection(of: message, for: hub, queue: queue) {
                    decoded.rejections.append(rejection)
                    continue
                }
                decoded.items.append(Item(document: document, hub: hub, message: message))
            }
        }
        return decoded
    }

    private static func parse(_ message: AMQPDelivery) -> Result<Document, JobError> {
        CrashHook.check(message.body)
        do throws(JobError) {
            return .success(try Document(decoding: message.body))
        } catch {
            return .failure(error)
        }
    }
}
