package import BlockDiff
import Foundation
package import Markup
import Synchronization

/// One stream: its source, and the blocks that its source shows.
///
/// An append is stored first, then parsed, in one piece under the stream's lock. Readers are cursors: what
/// changed since theirs is computed when they ask, so that a slow reader costs nothing. The blocks can be
/// dropped at any time and are then read from the source again.
package final class BlockStream: @unchecked Sendable {
  // Safe: `log`, `parsed`, `readers`, `lastReader`, `recent`, `lastUse` and the flags are touched only between
  // `lock` and `unlock` of `lock`; the rest never changes.

  /// Bytes of a source above which reading it again takes some ten milliseconds.
  private static let largeBytes = 1 << 20

  /// Called when the stream has changed; from any thread, outside the lock.
  package typealias Wake = @Sendable () -> Void

  package let path: StreamPath
  package let configuration: StreamConfiguration
  /// Which of the streams that had this path.
  package let incarnation: UInt64

  /// What snapshots and diffs say of the stream.
  package let envelope: Envelope
  private let budget: StoreBudget
  private let lock = NSLock()
  private let log: any SourceLog
  private var parsed: ParsedSource?
  private var readers: [(id: Int, wake: Wake)] = []
  private var lastReader = 0
  /// The last diff, for the readers that stand at the same position.
  private var recent: BlockChanges?
  private var lastUse = 0
  private var isDiscarded = false
  /// Whether the stream counts in `budget.largeDropped`.
  private var isLargeDropped = false

  init(
    path: StreamPath, incarnation: UInt64, configuration: StreamConfiguration, log: any SourceLog,
    budget: StoreBudget
  ) {
    self.path = path.owned
    self.incarnation = incarnation
    self.configuration = configuration
    self.log = log
    self.budget = budget
    envelope = Envelope(stream: path.description, incarnation: incarnation)
  }

  /// Where the stream stands.
  package var status: StreamStatus {
    lock.lock()
    defer { lock.unlock() }
    return currentStatus
  }

  private var currentStatus: StreamStatus {
    StreamStatus(
      tail: OffsetToken(incarnation: incarnation, position: ByteOffset(log.length)),
      isFinished: log.isClosed)
  }

  /// The blocks, read from the source again where they have been dropped.
  private func use() throws(StreamError) -> ParsedSource {
    lastUse = budget.tick
    if let parsed { return parsed }
    let source = try readLog(0..<log.length)
    let result = ParsedSource(configuration)
    result.append(source, closes: log.isClosed)
    install(result)
    return result
  }

  private func install(_ source: ParsedSource) {
    parsed = source
    if isLargeDropped { budget.largeDropped.subtract(1, ordering: .relaxed) }
    isLargeDropped = false
  }

  private func readLog(_ range: Range<Int>) throws(StreamError) -> [UInt8] {
    do throws(SourceLogError) {
      return try log.read(range)
    } catch {
      throw .storageUnavailable
    }
  }

  // MARK: - Appending

  /// Appends bytes and gives the diff that they make. The readers are woken.
  ///
  /// - Parameter isFirst: whether this append creates the stream. Its diff then begins with nothing at all, and
  ///   opens what is open from the start.
  /// - Complexity: O(bytes + open blocks + diff), and O(source) where the blocks had been dropped.
  package func append(
    _ request: AppendRequest, isFirst: Bool = false
  ) throws(StreamError) -> Appended {
    let (appended, woken) = try appendLocked(request, isFirst: isFirst)
    for reader in woken { reader.wake() }
    return appended
  }

  private func appendLocked(
    _ request: AppendRequest, isFirst: Bool
  ) throws(StreamError) -> (Appended, [(id: Int, wake: Wake)]) {
    lock.lock()
    defer { lock.unlock() }
    guard !isDiscarded else { throw .noStream(path: path.description) }
    let verdict = try admit(request)
    let parsed = try use()
    let before = parsed.parser.position
    var writer = JSONWriter()
    if case .duplicate(let last) = verdict {
      _ = parsed.parser.writeDiff(since: before, in: envelope, to: &writer)
      var producer = request.producer
      if let last { producer?.sequence = last }
      return (
        Appended(diff: writer.bytes, status: currentStatus, isDuplicate: true, producer: producer), []
      )
    }
    try store(request)
    parsed.append(request.bytes, closes: request.closes)
    let diff = parsed.parser.writeDiff(since: isFirst ? nil : before, in: envelope, to: &writer)
    let appended = Appended(diff: writer.bytes, status: currentStatus, producer: request.producer)
    recent = readers.isEmpty ? nil : BlockChanges(diff, json: writer.bytes, status: appended.status)
    return (appended, readers)
  }

  /// What is to be done with an append that may go on.
  private enum Verdict {
    case append
    /// `last` is the producer's highest sequence number, where there is a producer.
    case duplicate(last: Int?)
  }

  /// Judges an append, in the order that the protocol recommends: closure, type, producer, sequence, offset.
  private func admit(_ request: AppendRequest) throws(StreamError) -> Verdict {
    if log.isClosed {
      // What closed the stream may come again, and so may a wish to close it.
      if let producer = request.producer {
        if request.producer == log.writers.closer { return .duplicate(last: producer.sequence) }
      } else if request.bytes.isEmpty && request.closes {
        return .duplicate(last: nil)
      }
      throw .closed(tail: currentStatus.tail)
    }
    guard !request.bytes.isEmpty || request.closes else { throw .emptyAppend }
    try configuration.check(request.configuration, hasContent: !request.bytes.isEmpty)
    if let producer = request.producer {
      switch try log.writers.verdict(on: producer) {
      case .append: break
      case .duplicate(let last): return .duplicate(last: last)
      }
    }
    if let sequence = request.sequence { try log.writers.check(sequence: sequence) }
    if let expected = request.expectedOffset, expected != currentStatus.tail {
      throw .expectedOffset(tail: currentStatus.tail)
    }
    guard request.bytes.count <= budget.maxStreamBytes - log.length else {
      throw .streamFull(limit: budget.maxStreamBytes)
    }
    return .append
  }

  private func store(_ request: AppendRequest) throws(StreamError) {
    try budget.reserve(request.bytes.count)
    do throws(SourceLogError) {
      try log.commit(
        SourceEntry(
          bytes: request.bytes, closes: request.closes, producer: request.producer,
          sequence: request.sequence))
    } catch {
      budget.release(request.bytes.count)
      throw .storageUnavailable
    }
  }

  // MARK: - Reading

  /// The position that a token names.
  ///
  /// - Throws: `.offsetGone` where it is of another incarnation or was not reached.
  package func position(of token: OffsetToken) throws(StreamError) -> ByteOffset {
    let current = status.position
    guard token.incarnation == incarnation, token.position <= current.position else {
      throw .offsetGone(current: current)
    }
    return token.position
  }

  /// Writes the snapshot.
  ///
  /// - Complexity: O(bytes written).
  package func snapshot(shape: SnapshotShape) throws(StreamError) -> (json: [UInt8], status: StreamStatus) {
    lock.lock()
    defer { lock.unlock() }
    let parsed = try use()
    var writer = JSONWriter()
    writer.write(
      snapshotOf: parsed.parser.blocks, shape: shape, dialect: configuration.dialect.name, in: envelope)
    return (writer.bytes, currentStatus)
  }

  /// What has changed since an earlier position, which `position(of:)` gave. Readers at the same position share
  /// the JSON.
  package func changes(since position: ByteOffset) throws(StreamError) -> BlockChanges {
    lock.lock()
    defer { lock.unlock() }
    let status = currentStatus
    if let recent, recent.from == position, recent.status == status { return recent }
    let parsed = try use()
    var writer = JSONWriter()
    let diff = parsed.parser.writeDiff(since: position, in: envelope, to: &writer)
    let result = BlockChanges(diff, json: writer.bytes, status: status)
    if !readers.isEmpty { recent = result }
    return result
  }

  /// Writes one block, the IDs of its children and the source bytes that it spans.
  package func block(_ id: [UInt8]) throws(StreamError) -> (json: [UInt8], status: StreamStatus) {
    lock.lock()
    defer { lock.unlock() }
    let parsed = try use()
    guard let index = parsed.parser.blocks.index(ofID: id) else {
      throw .noBlock(id: String(decoding: id, as: UTF8.self))
    }
    let block = parsed.parser.blocks[index]
    let source = try readLog(block.begin.value..<(block.end?.value ?? log.length))
    var writer = JSONWriter()
    writer.write(viewOf: index, in: parsed.parser.blocks, source: source, envelope: envelope)
    return (writer.bytes, currentStatus)
  }

  /// The source up to a position that `position(of:)` gave, to be read anew, and whether the stream is finished
  /// there.
  package func source(upTo position: ByteOffset) throws(StreamError) -> (bytes: [UInt8], isFinished: Bool) {
    lock.lock()
    defer { lock.unlock() }
    return (try readLog(0..<min(position.value, log.length)), position.value > log.length)
  }

  // MARK: - Readers

  /// Has `wake` called after every change from here on, until `unsubscribe`. Whoever subscribes before it
  /// catches up misses nothing.
  package func subscribe(_ wake: @escaping Wake) -> Int {
    lock.lock()
    defer { lock.unlock() }
    lastReader += 1
    readers.append((lastReader, wake))
    return lastReader
  }

  /// Ends a subscription.
  package func unsubscribe(_ id: Int) {
    lock.lock()
    defer { lock.unlock() }
    readers.removeAll { $0.id == id }
    if readers.isEmpty { recent = nil }
  }

  /// The number of subscriptions.
  package var readerCount: Int {
    lock.lock()
    defer { lock.unlock() }
    return readers.count
  }

  // MARK: - Memory

  /// Forgets the blocks if nobody has used them since the sweep `tick`. Whether that happened.
  func dropParsed(unusedSince tick: Int) -> Bool {
    lock.lock()
    defer { lock.unlock() }
    guard parsed != nil, lastUse < tick else { return false }
    parsed = nil
    recent = nil
    if log.length > Self.largeBytes {
      isLargeDropped = true
      budget.largeDropped.add(1, ordering: .relaxed)
    }
    return true
  }

  /// The source of a stream whose blocks were dropped, where it is so large that it is better read in slices, with
  /// others having their turn between, than in one piece by whoever comes next. `restore` takes what was read.
  package func largeDroppedSource() throws(StreamError) -> [UInt8]? {
    guard budget.largeDropped.load(ordering: .relaxed) > 0 else { return nil }
    lock.lock()
    defer { lock.unlock() }
    guard isLargeDropped, !isDiscarded else { return nil }
    return try readLog(0..<log.length)
  }

  /// Takes a parser, not finished, that has read the source from its beginning. What has been appended since is
  /// read here.
  package func restore(_ parser: consuming MarkupParser) throws(StreamError) {
    lock.lock()
    defer { lock.unlock() }
    guard parsed == nil else { return }
    let source = ParsedSource(parser)
    source.append(
      try readLog(source.parser.position.value..<log.length), closes: log.isClosed)
    lastUse = budget.tick
    install(source)
  }

  /// Whether the blocks are in memory.
  package var isParsed: Bool {
    lock.lock()
    defer { lock.unlock() }
    return parsed != nil
  }

  /// Gives the bytes back to the budget: the stream is not kept, and takes no more.
  func discard() {
    lock.lock()
    defer { lock.unlock() }
    guard !isDiscarded else { return }
    isDiscarded = true
    budget.release(log.length)
    if isLargeDropped { budget.largeDropped.subtract(1, ordering: .relaxed) }
    isLargeDropped = false
  }
}

