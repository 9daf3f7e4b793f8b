package import BlockDiff

// The report as api.md §6 has it. It holds no text but names and sources, so it needs no more than the writer's
// strings and numbers.
extension CheckReport {
  /// The tokens of which `retypesPer1000Tokens` counts.
  private static let tokensPerRate = 1_000

  /// Retypes per 1,000 tokens.
  package var retypeRate: Double {
    tokens == 0 ? 0 : Double(retypes) * Double(Self.tokensPerRate) / Double(tokens)
  }

  /// Writes the report as one object.
  ///
  /// - Parameter countsDocuments: whether it is the summary of many documents: it has `documents`, and each
  ///   violation names its own.
  package func write(to writer: inout JSONWriter, countsDocuments: Bool) {
    writer.write(#"{"ok":"#)
    writer.write(isOK)
    if countsDocuments { Self.write(#","documents":"#, documents, to: &writer) }
    Self.write(#","bytes":"#, bytes, to: &writer)
    Self.write(#","prefixes":"#, prefixes, to: &writer)
    Self.write(#","wholePrefixes":"#, wholePrefixes, to: &writer)
    writer.write(#","splits":{"#)
    for place in splits.indices {
      if place > 0 { writer.write(",") }
      writer.write(string: splits[place].name)
      Self.write(":", splits[place].chunks, to: &writer)
    }
    Self.write(#"},"blocks":"#, blocks, to: &writer)
    Self.write(#","tokens":"#, tokens, to: &writer)
    Self.write(#","retypes":"#, retypes, to: &writer)
    writer.write(#","retypesPer1000Tokens":"#)
    writer.write(retypeRate, decimals: 3)
    writer.write(#","held":"#)
    Self.write(held, to: &writer, rest: heldTokens)
    writer.write(#","violations":["#)
    for place in violations.indices {
      if place > 0 { writer.write(",") }
      violations[place].write(to: &writer, document: nil)
    }
    for place in findings.indices {
      if place > 0 || !violations.isEmpty { writer.write(",") }
      findings[place].write(to: &writer)
    }
    Self.write(#"],"elapsedMs":"#, elapsedMilliseconds, to: &writer)
    writer.write("}")
  }

  private static func write(_ field: JSONFragment, _ number: Int, to writer: inout JSONWriter) {
    writer.write(field)
    writer.write(number)
  }

  /// Bytes held, and in `tokens` how long.
  private static func write(_ held: Histogram, to writer: inout JSONWriter, rest tokens: Histogram? = nil) {
    write(#"{"p50":"#, held.percentile(0.5), to: &writer)
    write(#","p99":"#, held.percentile(0.99), to: &writer)
    write(#","max":"#, held.max, to: &writer)
    if let tokens {
      writer.write(#","tokens":"#)
      write(tokens, to: &writer)
    }
    writer.write("}")
  }
}

extension CheckReport.Finding {
  /// Writes the violation as one object, with its document.
  package func write(to writer: inout JSONWriter) { violation.write(to: &writer, document: document) }
}

extension Violation {
  /// Writes the violation as one object.
  func write(to writer: inout JSONWriter, document: String?) {
    writer.write("{")
    if let document {
      writer.write(#""document":"#)
      writer.write(string: document)
      writer.write(",")
    }
    writer.write(#""promise":"#)
    writer.write(string: promise.name)
    writer.write(#","offset":"#)
    writer.write(offset)
    if let id {
      writer.write(#","id":"#)
      writer.write(string: id)
    }
    writer.write(#","detail":"#)
    writer.write(string: detail)
    if let shrunk {
      writer.write(#","shrunk":"#)
      shrunk.write(to: &writer)
    }
    writer.write("}")
  }
}

extension ShrunkCase {
  /// Writes the case as one object. Chunks are lengths in bytes, since they can cut characters; `source_b64`
  /// stands where the source is not well-formed UTF-8, as in the conformance vectors.
  func write(to writer: inout JSONWriter) {
    if String(validating: source, as: UTF8.self) != nil {
      writer.write(#"{"source":"#)
      writer.write(string: source, in: source.indices)
    } else {
      writer.write(#"{"source_b64":"#)
      writer.write(string: Base64.encoded(source))
    }
    writer.write(#","chunks":["#)
    for place in chunks.indices {
      if place > 0 { writer.write(",") }
      writer.write(chunks[place])
    }
    writer.write(#"],"test":"#)
    writer.write(string: literal)
    writer.write(#","detail":"#)
    writer.write(string: detail)
    writer.write("}")
  }
}

/// Base64 (RFC 4648 §4).
enum Base64 {
  static func encoded(_ bytes: [UInt8]) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var result: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      var bits = 0
      for place in 0..<3 { bits = bits << 8 | (start + place < bytes.count ? Int(bytes[start + place]) : 0) }
      for place in 0..<4 {
        result.append(place <= group.count ? alphabet[bits >> (18 - 6 * place) & 63] : UInt8(ascii: "="))
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
