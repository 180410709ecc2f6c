import HTTP

/// What `dispatcher serve` needs of its own environment.
enum ServeCheck {
    static func run(_ environment: Environment) -> Finding {
        do throws(ConfigurationError) {
            let settings = try HTTPSettings(environment)
            if let lacking = DescriptorLimit.lacking(for: settings.connections) { return .wrong("serve", lacking) }
            // The key is not looked at here: the server refuses a pair that does not fit when it starts.
            let kind = settings.transportSecurity == nil ? "no TLS" : "TLS"
            return .good("serve", "settings are good, \(kind)")
        } catch {
            return .wrong("serve", "\(error)")
        }
    }
}
