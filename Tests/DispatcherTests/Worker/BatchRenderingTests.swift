import DispatchCore
import Testing

@testable import Dispatcher

@Suite("Renderings of a batch")
struct BatchRenderingTests {
    private static let body = #""body":"{\"aps\":{\"alert\":\"$(a)\"}}""#

    private func ends(_ template: String?) throws -> (sent: Int, state: DeliveryState?, reason: String?) {
        let job = Job(to: #"{"broadcast":true}"#, content: #"{"a":"x","end":"2023-11-14T22:13:20Z"}"#, kind: "template")
        let notification = NotificationWork(
            id: NotificationID(rawValue: 1),
            hub: WorkExample.hub,
            job: try WorkExample.wave(job).job,
            expiresAt: Timestamp(seconds: 1_900_000_000),
            isCancelled: false
        )
        let part = BatchWork.Part(notification: notification, targets: [WorkExample.target(1)])
        var batch = BatchWork(id: 1, epoch: 1, lane: .normal, isAmbiguous: false, isRetry: false, parts: [part])
        if let template {
            let text = #"{"default":{\#(Self.body)\#(template)}}"#
            batch.templates = [InstallationKey(rawValue: 1): TemplateCache().templates(text, platform: .apns)]
        }
        let rendering = BatchRendering(batch, now: Timestamp(seconds: 1_700_000_000))
        return (rendering.requests.count, rendering.results[0]?.state, rendering.results[0]?.reason)
    }

    @Test("a template whose end is over ends its device as expired, one without a template as suppressed")
    func outcomes() throws {
        #expect(try ends(#","expiry":"$(end)""#) == (0, .expired, "Expired"))
        #expect(try ends(#","headers":{"apns-expiration":"1700000000"}"#) == (0, .expired, "Expired"))
        #expect(try ends(#","headers":{"apns-priority":"$(a)"}"#) == (0, .failed, "malformed-template"))
        #expect(try ends(nil) == (0, .suppressed, "no-template"))
        #expect(try ends(#","expiry":"0""#) == (1, nil, nil))
        #expect(try ends(#","expiry":"2023-11-14T22:13:21Z""#) == (1, nil, nil))
    }

    @Test(
        "what a lost worker had begun of an at-most-once job ends as unknown, with the attempt that was begun counted"
    )
    func lostWorker() throws {
        let job = Job(to: #"{"broadcast":true}"#, options: #"{"guarantee":"at-most-once"}"#)
        let notification = NotificationWork(
            id: NotificationID(rawValue: 1),
            hub: WorkExample.hub,
            job: try WorkExample.wave(job).job,
            expiresAt: Timestamp(seconds: 1_900_000_000),
            isCancelled: false
        )
        let part = BatchWork.Part(notification: notification, targets: [WorkExample.target(1)])
        let batch = BatchWork(id: 1, epoch: 2, lane: .normal, isAmbiguous: true, isRetry: false, parts: [part])
        let rendering = BatchRendering(batch, now: Timestamp(seconds: 1_700_000_000))
        #expect(rendering.requests.isEmpty)
        #expect(rendering.results[0]?.state == .unknown && rendering.results[0]?.reason == "WorkerLost")
        #expect(rendering.results[0]?.attempts == 1)
    }
}
