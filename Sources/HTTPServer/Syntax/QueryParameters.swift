/// The parameters of a query in the order they came, repeated ones kept (`application/x-www-form-urlencoded`,
/// WHATWG URL §5.1).
package struct QueryParameters: Equatable, Sendable {
  /// One `name=value`; the value is empty where there is no `=`.
  package struct Parameter: Equatable, Sendable {
    package let name: String
    package let value: String
  }

  /// All parameters, in order. Bytes that are no UTF-8 are replaced.
  package let parameters: [Parameter]

  /// Reads a query without its `?`. `nil` where a `%` is not followed by two hexadecimal digits.
  package init?(_ query: ArraySlice<UInt8>) {
    var parameters: [Parameter] = []
    for pair in query.split(separator: 0x26) {
      let equals = pair.firstIndex(of: 0x3D) ?? pair.endIndex
      guard let name = PercentEncoding.decode(pair[..<equals], plusIsSpace: true),
        let value = PercentEncoding.decode(pair[equals...].dropFirst(), plusIsSpace: true)
      else { return nil }
      parameters.append(
        Parameter(name: String(decoding: name, as: UTF8.self), value: String(decoding: value, as: UTF8.self)))
    }
    self.parameters = parameters
  }

  /// The value of the first parameter with this name, or `nil`.
  package subscript(_ name: String) -> String? { parameters.first { $0.name == name }?.value }

  /// The values of all parameters with this name, in order.
  package func all(_ name: String) -> [String] { parameters.filter { $0.name == name }.map(\.value) }
}

/// Percent-encoding (RFC 3986 §2.1).
package enum PercentEncoding {
  /// The bytes with `%XX` undone, or `nil` where a `%` is not followed by two hexadecimal digits.
  ///
  /// - Complexity: O(`bytes.count`).
  package static func decode(_ bytes: ArraySlice<UInt8>, plusIsSpace: Bool) -> [UInt8]? {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = bytes.startIndex
    while index < bytes.endIndex {
      let byte = bytes[index]
      if byte == 0x25 {
        guard index + 2 < bytes.endIndex, let high = ByteClass.hexValue(bytes[index + 1]),
          let low = ByteClass.hexValue(bytes[index + 2])
        else { return nil }
        result.append(high << 4 | low)
        index += 3
      } else {
        result.append(plusIsSpace && byte == 0x2B ? ByteClass.space : byte)
        index += 1
      }
    }
    return result
  }
}
