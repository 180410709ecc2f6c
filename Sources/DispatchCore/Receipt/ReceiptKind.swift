/// What happened to a notification on a device; the raw value is the spelling in JSON.
public enum ReceiptKind: String, CaseIterable, Hashable, Sendable {
    /// The app fetched the content that the push named.
    case fetched

    /// It was shown.
    case displayed

    /// The user opened it: the default action.
    case read

    /// The user put it away without opening it.
    case dismissed

    /// The user chose one of its buttons.
    case action

    /// The user answered a button that asks for a text.
    case reply
}
