import AMQP
import DispatchCore
import Gateways
import Glibc
import Postgres

/// Builds a worker's parts from its configuration: what the parts are made of is said here and nowhere else.
struct WorkerAssembly {
    let configuration: Configuration
    let log: Log
    let endpoint: AMQPEndpoint
    let urgentPool: PostgresPool
    let sharedPool: PostgresPool

    /// Connections for what devices send, one for each of its lanes: they keep temporary tables, and wait for no batch.
    let devicePool: PostgresPool

    /// One connection for the lease alone: a worker whose others are all busy is alive.
    let leasePool: PostgresPool
    let urgentHubs: HubDirectory
    let sharedHubs: HubDirectory
    let deviceHubs: HubDirectory
    let worker: Int64
    let publisher: AMQPPublisher

    /// For what is told to others: trouble with it stops no push.
    let eventPublisher: AMQPPublisher
    let gateway: any Gateway
    let clock = DatabaseClock()
    let counters: WorkerCounters
    let lanes = LaneWatch()
    let stragglers = StragglerGroup()
    let active = ActiveWork()
    let lostQueues = LostQueues()
    let templates = TemplateCache()
    let categories = CategoryCache()
    let channels: ChannelWatch
    let urgentBudget = InFlightBudget(capacity: LaneProfile.urgentBudget)
    let sharedBudget = InFlightBudget(capacity: LaneProfile.sharedBudget)
    let backoff = Backoff()
    let quarantine = Quarantine()
    let erasures: ErasureWatch

    /// Connections that only urgent work uses, so that it never waits for one behind bulk.
    static let urgentConnections = 3

    /// One for each normal and bulk pair of hands, one for the scheduler and plans, one for the outbox.
    static let sharedConnections = 8

    static let deviceConnections = DeviceQueue.allCases.count

    func parts(heartbeat: WorkerHeartbeat) -> WorkerParts {
        let planners = AudiencePlanners(urgent: planner(.high), shared: planner(.normal))
        let jobIntakes = Lane.allCases.map { intake($0.jobsQueue, prefetch: LaneProfile.of($0).jobPrefetch) }
        let batchIntakes = Lane.allCases.map(batchIntake)
        let registrations = intake(DeviceQueue.installations.name, prefetch: DeviceQueue.prefetch, keepsOrder: true)
        let receipts = intake(DeviceQueue.receipts.name, prefetch: DeviceQueue.prefetch)
        let unroutable = intake(UnroutableLane.queue, prefetch: UnroutableLane.prefetch)
        return WorkerParts(
            heartbeat: heartbeat,
            workers: WorkerStore(pool: leasePool),
            scheduler: scheduler(planners),
            planners: planners,
            publishers: [publisher, eventPublisher],
            intakes: jobIntakes + batchIntakes + [registrations, receipts, unroutable],
            jobLanes: zip(Lane.allCases, jobIntakes).flatMap { lane, intake in
                (0..<LaneProfile.of(lane).jobWaves).map { _ in jobLane(lane, intake, planners[lane]) }
            },
            batchLanes: zip(Lane.allCases, batchIntakes).flatMap { lane, intake in
                (0..<LaneProfile.of(lane).batches).map { _ in batchLane(lane, intake) }
            },
            registrationLane: registrationLane(registrations),
            receiptLane: receiptLane(receipts),
            unroutableLane: UnroutableLane(waves: waves(unroutable, pool: sharedPool), publishers: publishers),
            stragglers: stragglers,
            pools: [urgentPool, sharedPool, devicePool, leasePool],
            counters: counters,
            channels: channels,
            budgets: [("high", urgentBudget), ("shared", sharedBudget)],
            lanes: lanes,
            clock: clock,
            log: log
        )
    }

    private func planner(_ lane: Lane) -> AudiencePlanner {
        AudiencePlanner(
            store: PlanStore(pool: pool(lane), worker: worker),
            publisher: batchPublisher,
            log: log,
            backoff: backoff
        )
    }

    private func pool(_ lane: Lane) -> PostgresPool { lane == .high ? urgentPool : sharedPool }
    private func hubs(_ lane: Lane) -> HubDirectory { lane == .high ? urgentHubs : sharedHubs }
    private func budget(_ lane: Lane) -> InFlightBudget { lane == .high ? urgentBudget : sharedBudget }

    private var batchPublisher: BatchPublisher {
        BatchPublisher(
            publisher: publisher,
            store: BatchStore(pool: sharedPool, worker: worker, hubs: sharedHubs)
        )
    }

