import Testing

@testable import DispatchCore

/// Several workers that each see too little, and tell one another once a second as through PostgreSQL.
struct SharedAnswersTests {
    typealias Example = ChannelExample

    private struct Place: Hashable {
        let worker: Int
        let second: Int64
    }

    private struct Row {
        var told: ChannelSecond
        let at: Timestamp
    }

    private struct Workers {
        var books: [ChannelBook]
        var rows: [Place: Row] = [:]
        var opened: [ChannelPause] = []

        init(_ count: Int) { books = Array(repeating: ChannelBook(), count: count) }

        mutating func answer(_ worker: Int, _ answers: [(Int, DeliveryOutcome)], at now: Timestamp) {
            note(books[worker].observe(Example.report(answers, at: now), now: now))
        }

        private mutating func note(_ changes: [ChannelChange]) { opened += changes.compactMap(\.pause) }

        /// What the function in PostgreSQL does.
        mutating func share(_ worker: Int, _ testimony: [ChannelSecond], at now: Timestamp) -> [SharedAnswers] {
            for told in testimony {
                let place = Place(worker: worker, second: told.second)
                rows[place, default: Row(told: told, at: now)].told = told
            }
            let fresh = rows.filter { $0.key.second >= ChannelPolicy.oldestSecond(at: now) }.values
            guard let first = fresh.filter(\.told.isAlarm).map(\.at).min() else { return [] }
            var answers = SharedAnswers(key: Example.key, alarmedAt: first)
            for row in fresh { answers.add(row.told.counts, second: row.told.second) }
            return [answers]
        }

        mutating func meet(_ worker: Int, at now: Timestamp) {
            for _ in 0..<2 {
                let heard = share(worker, books[worker].testimony(), at: now)
                note(books[worker].hear(heard, now: now))
            }
        }

        /// Plays ten steps a second; each worker meets the others once a second, at a moment of its own.
        mutating func run(
            from start: Timestamp,
            seconds: Int,
            _ answers: (Int, Int) -> [(Int, DeliveryOutcome)]
        ) -> Duration? {
            for step in 0..<10 * seconds {
                let now = start + .milliseconds(100 * step)
                for worker in books.indices {
                    answer(worker, answers(worker, step), at: now)
                    if step % 10 == worker { meet(worker, at: now) }
                    if !opened.isEmpty { return now - start }
                }
            }
            return nil
        }
    }

    @Test("dead devices spread over eight workers stop the channel, though none has seen fifty")
    func spreadOut() {
        var workers = Workers(8)
        let time = workers.run(from: Example.start, seconds: 20) { _, step in step < 10 ? [(1, Example.suspect)] : [] }
        #expect(workers.opened.map(\.cause) == [.dead] && workers.opened.first?.reason == "BadDeviceToken")
        #expect(time ?? .seconds(60) <= .seconds(6))
    }

    @Test("forty-nine of them do not, and neither do more over many minutes")
    func tooFew() {
        var workers = Workers(7)
        #expect(
            workers.run(from: Example.start, seconds: 70) { _, step in step < 7 ? [(1, Example.suspect)] : [] } == nil
        )
        var slow = Workers(8)
        #expect(
            slow.run(from: Example.start, seconds: 600) { _, step in step % 110 == 0 ? [(1, Example.suspect)] : [] }
                == nil
        )
    }

    @Test("what one worker sees accepted keeps the channel open for all, though it is the last to be heard")
    func successElsewhere() {
        var workers = Workers(8)
        let time = workers.run(from: Example.start, seconds: 90) { worker, step in
            guard step % 100 == 0 else { return [] }
            return worker == 7 ? [(200, Example.accepted)] : [(7, Example.suspect)]
        }
        #expect(time == nil)
        #expect(!workers.rows.isEmpty)
    }

    @Test("a storm of which each of eight workers sees little opens the circuit in less than five seconds")
    func storm() {
        var workers = Workers(8)
        let time = workers.run(from: Example.start, seconds: 20) { worker, step in
            (step + worker) % 10 == 0 ? [(1, Example.unavailable)] : []
        }
        #expect(workers.opened.map(\.cause) == [.unavailable])
        #expect(time ?? .seconds(60) < .seconds(5))
    }

    @Test("a trusted channel is not stopped by all together either")
    func trusted() {
        var workers = Workers(8)
        for worker in 0..<8 { workers.books[worker].replace([], trusted: [Example.key]) }
        #expect(workers.run(from: Example.start, seconds: 20) { _, _ in [(1, Example.suspect)] } == nil)
        #expect(workers.rows.isEmpty)
    }

    @Test("a healthy channel is not spoken of, whatever share of its devices dies in the usual way")
    func healthy() {
        var book = ChannelBook()
        for step in 0..<300 {
            let now = Example.start + .milliseconds(100 * step)
            _ = book.observe(Example.report([(95, Example.accepted), (5, Example.suspect)], at: now), now: now)
            #expect(book.testimony().isEmpty)
        }
    }

    @Test("what could not be told is told again, and a second that goes on is told with all of it")
    func toldAgain() {
        var book = ChannelBook()
        _ = book.observe(Example.report([(3, Example.suspect)]), now: Example.start)
        let first = book.testimony()
        #expect(first.map(\.counts.dead) == [3] && first.map(\.isAlarm) == [true])
        #expect(book.testimony().isEmpty)
        book.takeBack(first)
        #expect(book.testimony() == first)
        _ = book.observe(Example.report([(2, Example.suspect)]), now: Example.start + .milliseconds(500))
        #expect(book.testimony().map(\.counts.dead) == [5])
    }

    @Test("what was counted before a stop by another worker counts no more afterwards")
    func forgotten() {
        var book = ChannelBook()
        _ = book.observe(Example.report([(49, Example.suspect)]), now: Example.start)
        let pause = ChannelPause(key: Example.key, cause: .dead, reason: "x", until: Example.start + .seconds(30))
        book.replace([pause], trusted: [])
        book.replace([], trusted: [])
        let later = Example.start + .seconds(31)
        #expect(book.observe(Example.report([(1, Example.suspect)], at: later), now: later).isEmpty)
        #expect(book.testimony().map(\.counts.dead) == [1])
    }
}
