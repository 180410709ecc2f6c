import DispatchCore

@testable import Dispatcher

/// A job that is published, and what is expected of it.
struct ModelJob {
    let id: UUIDValue
    let body: [UInt8]
    let lane: Lane
    let audience: Audience

    enum Audience {
        case users([Int])
        case everyone
        case nobodyKnows
    }

    var isPoison: Bool { Self.isPoison(body) }
    private static let poison = Array(#""poison""#.utf8)

    /// Whether the process that reads it dies.
    static func isPoison(_ body: [UInt8]) -> Bool { body.suffix(poison.count + 2).starts(with: poison) }
}

extension ModelJob {
    /// Any job, as services send them at `now`.
    static func random(_ dice: inout SplitMix, now: Timestamp, users: Int) -> ModelJob {
        let id = UUIDValue(high: dice.next(), low: dice.next())
        let lane = dice.pick([Lane.high, .normal, .normal, .normal, .bulk])
        switch dice.below(40) {
        case 0: return ModelJob(id: id, body: Array("{".utf8) + Array("\(id)".utf8), lane: lane, audience: .nobodyKnows)
        case 1: return poison(id, lane)
        case 2...5: return make(id, "\"broadcast\":true", options(&dice, now), .bulk, .everyone)
        default:
            let chosen = (0...dice.below(3)).map { _ in dice.below(users) }
            return make(id, to(chosen), options(&dice, now), lane, .users(chosen))
        }
    }

    /// To one user, at once, however long it takes.
    static func urgent(_ dice: inout SplitMix, user: Int, lane: Lane = .high) -> ModelJob {
        let id = UUIDValue(high: dice.next(), low: dice.next())
        return make(id, to([user]), "", lane, .users([user]))
    }

    /// To everybody, at once.
    static func broadcast(_ dice: inout SplitMix, _ lane: Lane) -> ModelJob {
        let id = UUIDValue(high: dice.next(), low: dice.next())
        return make(id, "\"broadcast\":true", "", lane, .everyone)
    }

    /// The same id with something else in it.
    var contradiction: ModelJob {
        ModelJob(id: id, body: body.dropLast() + Array(" }".utf8), lane: lane, audience: audience)
    }

    private static func to(_ users: [Int]) -> String {
        "\"users\":[" + users.map { "\"u\($0)\"" }.joined(separator: ",") + "]"
    }

    private static func poison(_ id: UUIDValue, _ lane: Lane) -> ModelJob {
        let body = Array("{\"id\":\"\(id)\",\"hub\":".utf8) + poison + Array("}}".utf8)
        return ModelJob(id: id, body: body, lane: lane, audience: .nobodyKnows)
    }

    private static func make(
        _ id: UUIDValue,
        _ to: String,
        _ options: String,
        _ lane: Lane,
        _ audience: Audience
    ) -> ModelJob {
        let text = "{\"id\":\"\(id)\",\"to\":{\(to)},\"content\":{\"title\":\"t\"},\"options\":{\(options)}}"
        return ModelJob(id: id, body: Array(text.utf8), lane: lane, audience: audience)
    }

    private static func options(_ dice: inout SplitMix, _ now: Timestamp) -> String {
        var options: [String] = []
        if dice.below(5) == 0 { options.append("\"guarantee\":\"at-most-once\"") }
        if dice.below(3) == 0 { options.append("\"ttlSeconds\":\(1 + dice.below(40))") }
        if dice.below(6) == 0 {
            options.append("\"sendAt\":\"\((now + .seconds(1 + dice.below(40))).rfc3339)\"")
        }
        return options.joined(separator: ",")
    }
}
