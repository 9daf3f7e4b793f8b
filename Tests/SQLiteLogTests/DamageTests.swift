import BlockDiff
import Checker
import Foundation
import Markup
import StreamStore
import Testing

@testable import SQLiteLog

/// A file that a disk has changed gives errors, or what was written; never anything else.
struct DamageTests {
  private static let streams = 8

  private static func path(_ number: Int) -> StreamPath { StreamPath("s\(number)")! }

  private static func source(_ number: Int) -> [UInt8] {
    Array((0..<400).map { "stream \(number) line \($0)\n" }.joined().utf8)
  }

  /// A database whose streams are all in the file itself.
  private static func makeDatabase() async throws -> TemporaryDatabase {
    let database = try TemporaryDatabase()
    try await database.withStore { store in
      for number in 0..<streams {
        var rest = source(number)[...]
        var sequence = 0
        while !rest.isEmpty {
          let stamp = ProducerStamp(id: Array("p\(number)".utf8), epoch: 0, sequence: sequence)
          _ = try await store.append(
            AppendRequest(bytes: Array(rest.prefix(700)), producer: stamp), to: path(number))
          rest = rest.dropFirst(700)
          sequence += 1
        }
      }
    }
    return database
  }

  /// What can be read of a damaged file, and how much of it there was.
  private static func readAll(_ database: TemporaryDatabase) async throws -> (right: Int, errors: Int) {
    var (right, errors) = (0, 0)
    let engine: SQLiteSourceLogEngine
    do {
      engine = try database.open()
    } catch {
      return (0, streams)
    }
    defer { engine.close() }
    let store = StreamStore(engine: engine)
    for number in 0..<streams {
      do {
        let stream = try await store.stream(at: path(number))
        let status = stream.status
        let found = try await stream.source(upTo: status.tail.position).bytes
        #expect(found == source(number), "stream \(number) is not what was written")
        #expect(!status.isFinished)
        right += 1
      } catch {
        #expect(error == .storageDamaged || error == .storageUnavailable, "stream \(number)")
        errors += 1
      }
    }
    return (right, errors)
  }

  @Test func aSoundFileIsReadWhole() async throws {
    let database = try await Self.makeDatabase()
    #expect(try await Self.readAll(database) == (Self.streams, 0))
  }

  @Test(arguments: 0..<60)
  func changedBytesAreNoticed(seed: Int) async throws {
    let database = try await Self.makeDatabase()
    var generator = SeededGenerator(seed: UInt64(seed))
    var file = try Data(contentsOf: URL(filePath: database.path))
    // A few bytes anywhere, a page of zeros, a page that is another's, a page whose end was not written.
    let pages = file.count / 4096
    let page = generator.below(pages) * 4096
    switch seed % 4 {
    case 0: for _ in 0..<4 { file[generator.below(file.count)] ^= UInt8(1 << generator.below(8)) }
    case 1: file.replaceSubrange(page..<page + 4096, with: Data(count: 4096))
    case 2:
      let other = generator.below(pages) * 4096
      file.replaceSubrange(page..<page + 4096, with: file.subdata(in: other..<other + 4096))
    default: file.replaceSubrange(page + 512..<page + 4096, with: Data(count: 3584))
    }
    try file.write(to: URL(filePath: database.path))
    _ = try await Self.readAll(database)
  }

  @Test(arguments: [1, 3, 8, 20])
  func aFileThatWasCutIsNoticed(pages: Int) async throws {
    let database = try await Self.makeDatabase()
    let file = try FileHandle(forUpdating: URL(filePath: database.path))
    try file.truncate(atOffset: UInt64(pages * 4096 - 100))
    try file.close()
    let (right, _) = try await Self.readAll(database)
    #expect(right < Self.streams)
  }

  @Test func everyBitOfARowCounts() async throws {
    let database = try await Self.makeDatabase()
    for column in ["length", "is_closed", "configuration"] {
      let connection = try Connection(path: database.path)
      try connection.run("UPDATE streams SET \(column) = \(column) + 1 WHERE path = CAST('s0' AS BLOB)")
      #expect(try await Self.readAll(database) == (Self.streams - 1, 1), "\(column)")
      try connection.run("UPDATE streams SET \(column) = \(column) - 1 WHERE path = CAST('s0' AS BLOB)")
    }
    let connection = try Connection(path: database.path)
    try connection.run("UPDATE producers SET sequence = sequence - 1 WHERE id = CAST('p1' AS BLOB)")
    try connection.run(
      "UPDATE chunks SET bytes = CAST(replace(CAST(bytes AS TEXT), 'line 7', 'line 8') AS BLOB) WHERE start = 0"
    )
    #expect(try await Self.readAll(database) == (0, Self.streams))
  }

  @Test func aDamagedStreamThatIsToBeCompactedKeepsNobodyFromStoring() async throws {
    let database = try await Self.makeDatabase()
    let connection = try Connection(path: database.path)
    try connection.run(
      "DELETE FROM chunks WHERE start = 700; INSERT INTO chores SELECT incarnation, 1 FROM streams")
    try await database.withStore { store in
      _ = try await store.append(AppendRequest(bytes: [0x61]), to: Self.path(100))
      #expect(try await database.wait("SELECT count(*) FROM chores", for: 0))
      await #expect(throws: StreamError.storageDamaged) {
        try await store.stream(at: Self.path(0)).source(upTo: ByteOffset(1000))
      }
    }
  }

  @Test func aDamagedStreamCannotBeAppendedTo() async throws {
    let database = try await Self.makeDatabase()
    try Connection(path: database.path).run("DELETE FROM chunks WHERE start = 700")
    try await database.withStore { store in
      await #expect(throws: StreamError.storageDamaged) {
        try await store.append(AppendRequest(bytes: [0x61]), to: Self.path(0))
      }
    }
  }
}
