/// What the end of a worker, or its survival, says about a batch that it had in hand.
enum CrashVerdict: String, CaseIterable, Sendable {
    /// Several workers have ended with it: from now on it is tried alone.
    case suspected

    /// The worker has ended while it tried this alone: it is tried again, each device by itself.
    case narrowed

    /// The worker has ended while it tried this one device alone; once more, and it was the device.
    case struck

    /// This one device has ended two workers that tried it alone: its delivery ends as failed.
    case isolated

    /// So have several devices: all that is left of the notification ends as failed.
    case quarantined

    /// It was tried alone and the worker lives.
    case cleared
}
