import Foundation
import HTTP
import Testing

@testable import Dispatcher

/// Octets on their way through memory and files.
@Suite struct ContentSpoolTests {
    @Test("what is taken comes back, from memory and from a file", arguments: [0, 1, 32_768, 32_769, 300_000])
    func roundTrip(count: Int) throws {
        let budget = SpoolBudget()
        let octets = Array(APIClient.octets(count))
        let spool = ContentSpool(budget: budget)
        for start in stride(from: 0, to: count, by: 7_000) {
            try spool.append(Array(octets[start..<min(start + 7_000, count)]))
        }
        #expect(spool.count == count && budget.usedBytes == (count > 32_768 ? count : 0))
        do {
            let content = spool.finish()
            #expect(content.count == count && spool.count == 0)
            #expect(try content.read(0..<count) == octets)
            let middle = (count / 3)..<(count / 2)
            #expect(try content.read(middle) == Array(octets[middle]))
        }
        #expect(budget.usedBytes == 0)
    }

    @Test("a spool that is given up gives back its room")
    func givenUp() throws {
        let budget = SpoolBudget()
        do {
            let spool = ContentSpool(budget: budget)
            try spool.append([UInt8](repeating: 1, count: 100_000))
            #expect(budget.usedBytes == 100_000)
        }
        #expect(budget.usedBytes == 0)
    }

    @Test("when the room is used up the next piece is refused, and what others hold stays")
    func full() throws {
        let budget = SpoolBudget(limit: 150_000)
        let first = ContentSpool(budget: budget)
        try first.append([UInt8](repeating: 1, count: 100_000))
        let second = ContentSpool(budget: budget)
        try second.append([UInt8](repeating: 1, count: 30_000))
        #expect(throws: Problem.self) { try second.append([UInt8](repeating: 1, count: 30_000)) }
        #expect(budget.usedBytes == 100_000 || budget.usedBytes == 130_000)
        try first.append([UInt8](repeating: 1, count: 10_000))
        #expect(first.finish().count == 110_000)
    }

    @Test("the cache forgets what nobody wanted for longest, and closes files that are not sent")
    func cache() throws {
        let cache = ContentCache(limits: ContentCache.Limits(memoryBytes: 40, fileBytes: 100, files: 3))
        for key in 1...4 as ClosedRange<Int64> {
            cache.remember(.memory([UInt8](repeating: UInt8(key), count: 10)), of: key)
        }
        _ = cache.octets(of: 1)
        cache.remember(.memory([UInt8](repeating: 5, count: 10)), of: 5)
        #expect(cache.octets(of: 2) == nil && cache.octets(of: 1) != nil && cache.octets(of: 5)?.count == 10)
        let budget = SpoolBudget()
        for key in 11...14 as ClosedRange<Int64> {
            let descriptor = try #require(ContentSpool.namelessFile())
            _ = budget.take(1)
            cache.remember(.file(HTTPFile(takingOver: descriptor) { budget.giveBack(1) }, count: 1), of: key)
        }
        #expect(budget.usedBytes < 4)
        cache.forgetFiles()
        #expect(budget.usedBytes == 0 && cache.octets(of: 14) == nil && cache.octets(of: 5) != nil)
    }
}
