import DispatchCore
import Postgres

/// What became of a receipt.
enum ReceiptOutcome: Sendable {
    /// It is kept.
    case added(AddressedReceipt)

    /// It was reported before, so it is nothing new.
    case known(AddressedReceipt)

    /// It is about nothing that the hub knows of.
    case refused(ReceiptMistake)

    init(_ report: ReceiptIntake.Report, _ rows: PostgresRows, _ row: Int) throws(PostgresError) {
        switch try rows.int2(row, 0) {
        case 1: self = .added(try AddressedReceipt(report, rows, row))
        case 2: self = .known(try AddressedReceipt(report, rows, row))
        case 3: self = .refused(.unknownNotification)
        case 4: self = .refused(.unknownInstallation)
        default: self = .refused(.notAddressed)
        }
    }
}

extension AddressedReceipt {
    fileprivate init(_ report: ReceiptIntake.Report, _ rows: PostgresRows, _ row: Int) throws(PostgresError) {
        hub = report.hub
        receipt = report.receipt
        notification = NotificationID(rawValue: try rows.int8(row, 1))
        installation = InstallationKey(rawValue: try rows.int8(row, 2))
    }
}
