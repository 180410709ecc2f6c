/// A time by the clocks of one time zone, or of each device's own.
public struct LocalSchedule: Hashable, Sendable {
    /// Whose clocks are meant.
    public enum Zone: Hashable, Sendable {
        /// Each device's own, so that it is sent at many instants.
        case device

        /// One by its name in the IANA database.
        case named(String)
    }

    /// The local date and time, written as the instant at which UTC's clock shows it.
    public let time: Timestamp

    /// Whose clocks are meant.
    public let zone: Zone

    /// Takes checked values.
    public init(time: Timestamp, zone: Zone) {
        self.time = time
        self.zone = zone
    }

    /// Whether each device has a time of its own.
    public var isPerDevice: Bool { zone == .device }

    /// The local date and time as a job writes it, without an offset.
    public var text: String { String(time.rfc3339.dropLast()) }

    /// The zone as a job names it.
    public var zoneName: String {
        switch zone {
        case .device: "device"
        case .named(let name): name
        }
    }
}

extension LocalSchedule.Zone {
    init(decoding value: JSONValue) throws(JobError) {
        let form = "“device” or the name of a time zone such as Europe/Paris"
        let name = try value.text(upTo: InstallationLimits.nameBytes, form: form, NameForms.isTimeZone)
        self = name == "device" ? .device : .named(name)
    }
}

extension JSONValue {
    /// Reads a local date and time.
    func localTime() throws(JobError) -> Timestamp {
        let text = try text(upTo: 64)
        guard let time = Timestamp(localTime: text) else {
            throw JobError(
                .invalidFormat,
                reason: "With timeZone it must be a local time without an offset, such as 2026-12-24T18:00:00."
            )
        }
        return time
    }
}
