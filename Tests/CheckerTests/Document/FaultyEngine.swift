import Checker
import Markup

/// A fault to be planted.
enum Fault: String, CaseIterable, Sendable {
  case renamedID, reusedID, movedBlock, removedBlock, changedSealedBlock, chunkDependentRevision, lostByte
  case quadraticSteps, heldAfterFinish, diffWithoutText, endOutsideParent, wrongEarlierDiff

  /// The promise that it breaks.
  var promise: Promise {
    switch self {
    case .renamedID, .movedBlock, .removedBlock: .permanence
    case .reusedID: .uniqueness
    case .changedSealedBlock: .sealing
    case .chunkDependentRevision, .lostByte: .chunkIndependence
    case .quadraticSteps: .cost
    case .heldAfterFinish: .totality
    case .diffWithoutText, .wrongEarlierDiff: .replay
    case .endOutsideParent: .finishedEqualsStandard
    }
  }
}

/// The real engine behind a wrapper that does one thing wrong, once the source holds an exclamation mark.
struct FaultyEngine: CheckedEngine, ~Copyable {
  private var engine: ParserEngine
  private let fault: Fault
  private var total = 0
  /// The offset of the exclamation mark.
  private var triggered = -1
  private var isTriggered: Bool { triggered >= 0 }
  /// The revision that a chunk of more than one byte makes wrong.
  private var wrongRevisions: Set<Int> = []

  init(_ engine: consuming ParserEngine, fault: Fault) {
    self.engine = engine
    self.fault = fault
  }

  static func factory(_ fault: Fault, _ parse: ParseOptions) -> @Sendable () -> FaultyEngine {
    let make = ParserEngine.factory(parse)
    return { FaultyEngine(make(), fault: fault) }
  }

  mutating func append(_ bytes: borrowing Span<UInt8>) {
    var chunk: [UInt8] = []
    for index in bytes.indices { chunk.append(bytes[index]) }
    if let place = chunk.firstIndex(of: UInt8(ascii: "!")) {
      if !isTriggered { triggered = total + place }
      // A byte that shares its chunk with others is lost: a space comes in its place.
      if fault == .lostByte && place > 0 { chunk[place] = UInt8(ascii: " ") }
      if chunk.count > 1 { wrongRevisions.insert(total + chunk.count) }
    }
    total += chunk.count
    engine.append(chunk.span)
  }

  mutating func finish() { engine.finish() }

  var steps: Int { engine.steps + (fault == .quadraticSteps && isTriggered ? total * total / 512 : 0) }

  mutating func readSnapshot(into message: inout WireMessage) {
    engine.readSnapshot(into: &message)
    edit(&message, isSnapshot: true)
  }

  mutating func readDiff(since offset: Int?, into message: inout WireMessage) {
    engine.readDiff(since: offset, into: &message)
    edit(&message, isSnapshot: false)
    if fault == .wrongEarlierDiff, isTriggered, let offset, offset + 2 <= total {
      message.ops.removeAll { $0.kind == .append }
    }
  }

  private func edit(_ message: inout WireMessage, isSnapshot: Bool) {
    guard isTriggered else { return }
    switch fault {
    case .renamedID:
      for place in message.ops.indices {
        if String(decoding: message.bytes[message.ops[place].id], as: UTF8.self) == "doc+1" {
          message.ops[place].id = store("doc+9", in: &message)
        }
      }
    case .reusedID:
      for place in message.ops.indices.dropFirst(isSnapshot ? 1 : 0) where message.ops[place].kind == .open {
        message.ops[place].id = store("doc+1", in: &message)
      }
    case .movedBlock: if isSnapshot && message.ops.count > 1 { message.ops.swapAt(0, 1) }
    case .removedBlock: if isSnapshot && !message.ops.isEmpty { message.ops.removeFirst() }
    case .changedSealedBlock:
      if isSnapshot, let first = message.ops.first, first.end >= 0 { message.ops[0].end += 1 }
    case .chunkDependentRevision:
      for place in message.ops.indices where wrongRevisions.contains(message.ops[place].revision) {
        message.ops[place].revision -= 1
      }
    case .heldAfterFinish: if message.isFinished { message.pending = 1 }
    case .diffWithoutText: if !isSnapshot { message.ops.removeAll { $0.kind == .append } }
    case .endOutsideParent:
      for place in message.ops.indices where message.ops[place].end >= triggered {
        let isUnkeyed = message.bytes[message.ops[place].id].contains(UInt8(ascii: "+"))
        if isUnkeyed { message.ops[place].end += 1 }
      }
    case .lostByte, .quadraticSteps, .wrongEarlierDiff: break
    }
  }

  private func store(_ id: String, in message: inout WireMessage) -> Range<Int> {
    let start = message.bytes.count
    message.bytes += Array(id.utf8)
    return start..<message.bytes.count
  }
}
