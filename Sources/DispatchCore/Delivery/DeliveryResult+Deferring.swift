extension DeliveryResult {
    /// Lets a delivery wait without an attempt until a known moment, or until its expiry where that comes first.
    public static func deferred(
        until moment: Timestamp,
        reason: String,
        attempts: Int,
        expiresAt: Timestamp
    ) -> DeliveryResult {
        DeliveryResult(
            state: .retrying,
            reason: reason,
            attempts: attempts,
            isAmbiguous: false,
            nextAttemptAt: min(moment, expiresAt),
            retire: nil,
            disposition: nil
        )
    }
}
