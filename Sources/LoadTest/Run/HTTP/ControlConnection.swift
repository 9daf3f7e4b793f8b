import HTTPServer

/// The connection over which a worker reads finished streams' snapshots and deletes the streams, so that these keep
/// no append waiting.
final class ControlConnection: ClientConnectionHandler {
  /// Called with the status, 0 where no answer came, and the content.
  typealias Completion = (_ status: Int, _ content: [UInt8]) -> Void

  private unowned let worker: HTTPWorker
  private var connection: ClientConnection?
  private var decoder = ResponseDecoder()
  private var waiting = Fifo<Completion>()
  private var status = 0
  private var content: [UInt8] = []
  /// Whether the server deletes streams. One that does not know how is not asked again.
  private var canDelete = true

  init(worker: HTTPWorker) { self.worker = worker }

  var isIdle: Bool { waiting.isEmpty }

  func request(_ bytes: [UInt8], _ completion: @escaping Completion) {
    if connection == nil {
      decoder = ResponseDecoder()
      connection = try? ClientConnection(to: worker.endpoint, on: worker.loop, handler: self)
    }
    guard let connection else { return completion(0, []) }
    waiting.append(completion)
    connection.send(bytes)
  }

  func delete(_ bytes: [UInt8]) {
    guard canDelete else { return }
    request(bytes) { [weak self] status, _ in
      if status == 404 || status == 405 { self?.canDelete = false }
    }
  }

  func close() {
    connection?.close()
    connection = nil
    while !waiting.isEmpty { waiting.removeFirst()(0, []) }
  }

  func connectionClosed(_ closed: ClientConnection, _ error: SystemError?) {
    connection = nil
    close()
    worker.controlIsIdle()
  }

  func connection(
    _ connection: ClientConnection, received bytes: borrowing Span<UInt8>, at time: LoopInstant
  ) {
    do throws(ResponseError) {
      var position = 0
      while let part = try decoder.next(in: bytes, from: &position) {
        switch part {
        case .head(let head):
          status = head.status
          content = []
        case .content(let range): for index in range { content.append(bytes[index]) }
        case .end: if !waiting.isEmpty { waiting.removeFirst()(status, content) }
        }
      }
    } catch {
      close()
    }
    if waiting.isEmpty { worker.controlIsIdle() }
  }
}
