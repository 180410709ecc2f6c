/// The program's version, as `dispatcher version`, the log and the workers view tell it.
enum Version {
    static let current = "0.1.0"
}
