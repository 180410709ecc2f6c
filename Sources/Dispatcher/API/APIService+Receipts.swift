import DispatchCore
import HTTP

extension APIService {
    /// Takes what one or many devices report; answered when it is written and the views show it.
    func postReceipts(_ request: APIRequest) async throws -> HTTPResponse {
        try request.checkQuery()
        try request.requireContentType("application/json")
        let caller = try request.caller
        let body = try ReceiptRequest(request.http.bytes, caller: caller)
        var outcomes = try await report(body.entries.compactMap { try? $0.receipt.get() }, in: caller.hub)[...]
        let results = body.entries.map { entry in
            ReceiptResult(entry, outcome: (try? entry.receipt.get()).flatMap { _ in outcomes.popFirst() })
        }
        guard body.isList else { return .json(.ok, try results[0].alone()) }
        return .json(.ok, ReceiptResult.list(results))
    }

    /// Takes receipts of a hub together with what other requests report; answers in order.
    func report(_ receipts: [Receipt], in hub: Int32) async throws -> [ReceiptOutcome] {
        receipts.isEmpty ? [] : try await self.receipts.answer(receipts, in: hub)
    }

    /// The waves in which the receipts of requests are written.
    static func receiptWaves(_ intake: ReceiptIntake) -> RequestWaves<[Receipt], [ReceiptOutcome]> {
        RequestWaves(limit: ReceiptRequest.limit) { hub, requests in
            var outcomes: [ReceiptOutcome] = []
            let receipts = requests.flatMap { $0 }
            for start in stride(from: 0, to: receipts.count, by: ReceiptRequest.limit) {
                let end = min(start + ReceiptRequest.limit, receipts.count)
                outcomes += try await intake.take(Array(receipts[start..<end]), in: hub)
            }
            var rest = outcomes[...]
            return requests.map { request in
                defer { rest.removeFirst(request.count) }
                return Array(rest.prefix(request.count))
            }
        }
    }
}
