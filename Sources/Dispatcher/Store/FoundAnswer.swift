import DispatchCore
import Postgres

/// A new answer whose action some rule of its hub is on, with what decides whether that rule is for it.
struct FoundAnswer: Sendable {
    let answer: AddressedReceipt

    /// The document and the id of the job that it answers.
    let job: JSONValue
    let jobID: UUIDValue

    /// When a change of the notification is worthless.
    let expiresAt: Timestamp

    /// The user's other devices that have the notification.
    let otherDevices: [String]

    /// The category that the notification names, if it is one of those with a rule.
    let category: ActionCategory?

    /// The device's answers up to this one; nil when they are more than rules count, which no person gives.
    let history: AnswerHistory?

    /// Reads a row of `find_answers`, which was asked about `answers`.
    init(_ rows: PostgresRows, _ row: Int, among answers: [AddressedReceipt]) throws(PostgresError) {
        let index = Int(try rows.int8(row, 0)) - 1
        answer = answers[index]
        let (high, low) = try rows.uuid(row, 2)
        jobID = UUIDValue(high: high, low: low)
        // It was read when it was accepted; one that is erased since has no category.
        job = (try? JSONParser.parse(try rows.bytes(row, 3))) ?? .null
        expiresAt = Timestamp(microseconds: try rows.timestamp(row, 4))
        otherDevices = try rows.textArray(row, 5)
        category = Self.category(of: job, in: try rows.textArray(row, 1))
        history = AnswerHistory(
            of: answer,
            receipts: try rows.textArray(row, 6),
            actions: try rows.textArray(row, 7),
            later: answers[(index + 1)...]
        )
    }

    private static func category(of job: JSONValue, in documents: [String]) -> ActionCategory? {
        guard let id = job["content"]?["category"]?.string else { return nil }
        // What was checked when it was declared is unreadable only after somebody wrote the table by hand.
        return documents.lazy.compactMap { try? ActionCategory(decoding: Array($0.utf8)) }
            .first { $0.id.hasSameBytes(as: id) }
    }
}

extension AnswerHistory {
    /// What the device has answered so far, without what came `later` in the same wave.
    fileprivate init?(
        of answer: AddressedReceipt,
        receipts: [String],
        actions: [String],
        later: ArraySlice<AddressedReceipt>
    ) {
        guard receipts.count <= CategoryLimits.answers.upperBound else { return nil }
        let unknown = Set(
            later.filter { $0.notification == answer.notification && $0.installation == answer.installation }
                .map { UTF8Text($0.receipt.id) }
        )
        let known = zip(receipts, actions).filter { !unknown.contains(UTF8Text($0.0)) }
        guard let position = known.firstIndex(where: { $0.0.hasSameBytes(as: answer.receipt.id) }) else { return nil }
        self.init(actions: known.map(\.1), position: position)
    }
}
