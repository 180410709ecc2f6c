import DispatchCore
import HTTP

/// How health is told: `{"status": …, "reasons": […]}`, with 200 or 503.
enum HealthReport {
    static func response(_ reasons: [String], well: String, ill: String) -> HTTPResponse {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("status")
        writer.string(reasons.isEmpty ? well : ill)
        writer.key("reasons")
        writer.array(reasons.map { .string($0) })
        writer.endObject()
        return .json(reasons.isEmpty ? .ok : .serviceUnavailable, writer.bytes)
    }

    static func liveness(_ faults: [String]) -> HTTPResponse { response(faults, well: "alive", ill: "dead") }

    static func readiness(_ obstacles: [String]) -> HTTPResponse {
        response(obstacles, well: "ready", ill: "unavailable")
    }
}
