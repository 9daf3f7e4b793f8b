import CCrypto

/// SHA-256 (FIPS 180-4), computed by OpenSSL's libcrypto.
package enum SHA256 {
  /// The 32-byte digest of `bytes`.
  ///
  /// - Complexity: O(`bytes.count`).
  package static func digest(of bytes: [UInt8]) -> [UInt8] {
    var result = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
    // The input is only read and the output holds exactly one digest, so both pointers stay in bounds.
    unsafe bytes.withUnsafeBufferPointer { input in
      unsafe result.withUnsafeMutableBufferPointer { output in
        _ = unsafe CCrypto.SHA256(input.baseAddress, input.count, output.baseAddress)
      }
    }
    return result
  }

  /// The digest in lower-case hexadecimal digits, as bytes: 64 of them.
  package static func hexDigest(of bytes: [UInt8]) -> [UInt8] {
    let digits = [UInt8]("0123456789abcdef".utf8)
    return digest(of: bytes).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
  }
}
