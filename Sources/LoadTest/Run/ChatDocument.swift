import Checker

/// One answer to be sent: its text, cut into chunks.
struct ChatDocument: Sendable {
  let path: String
  let bytes: [UInt8]
  /// Where the chunks end.
  let ends: [Int]

  /// The so many-th document of a run's chat.
  init(_ number: Int, of slot: Int, options: LoadOptions, prefix: String) {
    path = "\(prefix)/\(slot)-\(number)"
    var random = SeededGenerator(seed: options.seed &+ UInt64(slot) << 32 &+ UInt64(number))
    bytes = AnswerGenerator.document(seed: random.next())
    var cutter = ChunkCutter(options.chunkBytes, seed: random.next())
    ends = cutter.ends(of: bytes)
  }

  /// The place of a chunk in `bytes`.
  func chunk(_ index: Int) -> ArraySlice<UInt8> { bytes[(index > 0 ? ends[index - 1] : 0)..<ends[index]] }

  /// The position of the blocks view after a chunk; finishing is a position of its own.
  func position(after index: Int) -> Int { ends[index] + (index == ends.count - 1 ? 1 : 0) }
}
