extension MetricFamily {
    static let jobs = MetricFamily(
        "dispatcher_jobs_total",
        .counter,
        by: ["lane"],
        "Jobs that were accepted, each once."
    )
    static let repeatedJobs = MetricFamily(
        "dispatcher_jobs_repeated_total",
        .counter,
        by: ["lane"],
        "Jobs that came again with the same id and body, and changed nothing."
    )
    static let deliveries = MetricFamily(
        "dispatcher_deliveries_total",
        .counter,
        by: ["platform", "state"],
        "Answers and ends of deliveries that were recorded; `retrying` ones are recorded again later."
    )
    static let attempts = MetricFamily(
        "dispatcher_attempts_total",
        .counter,
        by: ["platform", "retry"],
        "Pushes that were handed to a gateway; `retry` is `true` for a delivery's second or later attempt."
    )
    static let retries = MetricFamily(
        "dispatcher_retries_scheduled_total",
        .counter,
        "Deliveries that were given a time for another attempt."
    )
    static let parked = MetricFamily(
        "dispatcher_parked_total",
        .counter,
        "Times that a delivery was put off without an attempt: for a stopped channel, a retry budget or quiet hours."
    )
    static let heldRetries = MetricFamily(
        "dispatcher_retries_held_total",
        .counter,
        by: ["platform"],
        "Times that a retry was put off because its gateway's retry budget was used up."
    )
    static let retired = MetricFamily(
        "dispatcher_devices_retired_total",
        .counter,
        "Devices that a gateway called gone for good."
    )
    static let installations = MetricFamily(
        "dispatcher_installations_total",
        .counter,
        "Registrations that were taken from the broker."
    )
    static let receipts = MetricFamily("dispatcher_receipts_total", .counter, "Receipts that were taken.")
    static let deadLetters = MetricFamily(
        "dispatcher_dead_letters_total",
        .counter,
        by: ["queue", "reason"],
        "Messages that were refused."
    )
    static let crashVerdicts = MetricFamily(
        "dispatcher_crash_verdicts_total",
        .counter,
        by: ["verdict"],
        "What was found out about batches that workers had in hand when they crashed."
    )
    static let messages = MetricFamily(
        "dispatcher_messages_total",
        .counter,
        by: ["queue"],
        "Messages that were taken from a queue."
    )
    static let waveTime = MetricFamily(
        "dispatcher_wave_seconds",
        .histogram,
        by: ["queue"],
        "From taking a wave of messages to being done with it, sending and recording included."
    )
    static let gatewayTime = MetricFamily(
        "dispatcher_gateway_seconds",
        .histogram,
        "From handing a batch to the gateway to its last answer, or to giving up."
    )
    static let recordTime = MetricFamily(
        "dispatcher_record_seconds",
        .histogram,
        "From the last answer of a batch to the commit of its record, retries included."
    )
    static let consuming = MetricFamily(
        "dispatcher_consuming",
        .gauge,
        by: ["queue"],
        "1 while the queue is subscribed to, else 0."
    )
    static let busyHands = MetricFamily("dispatcher_hands_busy", .gauge, by: ["queue"], "Pairs of hands at work.")
    static let oldestWave = MetricFamily(
        "dispatcher_hands_longest_seconds",
        .gauge,
        by: ["queue"],
        "How long the pair of hands that has waited longest has made no progress."
    )
    static let inFlight = MetricFamily(
        "dispatcher_in_flight_deliveries",
        .gauge,
        by: ["budget"],
        "Deliveries between intent and record, by the budget they are counted in."
    )
    static let stoppedChannels = MetricFamily(
        "dispatcher_channels_stopped",
        .gauge,
        by: ["platform", "cause"],
        "Channels that are stopped, as this worker knows it."
    )
    static let channelChanges = MetricFamily(
        "dispatcher_channel_changes_total",
        .counter,
        by: ["platform", "change"],
        "Times that a channel was `stopped`, its pause `prolonged`, or it was `resumed`; each is counted by one worker."
    )
    static let leaseAge = MetricFamily(
        "dispatcher_lease_age_seconds",
        .gauge,
        "Since the worker's lease was renewed; at 15 others take over its work."
    )
    static let outboxWaiting = MetricFamily(
        "dispatcher_outbox_waiting",
        .gauge,
        "Events and jobs that the broker has yet to be told, of all workers; at most 10000 are counted."
    )
    static let outboxAge = MetricFamily(
        "dispatcher_outbox_oldest_seconds",
        .gauge,
        "How long the oldest of them has waited."
    )
    static let openDeadLetters = MetricFamily(
        "dispatcher_dead_letters_open",
        .gauge,
        "Dead letters that nobody has dealt with; at most 10000 are counted."
    )
    static let retryLag = MetricFamily(
        "dispatcher_retry_lag_seconds",
        .gauge,
        "How long ago the oldest waiting retry was due."
    )

    /// Told by `dispatcher worker`.
    static let ofWorkers = [
        jobs, repeatedJobs, deliveries, attempts, retries, parked, heldRetries, retired, installations, receipts,
        deadLetters, crashVerdicts, messages, waveTime, gatewayTime, recordTime, consuming, busyHands, oldestWave,
        inFlight,
        stoppedChannels, channelChanges, leaseAge, outboxWaiting, outboxAge, openDeadLetters, retryLag,
    ]
}