/// What changed between two positions.
package struct BlockChanges: Sendable {
  /// Where the reader stood.
  package let from: ByteOffset
  /// The diff as JSON.
  package let json: [UInt8]
  /// Whether there is anything to show; a live reader is not sent a diff without ops.
  package let isEmpty: Bool
  /// Where the stream stands after it.
  package let status: StreamStatus

  init(_ diff: Diff, json: [UInt8], status: StreamStatus) {
    from = diff.from
    self.json = json
    isEmpty = diff.ops.isEmpty
    self.status = status
  }
}

/// The blocks of a source. A class, so that the parser stays where it is while it is used.
final class ParsedSource {
  var parser: MarkupParser

  init(_ configuration: StreamConfiguration) {
    parser = MarkupParser(dialect: configuration.dialect, options: configuration.options)
  }

  init(_ parser: consuming MarkupParser) {
    self.parser = parser
  }

  func append(_ bytes: [UInt8], closes: Bool) {
    parser.append(bytes.span)
    if closes { parser.finish() }
  }
}

// The parser is borrowed here, while reading its table through the class would copy the table's references each
// time: a twentieth of an append.
extension MarkupParser {
  fileprivate var position: ByteOffset { blocks.position }

  /// Writes what has changed since an earlier position.
  fileprivate borrowing func writeDiff(
    since position: ByteOffset?, in envelope: Envelope, to writer: inout JSONWriter
  ) -> Diff {
    let diff = blocks.diff(since: position)
    writer.write(diff, of: blocks, in: envelope)
    return diff
  }
}
