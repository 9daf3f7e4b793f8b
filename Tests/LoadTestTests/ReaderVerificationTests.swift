import BlockDiff
import Checker
import Markup
import StreamStore
import Testing

@testable import LoadTest

struct ReaderVerificationTests {
  /// What a live reader of a finished stream got, and its snapshot.
  private static func recorded(_ seed: UInt64) async throws -> (
    events: [(EventDecoder.Kind, [UInt8])], BlockDocument
  ) {
    let store = StreamStore()
    let path = try #require(StreamPath("a"))
    var random = SeededGenerator(seed: seed)
    let document = ChatDocument(0, of: Int(seed), options: LoadOptions(), prefix: "a")
    var events: [(EventDecoder.Kind, [UInt8])] = []
    var position: ByteOffset?
    for index in document.ends.indices {
      _ = try await store.append(
        AppendRequest(bytes: Array(document.chunk(index)), closes: index == document.ends.count - 1), to: path
      )
      let stream = try await store.stream(at: path)
      if let since = position {
        // Readers do not take every diff alone.
        guard random.chance(70) || index == document.ends.count - 1 else { continue }
        let changes = try await stream.changes(since: since)
        if !changes.isEmpty {
          events.append((.diff, changes.json))
          position = changes.status.position.position
        }
      } else {
        let snapshot = try await stream.snapshot(shape: .flat)
        events.append((.snapshot, snapshot.json))
        position = snapshot.status.position.position
      }
    }
    events.append((.finished, []))
    let snapshot = try await store.stream(at: path).snapshot(shape: .flat)
    return (events, try BlockDocument(snapshot: snapshot.json))
  }

  private static func recording(_ events: [(EventDecoder.Kind, [UInt8])]) -> Recording {
    var recording = Recording()
    for (kind, data) in events { recording.append(kind, data) }
    return recording
  }

  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func findsEveryPlantedFault(_ seed: UInt64) async throws {
    let (events, snapshot) = try await Self.recorded(seed)
    #expect(ReaderVerification.fault(in: Self.recording(events), against: snapshot) == nil)

    var random = SeededGenerator(seed: seed)
    let place = 1 + random.below(events.count - 2)
    // A diff that is lost.
    var lost = events
    lost.remove(at: place)
    #expect(ReaderVerification.fault(in: Self.recording(lost), against: snapshot) != nil)
    // One that comes twice.
    var twice = events
    twice.insert(events[place], at: place)
    #expect(ReaderVerification.fault(in: Self.recording(twice), against: snapshot) != nil)
    // One byte of a text that is another.
    var changed = events
    if let text = changed[0].1.firstRange(of: Array("\"text\":\"".utf8)) {
      changed[0].1[text.upperBound] = UInt8(ascii: "\u{7F}")
      #expect(ReaderVerification.fault(in: Self.recording(changed), against: snapshot) != nil)
    }
    // No end.
    #expect(ReaderVerification.fault(in: Self.recording(events.dropLast()), against: snapshot) != nil)
    #expect(ReaderVerification.fault(in: Recording(), against: snapshot) != nil)
  }

  @Test func findsASnapshotThatIsNotOfTheWholeDocument() async throws {
    let (events, _) = try await Self.recorded(3)
    var reader = ReaderRecord(.live, records: true)
    for (kind, data) in events { reader.recording?.append(kind, data) }
    var job = Verifier.Job(path: "a", snapshot: Array("{}".utf8), position: 1, readers: [reader])
    #expect(Verifier.faults(in: job).map { $0 != nil } == [true])
    // The right snapshot at another position than what was sent.
    let store = StreamStore()
    let path = try #require(StreamPath("b"))
    _ = try await store.append(AppendRequest(bytes: Array("a".utf8), closes: true), to: path)
    job.snapshot = try await store.stream(at: path).snapshot(shape: .flat).json
    job.position = 3
    #expect(Verifier.faults(in: job)[0]?.contains("stands at") == true)
  }
}
