import AMQP
import DispatchCore
import Testing

@testable import Dispatcher

@Suite(.timeLimit(.minutes(4))) struct LostQueueTests {
    @Test(
        "batches whose queue is gone are announced again, those of other lanes and those begun are not",
        .enabled(if: Servers.areAvailable)
    )
    func announcedAgain() async throws {
        try await withDatabase { database in
            let worker = try await WorkerStore(pool: database.pool).register(host: "h", process: 1, version: "0")
            try await database.execute(
                """
                INSERT INTO dispatcher.batch
                    (lane, notification_ids, audience_sizes, installation_ids, created_at, published_at, worker_id)
                SELECT lane, ARRAY[1], ARRAY[1], ARRAY[lane], now() - interval '1 minute', now(), worker
                FROM (VALUES (0, NULL), (1, NULL), (1, \(worker)), (2, NULL)) v (lane, worker)
                """
            )
            let store = ScheduleStore(pool: database.pool, worker: worker)
            #expect(try await store.findUnannounced().isEmpty)
            try await store.forgetAnnouncements([.normal])
            #expect(try await store.findUnannounced().map(\.lane) == [.normal])
        }
    }

    @Test("a deleted and a missing queue are noted until they are taken, other events are not")
    func noted() {
        let lost = LostQueues()
        for event in [AMQPEvent.connected, .resubscribed, .channelClosed(code: 403, text: "")] {
            lost.note(event, lane: .high)
        }
        #expect(lost.take().isEmpty)
        lost.note(.channelClosed(code: 404, text: ""), lane: .bulk)
        lost.note(.consumerCancelled, lane: .normal)
        lost.note(.consumerCancelled, lane: .normal)
        #expect(lost.take() == [.normal, .bulk])
        #expect(lost.take().isEmpty)
    }
}
