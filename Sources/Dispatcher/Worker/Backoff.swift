/// How long to leave a part alone that has failed several times in a row: doubling, with jitter, never longer than a cap.
struct Backoff: Sendable {
    var base = Duration.milliseconds(200)
    var cap = Duration.seconds(5)

    /// Between half of the step and all of it, so that workers that failed together do not come back together.
    func delay(_ failures: Int, using generator: inout some RandomNumberGenerator) -> Duration {
        let doublings = min(max(failures - 1, 0), 16)
        let step = min(base * (1 << doublings), cap)
        return step * Double.random(in: 0.5...1, using: &generator)
    }

    /// Waits the delay after `failures` failures in a row; cancellation ends the wait.
    func wait(_ failures: Int) async {
        var generator = SystemDice()
        try? await Task.sleep(for: delay(failures, using: &generator))
    }
}
