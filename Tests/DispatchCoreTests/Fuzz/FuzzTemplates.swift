import DispatchCore

/// The templates' part of the gauntlet.
enum FuzzTemplates {
    static func run(
        _ document: JSONValue,
        _ input: FuzzInput,
        counts: inout FuzzCounts,
        complain: (String) -> Void
    ) {}

    static func render(_ job: SendJob, counts: inout FuzzCounts, complain: (String) -> Void) {}
}
