import DispatchCore
import Testing

@Suite("Message ids")
struct MessageIDTests {
    @Test("a message id is a UUIDv8 that holds both numbers")
    func layout() {
        let id = PushRequest.messageID(
            notification: NotificationID(rawValue: 0x0123_4567_89AB_CDEF),
            installation: InstallationKey(rawValue: 0x1FED_CBA9_8765_4321)
        )
        #expect(id.description == "12345678-9abc-8def-9fed-cba987654321")
    }

    @Test("numbers that tables can hold never share an id")
    func injective() {
        let numbers: [Int64] = [0, 1, 0xFFF, 0x1000, 0x1001, 1 << 36, (1 << 53) - 1]
        let ids = numbers.flatMap { first in
            numbers.map { second in
                PushRequest.messageID(
                    notification: NotificationID(rawValue: first),
                    installation: InstallationKey(rawValue: second)
                )
            }
        }
        #expect(Set(ids).count == numbers.count * numbers.count)
    }

    @Test("every attempt has the same id")
    func attempts() throws {
        let push = PreparedPush(platform: .apns, bodyHead: [])
        let ids = (1...3).map { attempt in
            PushRequest(
                push: push,
                notification: PushExample.job,
                number: NotificationID(rawValue: 5),
                installation: InstallationKey(rawValue: 6),
                installationID: "phone",
                channel: "token",
                attempt: attempt
            ).messageID
        }
        #expect(Set(ids).count == 1)
    }
}
