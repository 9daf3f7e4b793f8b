import HTTPServer

/// One answer that is being sent to a server, with its readers. On its worker's loop.
final class ChatStream {
  let document: ChatDocument
  let requests: RequestTemplate
  private unowned let worker: HTTPWorker
  /// What was sent, in order.
  private(set) var appends: [DeliveryAccount.Append] = []
  private(set) var readers: [StreamReader] = []
  /// The chunk to send next.
  private(set) var next = 0
  private var answered = 0
  private var isClosed = false
  /// Requests that finish the stream without a chunk.
  private var closings = 0
  private var isOver = false
  private var patience: LoopTimer?

  init(_ document: ChatDocument, worker: HTTPWorker, kinds: [ReaderKind]) {
    self.document = document
    self.worker = worker
    requests = RequestTemplate(authority: worker.authority, path: document.path)
    readers = kinds.enumerated().map { place, kind in
      StreamReader(
        kind, of: self, worker: worker, seed: worker.options.seed &+ UInt64(document.bytes.count * 31 + place)
      )
    }
  }

  /// Whether all chunks were sent.
  var isSent: Bool { next == document.ends.count }

  /// Where the stream ends in the blocks view once it is finished.
  private var finalPosition: Int { (next > 0 ? document.ends[next - 1] : 0) + 1 }

  // MARK: - Sending

  /// The request with the next chunk; the last one closes the stream.
  func takeChunk(scheduled: Int64) -> [UInt8] {
    let chunk = document.chunk(next)
    appends.append(
      DeliveryAccount.Append(scheduled: scheduled, end: document.position(after: next), isShown: true))
    next += 1
    isClosed = isSent
    worker.measured.textBytes += chunk.count
    return requests.append(chunk, closes: isSent)
  }

  /// The request that finishes the stream before its last chunk; it counts as none.
  func takeClosing() -> [UInt8] {
    isClosed = true
    closings = 1
    return requests.append([], closes: true)
  }

  /// The so many-th append was answered.
  func appendAnswered(_ index: Int, isShown: Bool) {
    guard !isOver else { return }
    appends[index].isShown = isShown
    answered += 1
    let middle = document.ends.count / 2
    for reader in readers where !reader.hasStarted && (reader.record.kind != .late || index >= middle) {
      reader.start()
    }
    settleIfDone()
  }

  /// The request that finished the stream was answered.
  func closingAnswered() {
    guard !isOver else { return }
    answered += 1
    for reader in readers where !reader.hasStarted { reader.start() }
    settleIfDone()
  }

  /// An append failed: what follows would be another text, so nothing does.
  func abandon() {
    guard !isOver else { return }
    isOver = true
    patience?.cancel()
    for reader in readers { reader.stop() }
    worker.streamIsOver(self)
  }

  // MARK: - The end

  func readerIsDone() { settleIfDone() }

  private func settleIfDone() {
    guard !isOver, isClosed, answered == appends.count + closings else { return }
    if readers.allSatisfy(\.isDone) { return settle() }
    guard patience == nil else { return }
    for reader in readers { reader.hurry() }
    let timer = LoopTimer(on: worker.loop) { [weak self] _ in
      self?.settle()
      return .never
    }
    patience = timer
    timer.set(worker.loop.now.advanced(by: HTTPWorker.patience))
  }

  /// Counts what the readers have got, and has it verified.
  private func settle() {
    guard !isOver else { return }
    isOver = true
    patience?.cancel()
    for reader in readers {
      reader.stop()
      worker.measured.count(reader.record, of: appends)
    }
    worker.settle(self, position: finalPosition)
  }
}
