extension SendJob {
    /// The job with the instants that its local time means, from the first to the last zone.
    public func resolved(_ moments: ClosedRange<Timestamp>) -> SendJob {
        with(options.resolved(moments))
    }

    /// The job with the instants of `other`, which was resolved and says the same of the time.
    public func resolved(as other: SendJob) -> SendJob {
        guard let first = other.options.sendAt, let last = other.options.lastSendAt else { return self }
        return resolved(first...last)
    }

    private func with(_ options: SendOptions) -> SendJob {
        SendJob(
            id: id,
            hub: hub,
            audience: audience,
            platforms: platforms,
            content: content,
            options: options
        )
    }
}
