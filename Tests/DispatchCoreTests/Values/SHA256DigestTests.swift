import Testing

@testable import DispatchCore

@Suite("SHA-256")
struct SHA256DigestTests {
    @Test("the digest of abc is the standard's example")
    func standardExample() {
        let hexadecimal = SHA256Digest(of: "abc".utf8).bytes.map { String($0, radix: 16) }
        #expect(hexadecimal.prefix(4) == ["ba", "78", "16", "bf"])
        #expect(hexadecimal.suffix(4) == ["f2", "0", "15", "ad"])
    }

    @Test(
        "lengths around a block's end agree with Python's hashlib",
        arguments: [
            (0, "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU"),
            (1, "bjQLnP-zepicpUTmu3gKLHiQHT-zNzh2hRGjBhevoB0"),
            (3, "rksygOVuL6-D9BSm49q-nV--GJdlRMBf7RIazLhbU_w"),
            (55, "Rj6yjnL4LgqWwKTMU2kMVxKBEx9nKqIp4NRa5ZtZi1k"),
            (56, "2irk1rNnSPKjGPI-erHf30Ws3J0Em9gOWd6CpgiV9WI"),
            (63, "Ka8mhv1TN0o2sIRmlMw0IXfkKNFkdRXweHhNac255Ig"),
            (64, "_eq5rPNxA2K9JljNyaKej5x1f8-YEWA6jER80dkVEQg"),
            (65, "S_0si28e7Hoq_rSLk07ksmlBggJ-bQ_AdQdPL6uzF4E"),
            (119, "2hh5ftfDp3fwhH9ClySi2M1ROObtKJXD-hptOdGPfsY"),
            (120, "9Ssj2x-7be2J70KiPODIkixF8lxQtWipO_HAdUILu3w"),
            (128, "Rx-5Q6ojxRH29y-NFlLZyIDPo5KtgFAxIFR3A-VqK-U"),
            (1000, "TkwpSzMfeiCZo3m-w0ufn8A9xGq0ZdmY9NaD2lNIfm0"),
        ]
    )
    func lengths(count: Int, digest: String) {
        let message = (0..<count).map { UInt8($0 % 251) }
        #expect(SHA256Digest(of: message).base64URL == digest)
    }
}
