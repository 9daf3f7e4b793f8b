import Checker
import TestSupport

/// Changes a document by its lines and constructs, where a mutator of bytes would mostly make text.
package struct MarkdownMutator {
  private var generator: SeededGenerator

  package init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  /// Whether this turn is better left to the mutator of bytes.
  package mutating func leavesItToBytes() -> Bool { generator.chance(35) }

  /// A document made out of `source`, of at most `limit` bytes.
  package mutating func mutated(_ source: [UInt8], limit: Int) -> [UInt8] {
    var lines = Self.lines(of: source)
    for _ in 0..<1 + generator.below(3) { mutate(&lines) }
    return Array(lines.joined().prefix(limit))
  }

  private mutating func mutate(_ lines: inout [[UInt8]]) {
    let place = generator.below(lines.count + 1)
    let end = min(lines.count, place + 1 + generator.below(3))
    switch generator.below(9) {
    case 0, 1, 2:
      // Any construct, in its own lines or going on in the middle of one.
      var documents = DocumentGenerator(seed: generator.next(), hasDirectives: generator.chance(50))
      let block = Self.lines(of: documents.document(blocks: 1 + generator.below(2)))
      if place < lines.count, generator.chance(30), !lines[place].isEmpty {
        let cut = generator.below(lines[place].count)
        lines.insert(Array(lines[place][cut...]), at: place + 1)
        lines[place] = Array(lines[place][..<cut])
        lines.insert(contentsOf: block, at: place + 1)
      } else {
        lines.insert(contentsOf: block, at: place)
      }
    case 3: lines.removeSubrange(place..<max(place, end))
    case 4: lines.insert(contentsOf: lines[place..<max(place, end)], at: place)
    case 5:
      // Into a container, or out of one.
      let prefix = Array(generator.pick(["> ", ">", "    ", "\t", "- ", "  ", "1. ", "[^1]: "]).utf8)
      let rest = prefix.map { $0 == UInt8(ascii: ">") ? $0 : 0x20 }
      for index in place..<max(place, end) { lines[index] = (index == place ? prefix : rest) + lines[index] }
    case 6:
      for index in place..<max(place, end) {
        let start = lines[index].firstIndex { $0 != 0x20 && $0 != 0x09 && $0 != UInt8(ascii: ">") }
        lines[index].removeSubrange(0..<(start ?? 0))
      }
    case 7: if lines.count > 1 { lines.swapAt(generator.below(lines.count), generator.below(lines.count)) }
    default:
      guard place < lines.count, let last = lines[place].last, last == 0x0A else { return }
      lines[place].removeLast()
      lines[place] += generator.pick([[], [0x0D], [0x0D, 0x0A], [0x20, 0x20, 0x0A], [0x5C, 0x0A]])
    }
  }

  private static func lines(of source: [UInt8]) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    var start = 0
    for place in source.indices where source[place] == 0x0A {
      lines.append(Array(source[start...place]))
      start = place + 1
    }
    if start < source.count { lines.append(Array(source[start...])) }
    return lines
  }
}
