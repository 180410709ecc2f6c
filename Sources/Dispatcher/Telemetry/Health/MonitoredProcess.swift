/// What the metrics address tells about, worker or API.
protocol MonitoredProcess: Sendable {
    /// Why the process should be replaced; empty while it lives.
    func faults() async -> [String]

    /// Why the process cannot do its work now; empty while it can.
    func obstacles() async -> [String]

    func write(to page: inout MetricPage) async
}

/// A process that has not reached its servers yet.
struct StartingProcess: MonitoredProcess {
    func faults() async -> [String] { [] }
    func obstacles() async -> [String] { ["starting: waits for the database"] }
    func write(to page: inout MetricPage) async { page.addProcess() }
}
