import DispatchCore
import HTTP

extension APIRequest {
    /// Whose inbox is meant: the user that a service names, or the device's own; nil when nobody uses the device.
    func inboxUser() throws(Problem) -> String? {
        let longest = IdentifierRules.greatestLength
        let isID = IdentifierRules.isUserID
        let named = try http.target.text("user", upTo: longest, else: "This is no user's id.", isID)
        guard let device = try caller.device else {
            guard let named else {
                throw Problem(.badRequest, "missingParameter", "A key must say which user is meant.", path: "user")
            }
            return named
        }
        guard let named else { return device.userID }
        // By bytes: what only looks alike is another user.
        guard let own = device.userID, own.utf8.elementsEqual(named.utf8) else {
            throw .forbidden("A device may only touch its own user's inbox.")
        }
        return own
    }
}
