extension MetricFamily {
    static let build = MetricFamily(
        "dispatcher_build_info",
        .gauge,
        by: ["version", "schema"],
        "Always 1; the program's version and the migration that it needs."
    )
    static let startTime = MetricFamily(
        "process_start_time_seconds",
        .gauge,
        "When the process began, in seconds since 1970."
    )
    static let processorTime = MetricFamily("process_cpu_seconds_total", .counter, "Processor time used, in seconds.")
    static let residentMemory = MetricFamily("process_resident_memory_bytes", .gauge, "Memory in use, in bytes.")
    static let openDescriptors = MetricFamily("process_open_fds", .gauge, "Open file descriptors.")
    static let threads = MetricFamily("process_threads", .gauge, "Threads.")
    static let databaseUp = MetricFamily("dispatcher_database_up", .gauge, "1 while the database answers, else 0.")
    static let brokerConnected = MetricFamily(
        "dispatcher_broker_connected",
        .gauge,
        by: ["connection"],
        "1 while this connection to the broker stands, else 0."
    )
    static let brokerLosses = MetricFamily(
        "dispatcher_broker_losses_total",
        .counter,
        by: ["connection"],
        "Connections to the broker that were lost or could not be made."
    )
    static let databaseLosses = MetricFamily(
        "dispatcher_database_losses_total",
        .counter,
        "Connections to the database that were lost or could not be made."
    )

    /// Told by every process.
    static let ofProcesses = [
        build, startTime, processorTime, residentMemory, openDescriptors, threads, databaseUp, brokerConnected,
        brokerLosses, databaseLosses,
    ]

    static let requests = MetricFamily(
        "dispatcher_http_requests_total",
        .counter,
        by: ["route", "status"],
        "Requests that were answered; the route is its pattern, `-` where there is none."
    )
    static let requestTime = MetricFamily(
        "dispatcher_http_request_seconds",
        .histogram,
        by: ["route"],
        "From the end of a request's head to its answer."
    )
    static let openConnections = MetricFamily("dispatcher_http_connections", .gauge, "Connections of clients.")
    static let refusedConnections = MetricFamily(
        "dispatcher_http_connections_refused_total",
        .counter,
        "Connections that were closed at once because of a limit."
    )

    /// Told by `dispatcher serve`.
    static let ofServe = [requests, requestTime, openConnections, refusedConnections]

    static let all = ofProcesses + ofWorkers + ofServe
}
