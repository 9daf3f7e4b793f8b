import BlockDiff
import Checker
import HTTPServer
import Markup
import StreamStore

/// One reader of one stream in process: a cursor, as a live view is. On its worker's loop.
final class EngineReader: @unchecked Sendable {
  // Safe: all but the constants is touched only on the worker's loop.

  /// How long a reader waits for more.
  private static let patience = Duration.seconds(10)

  private(set) var record: ReaderRecord
  /// Bytes that it got.
  private(set) var bytes = 0
  private let stream: BlockStream
  private let start: LoopInstant
  private var random: SeededGenerator
  private var isDone = false
  private var waiter: CheckedContinuation<Void, Never>?

  init(_ kind: ReaderKind, of stream: BlockStream, start: LoopInstant, records: Bool, seed: UInt64) {
    record = ReaderRecord(kind, records: records)
    self.stream = stream
    self.start = start
    random = SeededGenerator(seed: seed)
  }

  /// Reads until the stream is finished, or nothing comes for too long.
  func run(on loop: EventLoop) async {
    let (wakes, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let subscription = stream.subscribe { continuation.yield() }
    // Whoever wakes it for the last time is the clock.
    let clock = LoopTimer(on: loop) { _ in
      continuation.finish()
      return .never
    }
    defer {
      stream.unsubscribe(subscription)
      clock.cancel()
      isDone = true
      waiter?.resume()
    }
    do {
      try await read(wakes, on: loop) { clock.set(LoopInstant.now.advanced(by: Self.patience)) }
    } catch {
      // What came until then is all that there is.
    }
  }

  private func read(
    _ wakes: AsyncStream<Void>, on loop: EventLoop, _ windUp: () -> Void
  ) async throws(StreamError) {
    let snapshot = try await stream.snapshot(shape: .flat)
    var position = snapshot.status.position.position
    take(.snapshot, snapshot.json, position, isSnapshot: true)
    var isFinished = snapshot.status.isFinished
    windUp()
    var wakes = wakes.makeAsyncIterator()
    var isBack = false
    while !isFinished, await wakes.next() != nil {
      windUp()
      let changes = try await stream.changes(since: position)
      if !changes.isEmpty {
        position = changes.status.position.position
        take(.diff, changes.json, position, isSnapshot: isBack)
      }
      isBack = false
      isFinished = changes.status.isFinished
      if let pause, !isFinished {
        await loop.sleep(until: LoopInstant.now.advanced(by: pause))
        isBack = record.kind == .resuming
      }
    }
    guard isFinished else { return }
    record.recording?.append(.finished, [])
    record.isFinished = true
  }

  /// How long it stays away after an event.
  private var pause: Duration? {
    switch record.kind {
    case .live, .late: nil
    case .coalescing: .milliseconds(record.kind.minInterval)
    case .slow: ReaderKind.slowInterval
    case .resuming:
      random.below(ReaderKind.eventsUntilCut.upperBound / 2) == 0
        ? .milliseconds(ReaderKind.absence.lowerBound + random.below(ReaderKind.absence.count)) : nil
    }
  }

  private func take(_ kind: EventDecoder.Kind, _ json: [UInt8], _ position: ByteOffset, isSnapshot: Bool) {
    bytes += json.count
    record.recording?.append(kind, json)
    record.arrivals.append(
      DeliveryAccount.Arrival(
        time: LoopInstant.now.nanoseconds - start.nanoseconds, position: position.value,
        isSnapshot: isSnapshot))
  }

  /// Waits until it reads no more.
  func waitForEnd(on loop: EventLoop) async {
    if isDone { return }
    await withCheckedContinuation { waiter = $0 }
  }
}
