/// The segments of a path that a pattern named.
public struct HTTPRouteParameters: Sendable, Equatable {
    private let names: [String]
    private let values: [String]

    /// Makes parameters, for tests of handlers; the two lists have the same length.
    public init(names: [String] = [], values: [String] = []) {
        precondition(names.count == values.count, "each parameter has a name and a value")
        self.names = names
        self.values = values
    }

    /// The decoded segment.
    public subscript(name: String) -> String? {
        names.firstIndex(of: name).map { values[$0] }
    }

    /// The segment as a value of a type; nil when it is not one.
    public func value<Value: LosslessStringConvertible>(_ name: String, as type: Value.Type) -> Value? {
        self[name].flatMap { Value($0) }
    }
}
