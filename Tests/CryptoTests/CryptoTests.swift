import Testing

@testable import Crypto

@Suite struct CryptoTests {
    private func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    @Test("SHA-256 gives the digests of FIPS 180-4")
    func digests() throws {
        let expected = [
            "": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            "abc": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq":
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
        ]
        for (text, digest) in expected { #expect(try hexadecimal(SHA256.digest(of: Array(text.utf8))) == digest) }
    }

    @Test("HMAC gives the codes of RFC 4231")
    func codes() throws {
        let short = try HMACSHA256.code(of: Array("Hi There".utf8), key: [UInt8](repeating: 0x0B, count: 20))
        #expect(hexadecimal(short) == "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7")
        let words = try HMACSHA256.code(of: Array("what do ya want for nothing?".utf8), key: Array("Jefe".utf8))
        #expect(hexadecimal(words) == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
        let text = "Test Using Larger Than Block-Size Key - Hash Key First"
        let long = try HMACSHA256.code(of: Array(text.utf8), key: [UInt8](repeating: 0xAA, count: 131))
        #expect(hexadecimal(long) == "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")
        #expect(try HMACSHA256.code(of: [], key: []).count == 32)
    }

    @Test("a digest of pieces is that of the whole")
    func pieces() throws {
        let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        for size in [1, 63, 64, 65, 999, 1000] {
            let hash = try SHA256Hash()
            for start in stride(from: 0, to: bytes.count, by: size) {
                try hash.update(Array(bytes[start..<min(start + size, bytes.count)]))
            }
            #expect(try hash.finish() == SHA256.digest(of: bytes))
        }
        #expect(try SHA256Hash().finish() == SHA256.digest(of: []))
    }

    @Test("values compare by all their octets and their length")
    func comparison() {
        #expect(ConstantTime.areEqual([], []))
        #expect(ConstantTime.areEqual([1, 2, 3], [1, 2, 3]))
        #expect(!ConstantTime.areEqual([1, 2, 3], [1, 2, 4]))
        #expect(!ConstantTime.areEqual([1, 2, 3], [1, 2]))
        #expect(!ConstantTime.areEqual([], [0]))
    }

    @Test("random octets are as many as wanted and differ")
    func random() throws {
        #expect(try SecureRandom.bytes(0).isEmpty)
        let values = try (0..<100).map { _ in try SecureRandom.bytes(32) }
        #expect(values.allSatisfy { $0.count == 32 } && Set(values).count == 100)
    }
}
