import DispatchCore
import HTTP

extension APIService {
    /// The jobs of the hub that wait for their time, page by page in the order in which they are due.
    func listJobs(_ request: APIRequest) async throws -> HTTPResponse {
        try request.checkQuery("state", "limit", "after")
        let target = request.http.target
        guard target.firstQueryValue("state") == "scheduled" else {
            throw Problem(.badRequest, "invalidFormat", "Must be scheduled: others are not listed.", path: "state")
        }
        var search = ScheduleSearch()
        if let text = target.firstQueryValue("after") {
            guard let place = SchedulePlace(text) else {
                throw Problem(.badRequest, "invalidFormat", "This is no place that next has told.", path: "after")
            }
            search.after = place
        }
        if let number = try target.number("limit", upTo: ScheduleSearch.greatestLimit) { search.limit = number }
        let page = try await search.page(pool, hub: try request.caller.hub)
        return .json(.ok, Self.list(page.jobs, next: page.hasMore ? page.jobs.last?.place : nil))
    }

    private static func list(_ jobs: [ScheduledJob], next: SchedulePlace?) -> [UInt8] {
        var writer = JSONWriter(capacity: 64 + jobs.count * 256)
        writer.beginObject()
        writer.key("jobs")
        writer.beginArray()
        for job in jobs { job.write(to: &writer) }
        writer.endArray()
        if let next {
            writer.key("next")
            writer.string(next.description)
        }
        writer.endObject()
        return writer.bytes
    }
}
