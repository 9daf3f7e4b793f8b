import BlockDiff
import HTTPServer
import StreamStore

// POST /v1/blocks/{path}: the next chunk in, the diff that it makes out.
extension Service {
  private static let appendForms = ["application/json", "application/x-ndjson"]

  /// Answers an append.
  func append(_ exchange: Exchange, _ path: StreamPath) async throws {
    let request = exchange.request
    var append = try AppendFields.request(request.fields, dialects: dialects)
    if request.query != nil {
      let query = try Query(request, known: ["inline", "format"])
      try query.checkFormat()
      append.inline = try query.inline(policy)
    }
    switch Accept.best(of: Self.appendForms, request.fields) {
    case 0?: break
    case 1?: return try await appendPieces(exchange, path, append)
    default: throw ServiceError.notAcceptable(offered: Self.appendForms)
    }
    append.bytes = try await exchange.collectContent()
    let appended = try await store.append(append, to: path)
    var fields = Answer.json
    fields.append(appended.status)
    if let producer = appended.producer {
      fields.append("Producer-Epoch", producer.epoch)
      fields.append("Producer-Seq", producer.sequence)
    }
    try await exchange.send(.ok, fields: fields, content: appended.diff)
  }

  /// Answers while the content arrives: a line for each piece, and a last one that says whether the stream is
  /// finished.
  ///
  /// Every line is a diff, so a client that applies lines needs no second case. What is refused before the first
  /// line has its own status; later, the last line is the problem's object instead.
  private func appendPieces(_ exchange: Exchange, _ path: StreamPath, _ first: AppendRequest) async throws {
    guard first.producer == nil else { throw ServiceError.producerWithPieces }
    var append = first
    append.closes = false
    var hasStarted = false
    do {
      while let piece = try await exchange.nextContentChunk() {
        append.bytes = piece
        let appended = try await store.append(append, to: path)
        if !hasStarted {
          hasStarted = true
          // These held for the request as a whole.
          append.expectedOffset = nil
          append.sequence = nil
          try await exchange.startStream(.ok, fields: Answer.lines)
        }
        try await exchange.write(Self.line(appended.diff))
      }
      try await endPieces(exchange, path, first, append, hasStarted: hasStarted)
    } catch {
      guard hasStarted, let problem = Self.problem(error) else { throw error }
      try await exchange.closeAfterResponse()
      try await exchange.write(Self.line(problem.json))
    }
  }

  private func endPieces(
    _ exchange: Exchange, _ path: StreamPath, _ first: AppendRequest, _ last: AppendRequest, hasStarted: Bool
  ) async throws {
    var diff: [UInt8]
    let status: StreamStatus
    if first.closes || !hasStarted {
      var append = last
      append.bytes = []
      append.closes = first.closes
      let appended = try await store.append(append, to: path)
      (diff, status) = (appended.diff, appended.status)
    } else {
      let stream = try await store.stream(at: path)
      let changes = try await stream.changes(since: stream.status.position.position, inline: last.inline)
      (diff, status) = (changes.json, changes.status)
    }
    diff.removeLast()
    diff.append(contentsOf: status.isFinished ? Self.finishedTrue : Self.finishedFalse)
    if !hasStarted { try await exchange.startStream(.ok, fields: Answer.lines) }
    try await exchange.write(diff)
  }

  private static let finishedTrue = Array(",\"finished\":true}\n".utf8)
  private static let finishedFalse = Array(",\"finished\":false}\n".utf8)

  private static func line(_ json: [UInt8]) -> [UInt8] {
    var line = json
    line.append(0x0A)
    return line
  }

  /// What a client can still be told of an error when the answer has begun.
  private static func problem(_ error: any Error) -> Problem? {
    switch error {
    case let error as StreamError: Problem(.stream(error))
    case let error as ServiceError: Problem(error)
    case ExchangeError.request(let error): Problem(.request(error))
    default: nil
    }
  }
}
