import BlockDiff
import Checker
import Foundation
import Markup
import StreamStore
import TestSupport
import Testing

@testable import SQLiteLog

/// Forks in the database: what is stored of them, and when it goes.
struct ForkTests {
  private func path(_ text: String) throws -> StreamPath { try #require(StreamPath(text)) }

  private func fork(
    _ store: StreamStore, _ source: String, _ name: String, at offset: Int? = nil, _ text: String = ""
  ) async throws -> BlockStream {
    var request = CreationRequest()
    request.bytes = Array(text.utf8)
    request.fork = .init(
      source: try await store.stream(at: path(source)), offset: offset.map { ByteOffset($0) })
    return try await store.create(request, at: path(name)).stream
  }

  private func append(_ store: StreamStore, _ name: String, _ text: String) async throws {
    _ = try await store.append(AppendRequest(bytes: Array(text.utf8)), to: path(name))
  }

  private func text(_ store: StreamStore, _ name: String) async throws -> String {
    let stream = try await store.stream(at: path(name))
    return String(decoding: try await stream.read(0..<stream.status.tail.position.value), as: UTF8.self)
  }

  @Test func copiesNothingAndSurvivesARestart() async throws {
    let database = try TemporaryDatabase()
    let long = String(repeating: "line of text\n", count: 10_000)
    try await database.withStore { store in
      try await append(store, "a", long)
      let before = try database.number("SELECT sum(length(bytes)) FROM chunks")
      _ = try await fork(store, "a", "f", at: 130)
      _ = try await fork(store, "f", "g", at: 65, "own")
      _ = try await fork(store, "g", "h")
      #expect(try database.number("SELECT sum(length(bytes)) FROM chunks") == before + 3)
      #expect(store.totalBytes == long.utf8.count + 3)
    }
    try await database.withStore { store in
      #expect(store.totalBytes == long.utf8.count + 3 && store.count == 4)
      #expect(try await text(store, "f") == String(long.prefix(130)))
      #expect(try await text(store, "h") == long.prefix(65) + "own")
      try await append(store, "h", "!")
      #expect(try await text(store, "h") == long.prefix(65) + "own!")
      let (a, h) = (try await store.stream(at: path("a")), try await store.stream(at: path("h")))
      // A fork of a fork has the first source's tokens as far as its bytes.
      #expect(h.lineage.token(at: ByteOffset(65)) == a.lineage.token(at: ByteOffset(65)))
      #expect(h.lineage.token(at: ByteOffset(66)).incarnation > a.incarnation)
      #expect(h.lineage.token(at: ByteOffset(69)).incarnation == h.incarnation)
      #expect(h.forkedFrom == (try path("g")))
    }
  }

  @Test func whatIsKeptGoesWithTheLastForkAlsoAfterARestart() async throws {
    let database = try TemporaryDatabase()
    try await database.withStore { store in
      try await append(store, "a", "one")
      _ = try await fork(store, "a", "f", "two")
      _ = try await fork(store, "f", "g", "three")
      #expect(try await store.remove(path("a")) && store.count == 3)
      #expect(try await store.remove(path("f")) && store.count == 3)
    }
    try await database.withStore { store in
      await #expect(throws: StreamError.deleted(path: "a")) { try await store.stream(at: path("a")) }
      await #expect(throws: StreamError.deleted(path: "f")) { try await append(store, "f", "x") }
      #expect(try await text(store, "g") == "onetwothree")
      #expect(try await store.remove(path("g")))
      #expect(store.count == 0 && store.totalBytes == 0)
      try await append(store, "a", "again")
      #expect(try await text(store, "a") == "again")
      let rest = "SELECT count(*) FROM chunks WHERE stream NOT IN (SELECT incarnation FROM streams)"
      #expect(try await database.wait(rest, for: 0))
      #expect(try database.number("SELECT streams FROM store") == 1)
      #expect(try database.number("SELECT bytes FROM store") == 5)
    }
  }

  /// Whoever comes first wins: a fork of a stream that is being removed is refused, or keeps it.
  @Test func forksAndRemovalsAtOnce() async throws {
    let database = try TemporaryDatabase()
    try await database.withStore { store in
      for round in 0..<100 {
        let (source, target) = (try path("s\(round)"), try path("f\(round)"))
        try await append(store, source.description, "text")
        let stream = try await store.stream(at: source)
        async let removed = store.remove(source)
        var request = CreationRequest()
        request.fork = .init(source: stream)
        let made: BlockStream?
        do throws(StreamError) {
          made = try await store.create(request, at: target).stream
        } catch {
          let late: [StreamError] = [
            .noStream(path: source.description), .forkOfDeleted(path: source.description),
          ]
          #expect(late.contains(error), "\(error)")
          made = nil
        }
        #expect(try await removed)
        if made == nil {
          await #expect(throws: StreamError.noStream(path: source.description)) {
            try await store.stream(at: source)
          }
        } else {
          #expect(try await text(store, target.description) == "text")
          #expect(try await store.remove(target))
        }
      }
      #expect(store.count == 0 && store.totalBytes == 0)
    }
  }

  /// Also of those that have no bytes of their own; and what was made can be loaded.
  @Test(arguments: ["", "x"])
  func boundsForksOfForks(own: String) async throws {
    let database = try TemporaryDatabase()
    var depth = 0
    try await database.withStore { store in
      try await append(store, "f0", "x")
      do {
        while depth < 1000 {
          _ = try await fork(store, "f\(depth)", "f\(depth + 1)", own)
          depth += 1
        }
      } catch StreamError.forkTooDeep(let limit) {
        #expect(depth == limit)
      }
    }
    try await database.withStore { store in
      let deepest = try await text(store, "f\(depth)")
      #expect(deepest.utf8.count == 1 + depth * own.utf8.count)
      await #expect(throws: StreamError.forkTooDeep(limit: depth)) {
        try await fork(store, "f\(depth)", "more", own)
      }
      for number in 0...depth { #expect(try await store.remove(path("f\(number)"))) }
      #expect(store.count == 0)
    }
  }

  /// The source's blocks are taken over where they stand at the fork; else they are parsed. Both give the same.
  @Test(arguments: 0..<40)
  func blocksOfAForkAreThoseOfItsSource(seed: Int) async throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    var documents = DocumentGenerator(seed: UInt64(seed))
    let document = documents.document()
    let at = generator.below(document.count + 1)
    let store = StreamStore()
    _ = try await store.append(AppendRequest(bytes: Array("x".utf8) + document[..<at]), to: path("a"))
    let early = try await fork(store, "a", "early")
    #expect(early.isParsed)
    try await append(store, "a", "other text\n\n- that goes on")
    let late = try await fork(store, "a", "late", at: at + 1)
    #expect(!late.isParsed)
    for stream in [early, late] {
      let request = AppendRequest(bytes: Array(document[at...]), closes: true)
      _ = try await stream.append(request)
      var parser = MarkupParser(dialect: .chat)
      parser.append((Array("x".utf8) + document).span)
      parser.finish()
      let snapshot = try await BlockDocument(snapshot: stream.snapshot(shape: .flat).json)
      #expect(try snapshot == BlockDocument(parser.blocks, incarnation: stream.incarnation))
    }
  }
}
