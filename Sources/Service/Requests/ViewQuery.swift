import BlockDiff
import Configuration
import HTTPServer

/// What a `GET` of a stream's blocks asks for.
struct ViewQuery {
  /// The parameters of `GET /v1/blocks/{path}`.
  static let known = ["from", "wait", "at", "block", "shape", "inline", "format", "live", "minInterval"]

  var from: OffsetToken?
  var wait: Duration?
  var at: OffsetToken?
  var block: [UInt8]?
  var shape = SnapshotShape.flat
  var isLive = false
  var minInterval = Duration.zero
  var inline = InlineOutput.none

  /// Reads and checks the query.
  init(_ request: Request, settings: Settings.Blocks, policy: HTMLOptions) throws(ServiceError) {
    minInterval = settings.lowestMinInterval
    guard let bytes = request.query, !bytes.isEmpty else { return }
    let query = try Query(request, known: Self.known)
    try query.checkFormat()
    inline = try query.inline(policy)
    from = try query.token("from")
    at = try query.token("at")
    // In a query, `+` is a space; no ID has one.
    block = query["block"].map { $0.utf8.map { $0 == 0x20 ? UInt8(ascii: "+") : $0 } }
    shape = try query.shape
    isLive = try query.word("live", of: ["sse"]) != nil
    wait = try Self.wait(query, settings)
    minInterval = try Self.minInterval(query, settings)
    try checkTogether(query)
  }

  private func checkTogether(_ query: Query) throws(ServiceError) {
    let exclusive = [("at", "from"), ("block", "from"), ("at", "live"), ("block", "live"), ("wait", "live")]
    for (one, other) in exclusive where query[one] != nil && query[other] != nil {
      throw .conflictingParameters(one, other)
    }
    if wait != nil, from == nil { throw .missingParameter(name: "from", neededBy: "wait") }
  }

  /// Refuses what a live view cannot do, where the `Accept` field asks for one.
  func checkLive() throws(ServiceError) {
    if at != nil { throw .conflictingParameters("at", "Accept: text/event-stream") }
    if block != nil { throw .conflictingParameters("block", "Accept: text/event-stream") }
    if wait != nil { throw .conflictingParameters("wait", "Accept: text/event-stream") }
  }

  private static func wait(_ query: Query, _ settings: Settings.Blocks) throws(ServiceError) -> Duration? {
    let most = Int(settings.maxWait.components.seconds)
    return try query.number("wait", in: 0...most, unit: "seconds").map { .seconds($0) }
  }

  /// `minInterval`, raised to the configured floor.
  static func minInterval(_ query: Query, _ settings: Settings.Blocks) throws(ServiceError) -> Duration {
    let highest = settings.highestMinInterval.components
    let most = Int(highest.seconds) * 1000 + Int(highest.attoseconds / 1_000_000_000_000_000)
    let number = try query.number("minInterval", in: 0...most, unit: "milliseconds") ?? 0
    return max(.milliseconds(number), settings.lowestMinInterval)
  }
}
