import StreamStore
import Testing

@testable import SQLiteLog

/// Databases of earlier versions of the schema.
struct UpgradeTests {
  /// A database as version 1 wrote it: a stream of two pieces that a producer closed.
  private func makeVersion1(_ database: TemporaryDatabase) throws {
    let connection = try Connection(path: database.path)
    try Schema.upgrade(connection, from: 0, to: 1)
    try connection.run("INSERT INTO configurations VALUES (7, CAST('\(configuration)' AS BLOB))")
    let stamp = ProducerStamp(id: Array("p".utf8), epoch: 2, sequence: 1)
    var row = SourceRow()
    row.accept(SourceEntry(bytes: Array("# A\nb".utf8), closes: true, producer: stamp, sequence: [0x31]))
    let checksum = row.checksum(incarnation: 40, path: Array("old".utf8), configuration: 7)
    try connection.run(
      """
      INSERT INTO streams VALUES (40, CAST('old' AS BLOB), 7, 5, 1, CAST('1' AS BLOB), CAST('p' AS BLOB), 2, 1,
        \(checksum));
      INSERT INTO producers VALUES (40, CAST('p' AS BLOB), 2, 1,
        \(SourceRow.checksum(ofProducer: stamp, stream: 40)));
      UPDATE store SET streams = 1, bytes = 5, last_incarnation = 40;
      """)
    for (start, text) in [(0, "# A\n"), (4, "b")] {
      let sum = Checksum.of(stream: 40, start: start, bytes: Array(text.utf8))
      try connection.run("INSERT INTO chunks VALUES (40, \(start), \(sum), CAST('\(text)' AS BLOB))")
    }
  }

  private var configuration: String { String(decoding: StreamConfiguration().encoded, as: UTF8.self) }

  @Test func streamsOfTheFirstVersionAreAsTheyWere() async throws {
    let database = try TemporaryDatabase()
    try makeVersion1(database)
    #expect(try database.number("PRAGMA user_version") == 1)
    for _ in 0..<2 {
      try await database.withStore { store in
        let stream = try await store.stream(at: try #require(StreamPath("old")))
        #expect(stream.incarnation == 40 && stream.status.isFinished && stream.lifetime == .unlimited)
        #expect(try await stream.read(0..<5) == Array("# A\nb".utf8))
        var request = AppendRequest(bytes: Array("x".utf8), closes: true)
        request.producer = ProducerStamp(id: Array("p".utf8), epoch: 2, sequence: 1)
        #expect(try await stream.append(request).isDuplicate)
      }
    }
    #expect(try database.number("PRAGMA user_version") == Schema.version)
    // It can be forked, and goes as others do.
    try await database.withStore { store in
      var request = CreationRequest()
      request.fork = .init(source: try await store.stream(at: try #require(StreamPath("old"))))
      let fork = try await store.create(request, at: try #require(StreamPath("new"))).stream
      #expect(fork.incarnation == 41)
      #expect(try await store.remove(try #require(StreamPath("old"))))
      #expect(try await fork.read(0..<5) == Array("# A\nb".utf8))
      #expect(try await store.remove(try #require(StreamPath("new"))))
      #expect(store.count == 0 && store.totalBytes == 0)
    }
  }
}
