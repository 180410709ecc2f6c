/// Finds what is registered for a method and a path.
///
/// A pattern is a path whose segments are either literal or a parameter in braces: `/api/installations/{id}`. A literal
/// segment wins over a parameter, for all methods of the path; a parameter takes any segment that is not empty.
public struct HTTPRouter<Route: Sendable>: Sendable {
    /// What a look-up found.
    public enum Match: Sendable {
        /// A route, and the parameters of its path.
        case found(Route, HTTPRouteParameters)
        /// The path exists, but not for this method: 405, with the methods for the Allow field.
        case methodNotAllowed(allow: String)
        /// No pattern fits the path: 404.
        case notFound
    }

    private struct Leaf: Sendable {
        let route: Route
        let names: [String]
    }

    private struct Node: Sendable {
        var literals: [String: Int] = [:]
        var parameter: Int?
        var leaves: [(method: HTTPMethod, leaf: Leaf)] = []

        func leaf(for method: HTTPMethod) -> Leaf? {
            leaves.first { $0.method == method }?.leaf
        }
    }

    private var nodes = [Node()]

    /// Makes a router without routes.
    public init() {}

    /// Registers a route.
    ///
    /// - Throws: `HTTPRouteError` when the pattern is malformed or taken.
    public mutating func add(_ method: HTTPMethod, _ pattern: String, _ route: Route) throws(HTTPRouteError) {
        let segments = try HTTPRoutePattern.segments(of: pattern)
        var node = 0
        var names: [String] = []
        for segment in segments {
            switch segment {
            case .literal(let text): node = child(of: node, literal: text)
            case .parameter(let name):
                names.append(name)
                node = parameterChild(of: node)
            }
        }
        guard nodes[node].leaf(for: method) == nil else { throw .duplicate(pattern) }
        nodes[node].leaves.append((method, Leaf(route: route, names: names)))
    }

    /// Finds the route of a request; HEAD is served by GET unless it is registered itself.
    public func match(_ method: HTTPMethod, _ segments: [String]) -> Match {
        var values: [String] = []
        var allowed: [HTTPMethod] = []
        if let leaf = search(0, segments[...], method, &values, &allowed) {
            return .found(leaf.route, HTTPRouteParameters(names: leaf.names, values: values))
        }
        guard !allowed.isEmpty else { return .notFound }
        if allowed.contains(.get), !allowed.contains(.head) { allowed.append(.head) }
        return .methodNotAllowed(allow: allowed.map(\.rawValue).sorted().joined(separator: ", "))
    }

    /// Goes into the literal branch first and comes back for the parameter branch; as deep as the path is long.
    private func search(
        _ index: Int,
        _ rest: ArraySlice<String>,
        _ method: HTTPMethod,
        _ values: inout [String],
        _ allowed: inout [HTTPMethod]
    ) -> Leaf? {
        let node = nodes[index]
        guard let segment = rest.first else {
            if let leaf = node.leaf(for: method) ?? (method == .head ? node.leaf(for: .get) : nil) { return leaf }
            for entry in node.leaves where !allowed.contains(entry.method) { allowed.append(entry.method) }
            return nil
        }
        if let next = node.literals[segment], let leaf = search(next, rest.dropFirst(), method, &values, &allowed) {
            return leaf
        }
        // A literal path that exists is a resource of its own: no parameter takes the methods that it lacks.
        guard allowed.isEmpty, let next = node.parameter, !segment.isEmpty else { return nil }
        values.append(segment)
        if let leaf = search(next, rest.dropFirst(), method, &values, &allowed) { return leaf }
        values.removeLast()
        return nil
    }

    private mutating func child(of node: Int, literal: String) -> Int {
        if let existing = nodes[node].literals[literal] { return existing }
        nodes.append(Node())
        nodes[node].literals[literal] = nodes.count - 1
        return nodes.count - 1
    }

    private mutating func parameterChild(of node: Int) -> Int {
        if let existing = nodes[node].parameter { return existing }
        nodes.append(Node())
        nodes[node].parameter = nodes.count - 1
        return nodes.count - 1
    }
}
