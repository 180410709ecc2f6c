import AMQP
import Postgres

/// Which C libraries are loaded, and whether they are ones that the clients were written for.
enum LibraryCheck {
    static func run() -> [Finding] {
        [
            check("librabbitmq", AMQPLibrary.version, needs: (0, 11)),
            check("libpq", PostgresLibrary.version, needs: (15, 0)),
        ]
    }

    static func check(_ name: String, _ version: String, needs least: (Int, Int)) -> Finding {
        let parts = version.split(separator: ".").map { Int($0) ?? 0 }
        let found = (parts.first ?? 0, parts.dropFirst().first ?? 0)
        guard found >= least else {
            return .wrong(name, "\(version); \(least.0).\(least.1) or later is needed, upgrade the package")
        }
        return .good(name, version)
    }
}