    private func batchIntake(_ lane: Lane) -> QueueIntake {
        let lost = lostQueues
        return intake(lane.batchesQueue, prefetch: LaneProfile.of(lane).batchPrefetch) { lost.note($0, lane: lane) }
    }

    private func intake(
        _ queue: String,
        prefetch: Int,
        keepsOrder: Bool = false,
        onEvent: @escaping @Sendable (AMQPEvent) -> Void = { _ in }
    ) -> QueueIntake {
        let (log, counters) = (log, counters)
        let consumer = AMQPConsumer(
            endpoint: endpoint,
            queue: queue,
            prefetch: prefetch,
            connectionName: "dispatcher \(queue)",
            onEvent: { event in
                log.broker(event, queue: queue)
                counters.connections.count(event, of: queue)
                onEvent(event)
            }
        )
        return QueueIntake(consumer: consumer, queue: queue, keepsOrder: keepsOrder)
    }

    private func runner(_ lane: Lane) -> BatchRunner {
        BatchRunner(
            sender: Sender(
                gateway: gateway,
                policy: configuration.retryPolicy,
                clock: clock,
                limits: configuration.gatewayLimits,
                channels: channels,
                counters: counters
            ),
            recorder: Recorder(
                store: RecordStore(pool: pool(lane), worker: worker, told: configuration.events),
                clock: clock,
                log: log,
                counters: counters,
                backoff: backoff
            ),
            limits: configuration.gatewayLimits,
            active: active,
            ends: LocalExpiryReader(store: LocalTimeStore(pool: pool(lane)), log: log, backoff: backoff),
            templates: TemplateReader(
                store: TemplateStore(pool: pool(lane), cache: templates),
                log: log,
                backoff: backoff
            ),
            unread: UnreadReader(store: UnreadStore(pool: pool(lane)), log: log, backoff: backoff),
            categories: CategoryReader(pool: pool(lane), cache: categories, log: log, backoff: backoff),
            classes: ClassReader(
                store: ClassUseStore(pool: pool(lane)),
                clock: clock,
                channels: channels,
                log: log,
                backoff: backoff
            ),
            channels: channels
        )
    }

    private var publishers: PublisherCheck { PublisherCheck(own: endpoint.login) }

    private func jobLane(_ lane: Lane, _ intake: QueueIntake, _ audiences: AudiencePlanner) -> JobLane {
        JobLane(
            lane: lane,
            waves: waves(intake, pool: pool(lane)),
            decoder: JobDecoder(
                queue: intake.queue,
                hubs: hubs(lane),
                horizon: configuration.horizon,
                clock: clock,
                times: LocalTimeStore(pool: pool(lane)),
                lane: lane,
                erasures: erasures,
                publishers: publishers,
                publicAddress: configuration.publicAddress
            ),
            planner: WavePlanner(store: WaveStore(pool: pool(lane), worker: worker), clock: clock),
            audiences: audiences,
            publisher: batchPublisher,
            runner: runner(lane),
            budget: budget(lane),
            stragglers: stragglers,
            counters: counters
        )
    }

    private func waves(_ intake: QueueIntake, pool: PostgresPool) -> WaveHandler {
        WaveHandler(
            intake: intake,
            deadLetters: DeadLetterOffice(store: DeadLetterStore(pool: pool), publisher: publisher, log: log),
            suspects: SuspectStore(pool: pool),
            quarantine: quarantine,
            gate: DatabaseGate(log: log, backoff: backoff),
            erasures: erasures,
            counters: counters,
            pulse: lanes.pulse(intake.queue),
            log: log
        )
    }

    private func registrationLane(_ intake: QueueIntake) -> RegistrationLane {
        RegistrationLane(
            waves: waves(intake, pool: devicePool),
            decoder: DocumentDecoder(queue: intake.queue, hubs: deviceHubs, publishers: publishers),
            store: InstallationStore(pool: devicePool),
            turn: IntakeTurn(store: TurnStore(pool: devicePool, queue: intake.queue)),
            counters: counters
        )
    }

    private func receiptLane(_ intake: QueueIntake) -> ReceiptLane {
        ReceiptLane(
            waves: waves(intake, pool: devicePool),
            decoder: DocumentDecoder(queue: intake.queue, hubs: deviceHubs, publishers: publishers),
            receipts: ReceiptIntake(pool: devicePool, told: configuration.events),
            counters: counters
        )
    }

    private func batchLane(_ lane: Lane, _ intake: QueueIntake) -> BatchLane {
        BatchLane(
            intake: intake,
            store: BatchStore(pool: pool(lane), worker: worker, hubs: hubs(lane)),
            runner: runner(lane),
            budget: budget(lane),
            stragglers: stragglers,
            gate: DatabaseGate(log: log, backoff: backoff),
            counters: counters,
            pulse: lanes.pulse(intake.queue),
            log: log
        )
    }

