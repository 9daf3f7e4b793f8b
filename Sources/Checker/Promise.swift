/// What the checker asserts: the promises of identity.md §3, by their numbers there.
package enum Promise: Int, Sendable, CaseIterable, Comparable {
  case chunkIndependence = 1
  case permanence, uniqueness, sealing, replay
  /// Promise 6. Of a single document the checker sees only what holds for every finished tree: all is sealed,
  /// and parents enclose their children. The comparison with other parsers is a test of its own.
  case finishedEqualsStandard
  case cost, totality

  /// The name on the wire.
  package var name: String {
    switch self {
    case .chunkIndependence: "chunk-independence"
    case .permanence: "permanence"
    case .uniqueness: "uniqueness"
    case .sealing: "sealing"
    case .replay: "replay"
    case .finishedEqualsStandard: "finished-equals-standard"
    case .cost: "cost"
    case .totality: "totality"
    }
  }

  package static func < (a: Promise, b: Promise) -> Bool { a.rawValue < b.rawValue }
}

/// One place at which a promise does not hold.
package struct Violation: Error, Equatable, Sendable {
  package var promise: Promise
  /// The number of bytes after which it was noticed: the source's length + 1 after `finish`.
  package var offset: Int
  /// The block that it is about, where it is about one.
  package var id: String?
  /// What was found and what was expected, for a reader.
  package var detail: String
  /// The offsets at which the chunks ended that it was found with.
  package var chunkEnds: [Int]
  /// The shortest source and split found that still break the promise.
  package var shrunk: ShrunkCase?

  package init(
    _ promise: Promise, at offset: Int, id: String? = nil, _ detail: String, chunkEnds: [Int] = []
  ) {
    self.promise = promise
    self.offset = offset
    self.id = id
    self.detail = detail
    self.chunkEnds = chunkEnds
  }
}

/// A source and a way to cut it, as small as they came.
package struct ShrunkCase: Equatable, Sendable {
  package var source: [UInt8]
  /// The lengths of the chunks in bytes.
  package var chunks: [Int]
  /// What was found with it.
  package var detail: String

  package init(source: [UInt8], chunkEnds: [Int], detail: String) {
    self.source = source
    self.detail = detail
    var start = 0
    chunks = chunkEnds.map { end in
      defer { start = end }
      return end - start
    }
  }

  /// The chunks as Swift source, to be pasted into a test.
  package var literal: String {
    var start = 0
    let parts = chunks.map { length in
      defer { start += length }
      return SourceLiteral.quoted(source[start..<start + length])
    }
    return "[\(parts.joined(separator: ", "))]"
  }
}

/// Why a check ends early.
package enum CheckStop: Error, Equatable, Sendable {
  case violated(Violation)
  case cancelled
}

extension Violation: CustomStringConvertible {
  package var description: String {
    var text = "\(promise.name) at \(offset)"
    if let id { text += ", \(id)" }
    text += ": \(detail)"
    if let shrunk { text += "\n  shrunk: \(shrunk.literal): \(shrunk.detail)" }
    return text
  }
}
