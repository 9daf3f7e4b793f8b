/// Which URLs links and images may lead to.
package enum URLRule: Equatable, Sendable {
  /// Any.
  case any
  /// Those that can neither run code nor read files.
  case safe
  /// Those without a scheme, and those with one of these, in lower case.
  case schemes([String])
}

extension ValueFormat where Value == URLRule {
  private static var accepted: String {
    "safe, any, or schemes with commas between them, such as https, mailto"
  }

  /// `safe`, `any`, or a list of schemes (RFC 3986 §3.1).
  static var urlRule: Self {
    ValueFormat(
      read: { text in
        switch text {
        case "any": return .any
        case "safe": return .safe
        default:
          let schemes = text.split(separator: ",", omittingEmptySubsequences: false).map {
            String($0.trimmingPrefix(while: { $0 == " " })).lowercased()
          }
          return schemes.count <= 64 && schemes.allSatisfy(isScheme) ? .schemes(schemes) : nil
        }
      },
      write: { value in
        switch value {
        case .any: "any"
        case .safe: "safe"
        case .schemes(let schemes): schemes.joined(separator: ", ")
        }
      },
      accepted: accepted)
  }

  private static func isScheme(_ text: String) -> Bool {
    guard let first = text.utf8.first, first.isASCIILetter, text.utf8.count <= 32 else { return false }
    return text.utf8.allSatisfy {
      $0.isASCIILetter || (0x30...0x39).contains($0) || $0 == 0x2B || $0 == 0x2D || $0 == 0x2E
    }
  }
}
