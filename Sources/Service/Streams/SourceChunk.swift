import BlockDiff
import Markup
import StreamStore

/// A piece of a source, as one answer or event gives it.
struct SourceChunk {
  /// Where it begins and ends.
  var range: Range<Int>
  /// The source's bytes.
  var bytes: [UInt8]
  /// Where the stream stood.
  var status: StreamStatus
  /// The bytes up to the tail that are left out until what comes makes a character of them.
  var held = 0

  /// Whether nothing comes after it, for now.
  var isUpToDate: Bool { range.upperBound + held == status.tail.position.value }
  /// Whether nothing ever will.
  var isEnd: Bool { isUpToDate && status.isFinished }

  /// Reads what comes after a position, up to about `limit` bytes: a JSON stream's chunk ends with a message.
  ///
  /// - Throws: `.malformedOffset` where the position is within a message.
  static func read(
    _ stream: BlockStream, from position: Int, limit: Int
  ) async throws -> SourceChunk {
    let status = stream.status
    let tail = status.tail.position.value
    guard stream.configuration.isJSON else {
      let range = position..<min(tail, position + limit)
      return SourceChunk(range: range, bytes: try await stream.read(range), status: status)
    }
    // One byte more, to see that a message begins here.
    let begin = max(0, position - 1)
    var bytes: [UInt8] = []
    var end = begin
    repeat {
      let next = end..<min(tail, end + limit + 1)
      bytes += try await stream.read(next)
      end = next.upperBound
    } while end < tail && !bytes.dropFirst(position - begin).contains(0x0A)
    guard position == begin || bytes.first == 0x0A else {
      throw Self.withinMessage(stream, position, name: "offset")
    }
    bytes.removeFirst(position - begin)
    let whole = bytes.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    bytes.removeLast(bytes.count - whole)
    return SourceChunk(range: position..<position + whole, bytes: bytes, status: status)
  }

  /// Refuses a position of a JSON stream that is within a message, as no offset is that was given out.
  static func requireBoundary(_ stream: BlockStream, _ position: Int, name: String) async throws {
    guard stream.configuration.isJSON, position > 0 else { return }
    guard try await stream.read(position - 1..<position) == [0x0A] else {
      throw withinMessage(stream, position, name: name)
    }
  }

  private static func withinMessage(
    _ stream: BlockStream, _ position: Int, name: String
  ) -> ServiceError {
    .malformedOffset(name: name, value: stream.lineage.token(at: ByteOffset(position)).description)
  }
}
