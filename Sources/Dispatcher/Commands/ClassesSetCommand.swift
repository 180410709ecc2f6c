/// Makes a class of notifications, or changes its rules.
struct ClassesSetCommand: Command {
    static let words = ["classes", "set"]
    static let summary = "make a class of notifications, or change its quiet hours and caps"
    static let help = """
        Usage: dispatcher classes set HUB CLASS [--quiet 22:00-08:00|off] [--quiet-action defer|drop]
                                      [--cap 'N/PERIOD per user|installation']… [--cap off] [--json]

        Jobs name their class in options.class; those that name none are of the class 'default'.

        --quiet HOURS      nothing comes in these hours, by the clock of each device's zone
        --quiet-action     defer: it comes when they are over; drop: it does not come
        --cap '3/day per user'
                           at most so many within any such time, for each user or each installation; PERIOD is hour, day,
                           week or such as 30m, 12h, 7d, up to 31d. Several caps hold together; they replace those before.

        What is not said stays as it is. Running workers follow within 5 seconds.

        Environment: DISPATCHER_DATABASE_URL.
        """

    private let hub: String
    private let name: String
    private let settings: ClassStore.Settings
    private let isJSON: Bool

    init(_ arguments: inout ArgumentList) throws(UsageError) {
        isJSON = arguments.flag("--json")
        settings = try Self.settings(&arguments)
        hub = try arguments.positional("HUB")
        name = try arguments.positional("CLASS")
        guard KeyReport.isName(name) else {
            throw UsageError("a class's name has 1 to 64 ASCII letters, digits, '.', '_' and '-'")
        }
    }

    private static func settings(_ arguments: inout ArgumentList) throws(UsageError) -> ClassStore.Settings {
        var settings = ClassStore.Settings()
        if let text = try arguments.option("--quiet") {
            guard let quiet = QuietSetting(text) else { throw UsageError("--quiet takes such as 22:00-08:00, or off") }
            settings.quiet = quiet
        }
        switch try arguments.option("--quiet-action") {
        case nil: break
        case "defer"?: settings.drops = false
        case "drop"?: settings.drops = true
        default: throw UsageError("--quiet-action takes defer or drop")
        }
        settings.caps = try caps(&arguments)
        return settings
    }

    private static func caps(_ arguments: inout ArgumentList) throws(UsageError) -> [CapSetting]? {
        var caps: [CapSetting]?
        while let text = try arguments.option("--cap") {
            if text == "off", caps == nil {
                caps = []
                continue
            }
            guard let cap = CapSetting(text) else {
                throw UsageError("--cap takes such as '3/day per user' or '1/30m per installation', or off")
            }
            guard !(caps ?? []).contains(where: { $0.perUser == cap.perUser && $0.seconds == cap.seconds }) else {
                throw UsageError("two caps are for the same time")
            }
            caps = (caps ?? []) + [cap]
        }
        return caps
    }

    func run() async throws {
        try await ClassStore.withStore { store in
            try await store.set(name, hub: hub, settings)
            for entry in try await store.list(hub: hub, named: name) { print(entry.text(isJSON: isJSON)) }
        }
    }
}
