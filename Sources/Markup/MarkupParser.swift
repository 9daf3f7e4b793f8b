import ByteStorage

/// Reads one stream's source, in any chunks, into blocks whose IDs never change.
///
/// The state after `append` is a function of all bytes so far, however they were cut (identity.md §3).
/// No input is an error.
///
/// How it works: the parser makes one decision after another, each about the bytes at `cursor`. A decision
/// looks at bytes through `peek`, which says "more" at the end of what has arrived and records how far the
/// decision looked (`reach`). A decision that met "more" is taken back and made again when more bytes are
/// there; one that did not is made, and `now`, the offset of everything it changes, is the furthest byte it
/// looked at. So the state cannot depend on the chunks, as long as a decision depends on nothing else.
/// Scans that can be long keep their place (`ScanMemory`), so that no byte is looked at again and again.
package struct MarkupParser: ~Copyable {
  /// What a stream's creator may choose beside the dialect.
  package struct Options: Sendable, Equatable {
    /// The names of components that are open from the start, outermost first.
    package var open: [String]
    /// Whether a first line of `---` opens front matter, also where the dialect does not say so.
    package var frontMatter: Bool

    package init(open: [String] = [], frontMatter: Bool = false) {
      self.open = open
      self.frontMatter = frontMatter
    }
  }

  /// The blocks so far.
  package internal(set) var blocks: BlockTable

  let grammar: Grammar

  // MARK: Input

  var input = InputBuffer()
  /// Whether `finish` was called: the end of the input is then known.
  var isFinishing = false

  // MARK: Position

  /// The next byte to decide on.
  var cursor = 0
  /// The first byte that no block shows and no container prefix claimed.
  var decided = 0
  /// The offset at which what is being changed shows.
  var now = 0
  /// How far the decision being made has looked: the offset after the last byte it depends on.
  var reach = 0
  var memory = ScanMemory()
  /// Steps of work done: bytes looked at and blocks handled. Only for tests of the cost promise.
  package internal(set) var steps = 0

  // MARK: Structure

  var phase = Phase.documentStart
  var line = Line()
  /// Code spans so far in the line's text; kept only while a component is open.
  var spans = CodeSpans()
  /// A close tag that counts unless a code span turns out to hold it.
  var deferredTag: DeferredTag?
  /// The open containers, the document first.
  var spine: [Container] = [Container(kind: .document, row: -1)]
  /// The open leaf, if its kind is not `.none`.
  var leaf = Leaf()
  /// Places in the text of a paragraph's last line where it is not the source byte for byte. Not in the leaf, which is
  /// made anew for each block and costs little as long as it holds no array.
  var substitutions: [Leaf.Substitution] = []
  /// The number of components among the open containers.
  var openComponents = 0
  /// The last keyed block, or -1, and how many unkeyed ones were named after it.
  var lastKeyed = -1
  var unkeyedCount = 0
  /// How often each template key has been used.
  var repeats = TemplateRepeats()

  package init(dialect: Dialect, options: Options = Options(), keepsHistory: Bool = true) {
    self.init(Grammar(dialect, options: options), keepsHistory: keepsHistory)
  }

  /// A parser of a grammar that was made before.
  ///
  /// - Parameter keepsHistory: whether there will be diffs from what was shown before; a document that is there as a
  ///   whole needs none.
  package init(_ grammar: Grammar, keepsHistory: Bool = true) {
    self.grammar = grammar
    blocks = BlockTable(keepsHistory: keepsHistory)
    for name in grammar.open { openFromStart(name) }
  }

  /// Makes room for so many more bytes of source: where they are known to come, text need not be moved as it grows.
  package mutating func reserve(sourceBytes: Int) {
    blocks.text.reserve(min(max(0, sourceBytes), ByteOffset.limit - total))
  }

  /// Reads the next bytes of the source.
  ///
  /// - Precondition: the stream is not finished, and stays within `ByteOffset.limit` bytes.
  /// - Complexity: O(bytes + open blocks).
  package mutating func append(_ bytes: borrowing Span<UInt8>) {
    precondition(!isFinishing, "append after finish")
    precondition(bytes.count <= ByteOffset.limit - total, "a stream holds at most 2 GiB")
    guard !bytes.isEmpty else { return }
    var begin = 0
    while begin < bytes.count {
      let end = min(begin + Self.sliceBytes, bytes.count)
      input.append(bytes, begin..<end)
      begin = end
      run()
      dropConsumed()
    }
    blocks.position = ByteOffset(total)
    blocks.pending = total - decided
  }

  /// Large appends are read in slices of this size: what has been read need not be kept beside what is made of it.
  private static let sliceBytes = 64 << 10

  /// Decides everything that is held and seals all blocks; the stream takes no more bytes.
  ///
  /// - Complexity: O(held bytes + open blocks).
  package mutating func finish() {
    guard !isFinishing else { return }
    isFinishing = true
    input.end()
    run()
    now = total + 1
    closeLeaf()
    while spine.count > 1 { closeLastContainer() }
    input.clear()
    decided = total
    blocks.position = ByteOffset(total + 1)
    blocks.pending = 0
    blocks.isFinished = true
  }

  /// What the next decision is about.
  enum Phase {
    /// A byte order mark and front matter.
    case documentStart
    /// A new line.
    case lineStart
    /// The container prefixes of a line, and after them what continues the leaf.
    case prefix
    /// Which block begins here, if any.
    case blockStart
    /// The rest of the line belongs to the open leaf.
    case content
  }

  /// The outcome of one decision.
  enum Step {
    /// Made: the parser's state has changed.
    case done
    /// Not to be made yet.
    case hold
  }

  private mutating func run() {
    while true {
      reach = now
      var step: Step
      switch phase {
      case .documentStart: step = startDocument()
      case .lineStart: step = startLine()
      case .prefix: step = matchPrefix()
      case .blockStart: step = startBlock()
      case .content:
        step = readContent()
        // After a line's end the next two are known, so that the processor need not foresee where to jump.
        if step == .done && phase == .lineStart {
          reach = now
          step = startLine()
          if step == .done {
            reach = now
            step = matchPrefix()
          }
        }
      }
      if step == .hold { break }
    }
  }

  /// Forgets the bytes that no later decision can look at.
  private mutating func dropConsumed() {
    let keep = leaf.kind != .none && leaf.heldBegin >= 0 ? min(cursor, leaf.heldBegin) : cursor
    steps += input.drop(before: keep, roomKept: Self.sliceBytes) / Self.bytesPerMoveStep
  }

  /// Moving bytes costs less than looking at them: so many count as one step.
  private static let bytesPerMoveStep = 16

  /// The bytes that the parser's and the table's buffers take, what they keep free included.
  ///
  /// Promise 7: at most three times the source and 128 bytes a block.
  package var footprint: Int { blocks.footprint + repeats.footprint + input.footprint }

  /// Gives back the room that is kept for more: for a parser that may not go on soon, or at all.
  ///
  /// - Complexity: O(blocks + text) where there is such room.
  package mutating func trim() {
    blocks.trim()
    input.trim()
  }

  /// Makes the decision: what it changes shows at the furthest byte it looked at.
  @inline(__always)
  mutating func commit() { now = max(now, reach) }
}

extension MarkupParser {
  /// Reads on in the open leaf's line.
  mutating func readContent() -> Step {
    switch leaf.kind {
    case .paragraph, .definition: readParagraph()
    case .heading: readHeading()
    case .table: readTableRow()
    case .math: readMath()
    case .rawComponent: readRawComponent()
    case .fencedCode, .indentedCode, .html, .frontMatter: readVerbatim()
    case .none: preconditionFailure("a line's content belongs to a leaf")
    }
  }
}
