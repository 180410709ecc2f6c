import DispatchCore

/// A message that names its hub and nothing else of the database.
protocol HubDocument: Sendable {
    /// The name of the hub.
    var hub: String { get }

    /// Reads the body of a message; unknown members are refused.
    init(decoding body: [UInt8]) throws(JobError)
}

extension Installation: HubDocument {}
extension Receipt: HubDocument {}
