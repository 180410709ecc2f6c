import AMQP
import Testing

@testable import Dispatcher

@Suite("A worker's readiness")
struct WorkerHealthTests {
    @Test("a broker that blocks publishers makes a worker unready, and the reason names the alarm")
    func blocked() {
        let reason = WorkerHealth.obstacle(toPublishing: .blocked)
        #expect(reason?.contains("alarm") == true)
        #expect(WorkerHealth.obstacle(toPublishing: .connecting) != nil)
        #expect(WorkerHealth.obstacle(toPublishing: .ready) == nil)
    }
}
