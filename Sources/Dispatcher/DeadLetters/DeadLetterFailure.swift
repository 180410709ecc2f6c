import AMQP

/// Why a command on dead letters could not finish; each sentence says what is the case now.
enum DeadLetterFailure: Error, CustomStringConvertible {
    case notConfirmed(PublishResult)
    case turnInterrupted
    case isLocked

    var description: String {
        switch self {
        case .notConfirmed(let result): "the broker did not confirm a message: \(result); run the command again"
        case .turnInterrupted: "the connection to push.dead was lost; run 'dispatcher dead-letters collect'"
        case .isLocked:
            "another dead-letters command is at work on push.dead; run 'dispatcher dead-letters collect' later"
        }
    }
}
