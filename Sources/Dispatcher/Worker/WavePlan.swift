/// What a wave became once its plan is committed.
struct WavePlan: Sendable {
    /// Small audiences, packed.
    ///
    /// The first batch is begun (its intent is committed); the others are begun in turn.
    var batches: [BatchWork] = []

    /// Audiences still to be cut into published batches.
    var large: [PlanWork] = []

    /// Valid jobs that contradict what is stored.
    var rejections: [Rejection] = []
}
