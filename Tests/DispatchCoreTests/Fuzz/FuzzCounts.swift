import DispatchCore

/// How far the inputs came.
struct FuzzCounts {
    private(set) var offered: [String: Int] = [:]
    private(set) var accepted: [String: Int] = [:]
    private(set) var codes: Set<String> = []

    /// Counts one input at a stage.
    mutating func count(_ stage: String, isAccepted: Bool) {
        offered[stage, default: 0] += 1
        if isAccepted { accepted[stage, default: 0] += 1 }
    }

    /// Counts one refusal with its code, which every refusal has.
    mutating func refuse(_ stage: String, code: String) {
        count(stage, isAccepted: false)
        codes.insert(stage + " " + code)
    }

    /// The accepted of a hundred.
    func share(_ stage: String) -> Int {
        accepted[stage, default: 0] * 100 / max(offered[stage, default: 0], 1)
    }

    var table: String {
        offered.keys.sorted().map { stage in
            "  \(stage): \(accepted[stage, default: 0]) of \(offered[stage, default: 0]) accepted (\(share(stage)) %)"
        }.joined(separator: "\n")
    }
}
