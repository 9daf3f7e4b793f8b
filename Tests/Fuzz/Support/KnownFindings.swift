/// What was found and is not repaired yet: inputs that would only find it again.
package enum KnownFindings {
  /// Whether the input holds the beginning of a known finding. Take the case out with the repair.
  package static func mayHit(_ bytes: [UInt8]) -> Bool {
    // A close tag behind a task box and four columns or more (`<X>- [x]     </X>`) traps in the parser.
    for place in bytes.indices where bytes[place] == UInt8(ascii: "]") {
      let rest = bytes[(place + 1)...].drop { $0 == 0x20 || $0 == 0x09 }
      if rest.startIndex > place + 1, rest.starts(with: "</".utf8) { return true }
    }
    return false
  }
}
