import Foundation
import Testing

extension Program {
    /// Ends workers; one that has hardly begun may not listen yet.
    static func stop(_ workers: [Program]) async throws {
        for worker in workers { worker.signal(SIGTERM) }
        for worker in workers {
            let exit = await worker.exit(within: .seconds(30))
            #expect(exit == .status(0) || exit == .signal(SIGTERM), "\(worker.errors)")
        }
    }
}
