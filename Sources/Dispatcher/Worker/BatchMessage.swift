import DispatchCore

/// The announcement of one batch: its id, and its size so that a worker can make room before claiming it.
struct BatchMessage: Equatable, Sendable {
    let id: Int64
    let size: Int

    init(id: Int64, size: Int) {
        self.id = id
        self.size = size
    }

    /// Reads `{"batch":7,"size":450}`; nil for anything else.
    init?(body: [UInt8]) {
        guard let value = try? JSONParser.parse(body, limits: .standard), case .object(let members) = value else {
            return nil
        }
        let numbers = members.reduce(into: [String: Int64]()) { numbers, member in
            if case .number(let number) = member.value { numbers[member.name] = number.int64 }
        }
        guard let id = numbers["batch"], let size = numbers["size"], (1...1000).contains(size) else { return nil }
        self.init(id: id, size: Int(size))
    }

    var body: [UInt8] { Array(#"{"batch":\#(id),"size":\#(size)}"#.utf8) }
}
