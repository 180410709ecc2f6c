/// One line of the doctor: what was checked, whether it is right, and what to do if not.
struct Finding: Sendable {
    let name: String
    let isGood: Bool
    let detail: String

    static func good(_ name: String, _ detail: String) -> Finding {
        Finding(name: name, isGood: true, detail: detail)
    }

    static func wrong(_ name: String, _ detail: String) -> Finding {
        Finding(name: name, isGood: false, detail: detail)
    }

    var line: String {
        "\(isGood ? "ok   " : "WRONG") \(name)\(String(repeating: " ", count: max(1, 24 - name.count)))\(detail)"
    }
}
