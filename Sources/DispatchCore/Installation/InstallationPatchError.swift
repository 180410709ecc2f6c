/// Why a patch that is well formed changes nothing.
public enum InstallationPatchError: Error, Hashable, Sendable {
    /// The operation of this number asked for a value that is not there, or is another.
    case testFailed(operation: Int)

    /// The operation of this number removes or replaces what is not there, or adds to what is not there.
    case noTarget(operation: Int)

    /// What comes out is no installation; the path is that of the installation.
    case invalid(InstallationError)
}
