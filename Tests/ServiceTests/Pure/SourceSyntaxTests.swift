import Foundation
import StreamStore
import Testing

@testable import Service

/// The small languages of /v1/stream: moments, cursors, base64, lines of events.
struct SourceSyntaxTests {
  // MARK: - RFC 3339

  @Test(
    arguments: [
      ("1970-01-01T00:00:00Z", 0), ("1970-01-01t00:00:01.5z", 1500), ("1969-12-31T23:59:59Z", -1000),
      ("2000-02-29T12:00:00+01:30", 951_820_200_000), ("2026-11-30T13:51:32.123456Z", 1_796_046_692_123),
      ("2016-12-31T23:59:60Z", 1_483_228_800_000), ("0001-01-01T00:00:00-00:00", -62_135_596_800_000),
    ])
  func readsMoments(text: String, milliseconds: Int) {
    #expect(RFC3339.moment(text)?.milliseconds == milliseconds)
  }

  @Test(
    arguments: [
      "", "2026-11-30", "2026-11-30T13:51:32", "2026-11-30T13:51Z", "2026-02-29T00:00:00Z",
      "2026-00-10T00:00:00Z",
      "2026-11-30T24:00:00Z", "2026-11-30T13:60:00Z", "2026-11-30T13:51:32.Z", "2026-11-30T13:51:32+1:00",
      "2026-11-30T13:51:32+01:60", "26-11-30T13:51:32Z", "2026-11-30T13:51:32Zx", "2026/11/30T13:51:32Z",
    ])
  func refusesWhatIsNoMoment(text: String) {
    #expect(RFC3339.moment(text) == nil)
  }

  /// From where Foundation, too, has the Gregorian calendar.
  @Test func writesMomentsAsFoundationDoes() throws {
    for day in stride(from: -141_000, to: 2_900_000, by: 997) {
      let moment = Timestamp(milliseconds: day * 86_400_000 + 45_296_000 + day % 1000)
      #expect(RFC3339.moment(RFC3339.text(moment)) == moment)
      let date = Date(timeIntervalSince1970: Double(moment.milliseconds) / 1000)
      let expected = date.formatted(.iso8601.year().month().day())
      #expect(RFC3339.text(moment).hasPrefix(expected), "day \(day)")
    }
  }

  // MARK: - Cursors

  @Test func cursorsCountIntervalsAndNeverGoBack() {
    let now = Timestamp(milliseconds: (1_728_432_000 + 20 * 1000 + 7) * 1000)
    #expect(StreamCursor.next(after: nil, now: now) == 1000)
    #expect(StreamCursor.next(after: "999", now: now) == 1000)
    #expect(StreamCursor.next(after: "junk", now: now) == 1000)
    #expect(StreamCursor.next(after: "1000", now: now) { $0.lowerBound } == 1001)
    #expect(StreamCursor.next(after: "1000", now: now) { $0.upperBound } == 1180)
    #expect(StreamCursor.next(after: "5000", now: now) { _ in 100 } == 5005)
    #expect(StreamCursor.next(after: "\(Int.max)", now: now) == 1000)
  }

  // MARK: - Events

  @Test func writesBase64AsFoundationDoes() {
    for count in 0..<70 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 89 &+ count) }
      var output: [UInt8] = []
      Base64.append(bytes, to: &output)
      #expect(output == Array(Data(bytes).base64EncodedString().utf8))
    }
  }

  @Test(
    arguments: [
      ("", "data:\n"), ("a", "data:a\n"), (" a", "data:  a\n"), ("a\n", "data:a\ndata:\n"),
      ("a\r\nb\rc\n\nd", "data:a\ndata:b\ndata:c\ndata:\ndata:d\n"), ("\r", "data:\ndata:\n"),
    ])
  func putsEachLineOfTextBehindAName(text: String, expected: String) {
    var event: [UInt8] = []
    SourceEncoding.text.writeData(Array(text.utf8), to: &event)
    #expect(String(decoding: event, as: UTF8.self) == expected)
  }

  @Test func holdsTheBeginningOfACharacter() {
    let text = Array("aé€🙂".utf8)
    let whole = [0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10]
    for count in 0...text.count {
      #expect(SourceEncoding.wholeText(Array(text[..<count])) == whole[count], "\(count) bytes")
    }
    // What never becomes a character is not held.
    for bytes: [UInt8] in [[0x80], [0xFF], [0xF5], [0xC0], [0xC3, 0x41], [0x80, 0x80, 0x80, 0x80]] {
      #expect(SourceEncoding.wholeText(bytes) == bytes.count, "\(bytes)")
    }
  }
}
