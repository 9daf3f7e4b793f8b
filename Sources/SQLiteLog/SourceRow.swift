import StreamStore

/// A stream's row: where its source stands, without its producers.
struct SourceRow {
  var length = 0
  var isClosed = false
  var sequence: [UInt8]?
  var closer: ProducerStamp?

  /// Goes on to where the source stands with the entry.
  mutating func accept(_ entry: SourceEntry) {
    length += entry.bytes.count
    if let sequence = entry.sequence { self.sequence = sequence }
    guard entry.closes else { return }
    isClosed = true
    if let producer = entry.producer { closer = producer }
  }

  /// The row's checksum, over all of its columns.
  func checksum(incarnation: Int, path: [UInt8], configuration: Int) -> Int {
    var checksum = Checksum()
    checksum.add(incarnation)
    checksum.add(path)
    checksum.add(configuration)
    checksum.add(length)
    checksum.add(isClosed ? 1 : 0)
    checksum.add(sequence)
    checksum.add(closer?.id)
    checksum.add(closer?.epoch)
    checksum.add(closer?.sequence)
    return checksum.value
  }

  /// The checksum of a producer's row.
  static func checksum(ofProducer stamp: ProducerStamp, stream: Int) -> Int {
    var checksum = Checksum()
    checksum.add(stream)
    checksum.add(stamp.id)
    checksum.add(stamp.epoch)
    checksum.add(stamp.sequence)
    return checksum.value
  }
}

/// What is left to do about a stream's rows when nothing else is to be done.
enum ChoreKind: Int {
  /// The stream is closed: many small pieces become few large ones.
  case compact = 1
  /// The stream is gone: so are its pieces and producers.
  case remove = 2
}
