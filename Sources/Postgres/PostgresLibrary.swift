import CPostgres

/// The C library underneath.
public enum PostgresLibrary {
    /// The version of libpq that is loaded, such as `15.14`.
    ///
    /// `PQlibVersion` counts from version 10 on in ten thousands: 150014 is 15.14.
    public static var version: String {
        let number = PQlibVersion()
        return "\(number / 10_000).\(number % 10_000)"
    }
}
