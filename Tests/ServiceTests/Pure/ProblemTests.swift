import BlockDiff
import HTTPServer
import Markup
import StreamStore
import Testing

@testable import Service

struct ProblemTests {
  private static let token = OffsetToken(incarnation: 1, position: ByteOffset(3))

  /// Every status and name that api.md §3 lists, with an error that has it.
  static let table: [(ServiceError, Int, String)] = [
    (.request(.malformed(.bareLineFeed)), 400, "malformed-request"),
    (.malformedQuery, 400, "malformed-request"),
    (.malformedOffset(name: "from", value: "x"), 400, "malformed-offset"),
    (.malformedPath("a b"), 400, "malformed-path"),
    (.unknownParameter(name: "x", known: ["from"]), 400, "unknown-parameter"),
    (.unknownParameter(name: "x", known: []), 400, "unknown-parameter"),
    (.invalidValue(name: "shape", value: "x", accepted: "flat"), 400, "invalid-value"),
    (.repeatedParameter(name: "from"), 400, "invalid-value"),
    (.conflictingParameters("at", "from"), 400, "invalid-value"),
    (.missingParameter(name: "from", neededBy: "wait"), 400, "invalid-value"),
    (.producerWithPieces, 400, "invalid-value"),
    (.stream(.unknownComponent(name: "x", dialect: "gfm")), 400, "invalid-value"),
    (.stream(.openWithFrontMatter), 400, "invalid-value"),
    (.stream(.epochStart(received: 3)), 400, "invalid-value"),
    (.stream(.emptyAppend), 400, "empty-append"),
    (.partialProducerFields(missing: ["Producer-Seq"]), 400, "partial-producer-headers"),
    (.stream(.staleEpoch(current: 4)), 403, "stale-epoch"),
    (.noResource(path: "/x"), 404, "no-resource"),
    (.stream(.noStream(path: "x")), 404, "no-stream"),
    (.stream(.noBlock(id: "x")), 404, "no-block"),
    (.methodNotAllowed(method: "PUT", allowed: ["GET"]), 405, "method-not-allowed"),
    (.notAcceptable(offered: ["application/json"]), 406, "not-acceptable"),
    (.request(.headTimedOut), 408, "head-timed-out"),
    (.request(.contentTimedOut), 408, "content-timed-out"),
    (.stream(.closed(tail: token)), 409, "stream-closed"),
    (.stream(.contentTypeDiffers(existing: "a/b", requested: "c/d")), 409, "content-type-differs"),
    (
      .stream(.configurationDiffers(field: .dialect, existing: "a", requested: "b")), 409,
      "configuration-differs"
    ),
    (.stream(.sequenceRegressed(last: "5")), 409, "sequence-regressed"),
    (.stream(.sequenceGap(expected: 1, received: 3)), 409, "sequence-gap"),
    (.stream(.offsetGone(current: token)), 410, "offset-gone"),
    (.stream(.expectedOffset(tail: token)), 412, "expected-offset"),
    (.stream(.streamFull(limit: 1)), 413, "stream-full"),
    (.request(.contentTooLarge(limit: 1)), 413, "content-too-large"),
    (.request(.requestLineTooLong(limit: 1)), 414, "request-line-too-long"),
    (.notMarkup(type: "image/png"), 415, "not-markup"),
    (.request(.expectationFailed), 417, "expectation-failed"),
    (.request(.headTooLarge(limit: 1)), 431, "head-too-large"),
    (.request(.tooManyFields(limit: 1)), 431, "too-many-fields"),
    (.failure, 500, "internal-error"),
    (.stream(.storageDamaged), 500, "storage-damaged"),
    (.draining, 503, "draining"),
    (.stream(.storeFull(limit: 1)), 503, "overloaded"),
    (.stream(.tooManyStreams(limit: 1)), 503, "overloaded"),
    (.stream(.tooManyProducers(limit: 1)), 503, "overloaded"),
    (.request(.tooManyConnections(limit: 1)), 503, "overloaded"),
    (.request(.tooManyBytesInFlight(limit: 1)), 503, "overloaded"),
    (.stream(.storageUnavailable), 503, "storage-unavailable"),
    (.request(.unsupportedVersion), 505, "unsupported-version"),
  ]

  @Test(arguments: table)
  func hasItsStatusNameAndFields(error: ServiceError, status: Int, name: String) throws {
    let response = Problem(error).response
    #expect(response.status.rawValue == status)
    #expect(response.fields.string("content-type") == "application/problem+json")
    let json = try JSONReader.value(of: response.content)
    #expect(json["type"]?.string?.description == "/problems/" + name)
    #expect(json["status"]?.integer == status)
    #expect(json["title"]?.string?.utf8.isEmpty == false)
    #expect(json["detail"]?.string?.utf8.isEmpty == false)
    #expect(response.fields.contains("retry-after") == (status == 503))
  }

  @Test func carriesWhatTheStreamProtocolAsksFor() {
    let closed = Problem(.stream(.closed(tail: Self.token))).response.fields
    #expect(closed.string("stream-closed") == "true")
    #expect(closed.string("stream-next-offset") == Self.token.description)
    let expected = Problem(.stream(.expectedOffset(tail: Self.token))).response.fields
    #expect(expected.string("stream-next-offset") == Self.token.description)
    let gap = Problem(.stream(.sequenceGap(expected: 1, received: 3))).response.fields
    #expect(gap.string("producer-expected-seq") == "1")
    #expect(gap.string("producer-received-seq") == "3")
    #expect(Problem(.stream(.staleEpoch(current: 4))).response.fields.string("producer-epoch") == "4")
    let method = Problem(.methodNotAllowed(method: "PUT", allowed: ["GET", "HEAD"])).response.fields
    #expect(method.string("allow") == "GET, HEAD")
  }
}
