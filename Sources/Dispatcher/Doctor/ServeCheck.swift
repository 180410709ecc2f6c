import HTTP

/// What `dispatcher serve` needs of its own environment.
enum ServeCheck {
    static func run(_ environment: Environment) -> Finding {
        do throws(ConfigurationError) {
            let settings = try HTTPSettings(environment)
            if let descriptors = DescriptorLimit.lacking(for: settings.connections) { return .wrong("serve", descriptors) }
            // The key is not looked at here: the server refuses a pair that does not fit when it starts.
            return .good("serve", settings.transportSecurity == nil ? "settings are good, no TLS" : "settings are good, TLS")
        } catch {
            return .wrong("serve", "\(error)")
        }
    }
}