    private func scheduler(_ planners: AudiencePlanners) -> Scheduler {
        Scheduler(
            schedule: ScheduleStore(pool: sharedPool, worker: worker),
            plans: PlanStore(pool: sharedPool, worker: worker),
            planners: planners,
            publisher: batchPublisher,
            workers: WorkerStore(pool: sharedPool),
            inboxes: InboxKeeper(pool: sharedPool),
            badges: BadgeSyncStore(pool: sharedPool),
            channels: ChannelKeeper(
                watch: channels,
                store: ChannelStore(pool: sharedPool, worker: worker, told: configuration.events),
                clock: clock,
                log: log
            ),
            outboxes: [outbox(.events, through: eventPublisher), outbox(.jobs, through: publisher)],
            intake: JobIntakeStore(pool: sharedPool),
            erasures: ErasureRunner(
                store: ErasureStore(pool: sharedPool),
                watch: erasures,
                publisher: publisher,
                configuration: configuration,
                log: log
            ),
            lostQueues: lostQueues,
            active: active,
            trials: trials,
            counters: counters,
            retentionDays: configuration.retentionDays,
            retryRate: configuration.retryRate,
            log: log,
            backoff: backoff
        )
    }

    private var trials: CrashTrials {
        CrashTrials(
            suspects: CrashSuspectStore(pool: sharedPool, worker: worker),
            batches: BatchStore(pool: sharedPool, worker: worker, hubs: sharedHubs),
            runner: runner(.normal),
            quarantine: quarantine,
            urgentBudget: urgentBudget,
            sharedBudget: sharedBudget,
            stragglers: stragglers,
            active: active,
            counters: counters,
            log: log
        )
    }

    private func outbox(_ kind: OutboxStore.Kind, through publisher: AMQPPublisher) -> OutboxRelay {
        OutboxRelay(kind: kind, store: OutboxStore(pool: sharedPool, worker: worker), publisher: publisher)
    }
}

extension WorkerParts {
    /// Connects to the database, enters the worker and builds its parts; waits while the database is away.
    static func assemble(_ configuration: Configuration, log: Log) async throws -> WorkerParts {
        let counters = WorkerCounters()
        let pool = { (size: Int) in
            try configuration.workerPool(size: size, log: log, onEvent: { counters.connections.count($0) })
        }
        let urgent = try pool(WorkerAssembly.urgentConnections)
        let shared = try pool(WorkerAssembly.sharedConnections)
        let device = try pool(WorkerAssembly.deviceConnections)
        let lease = try pool(1)
        try await SchemaVersion.requireCurrent(shared, log: log)
        // Before any lane: a row without its day's partition would keep that partition from ever being made.
        try await WorkerStore(pool: shared).maintainPartitions(retentionDays: configuration.retentionDays)
        let host = HostName.current
        let id = try await WorkerStore(pool: shared).register(host: host, process: getpid(), version: Version.current)
        let endpoint = try configuration.brokerEndpoint()
        let assembly = WorkerAssembly(
            configuration: configuration,
            log: log,
            endpoint: endpoint,
            urgentPool: urgent,
            sharedPool: shared,
            devicePool: device,
            leasePool: lease,
            urgentHubs: HubDirectory(pool: urgent, publicAddress: configuration.publicAddress),
            sharedHubs: HubDirectory(pool: shared, publicAddress: configuration.publicAddress),
            deviceHubs: HubDirectory(pool: device),
            worker: id,
            publisher: publisher("publisher", endpoint, counters, log),
            eventPublisher: publisher("events", endpoint, counters, log),
            gateway: try configuration.gateway(log: log),
            counters: counters,
            channels: ChannelWatch(policy: configuration.channelPolicy),
            erasures: ErasureWatch(store: ErasureStore(pool: shared))
        )
        // Before the first push: a pause outlives the worker that imposed it.
        assembly.channels.replace(try await ChannelStore(pool: shared, worker: id, told: configuration.events).read())
        try await assembly.erasures.refresh()
        return assembly.parts(
            heartbeat: WorkerHeartbeat(id: id, host: host, process: getpid(), version: Version.current)
        )
    }

    private static func publisher(
        _ name: String,
        _ endpoint: AMQPEndpoint,
        _ counters: WorkerCounters,
        _ log: Log
    ) -> AMQPPublisher {
        AMQPPublisher(endpoint: endpoint, connectionName: "dispatcher \(name)") {
            log.broker($0, queue: name)
            counters.connections.count($0, of: name)
        }
    }
}
