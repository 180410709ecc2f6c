extension Sound {
    /// The name that Android knows a sound by: resources have no extension, so `bell.caf` is `bell` there.
    ///
    /// A name with an extension would be looked up in vain, and the phone would play its own sound instead.
    var resourceName: String? {
        guard let name, let point = name.utf8.lastIndex(of: UInt8(ascii: ".")), point > name.startIndex else {
            return name
        }
        return String(name[..<point])
    }

    /// What an app is told that plays the sound itself; nothing has a name of its own there.
    var spokenName: String { resourceName ?? "none" }
}
