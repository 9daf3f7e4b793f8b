import BlockDiff
import HTTPServer
import StreamStore

extension Problem {
  /// Seconds after which a request may be sent again that the server had no room for.
  private static let retryAfter = "1".utf8

  /// What a client is told of an error: the one place where errors get their status.
  init(_ error: ServiceError) {
    self =
      switch error {
      case .noResource(let path):
        Problem(.notFound, "no-resource", "No such resource", "Nothing is at \(path).")
      case .methodNotAllowed(let method, let allowed):
        Problem(
          .methodNotAllowed, "method-not-allowed", "Method not allowed",
          "\(method) is not possible here; \(allowed.joined(separator: ", ")) are."
        ).with("allowed", .strings(allowed)).with(field: "Allow", allowed.joined(separator: ", ").utf8)
      case .notAcceptable(let offered):
        Problem(
          .notAcceptable, "not-acceptable", "No acceptable representation",
          "The Accept field takes none of \(offered.joined(separator: ", "))."
        ).with("offered", .strings(offered))
      case .notMarkup(let type):
        Problem(
          .unsupportedMediaType, "not-markup", "Content is no markup",
          "Content of type \(type) has no blocks; text/markdown and text/plain have."
        ).with("accepted", .strings(["text/markdown", "text/plain"]))
      case .malformedPath(let path):
        Problem(
          .badRequest, "malformed-path", "Malformed stream path",
          """
          "\(path)" is no stream path: one or more segments of A-Z a-z 0-9 . _ ~ - with a slash between them, none \
          of them "." or "..", at most \(StreamPath.maxBytes) bytes in all.
          """)
      case .malformedQuery:
        Problem(
          .badRequest, "malformed-request", "Malformed request",
          "The query has a % without two hexadecimal digits after it.")
      case .malformedOffset(let name, let value):
        Problem(
          .badRequest, "malformed-offset", "Malformed offset token",
          "\(name) is \"\(value)\", which is no offset token of this service."
        ).with("parameter", .string(name)).with("value", .string(value))
      case .unknownParameter(let name, let known):
        Problem(
          .badRequest, "unknown-parameter", "Unknown query parameter",
          known.isEmpty
            ? "There is no parameter \"\(name)\" here, nor any other."
            : "There is no parameter \"\(name)\" here; there are \(known.joined(separator: ", "))."
        ).with("parameter", .string(name)).with("known", .strings(known))
      case .repeatedParameter(let name):
        Problem(
          .badRequest, "invalid-value", "Value not accepted", "The parameter \(name) comes more than once."
        ).with("parameter", .string(name)).with("accepted", .string("one value"))
      case .conflictingParameters(let one, let other):
        Problem(
          .badRequest, "invalid-value", "Value not accepted", "\(one) does not go together with \(other)."
        ).with("parameter", .string(one)).with("accepted", .string("\(one) without \(other)"))
      case .missingParameter(let name, let other):
        Problem(.badRequest, "invalid-value", "Value not accepted", "\(other) needs \(name).")
          .with("parameter", .string(other)).with("accepted", .string("\(other) with \(name)"))
      case .invalidValue(let name, let value, let accepted):
        Problem(
          .badRequest, "invalid-value", "Value not accepted",
          "\(name) is \"\(value)\"; accepted: \(accepted)."
        ).with("parameter", .string(name)).with("value", .string(value)).with("accepted", .string(accepted))
      case .missingContentType:
        Problem(
          .badRequest, "invalid-value", "Value not accepted",
          "Content comes with a Content-Type, which is the stream's."
        ).with("parameter", .string("Content-Type")).with("accepted", .string("the stream's content type"))
      case .malformedJSON:
        Problem(
          .badRequest, "malformed-json", "Malformed JSON",
          "The content of an append to a JSON stream is a JSON text (RFC 8259), of at most \(JSONMessages.maxDepth) levels."
        )
      case .partialProducerFields(let missing):
        Problem(
          .badRequest, "partial-producer-headers", "Producer fields missing",
          "Producer-Id, Producer-Epoch and Producer-Seq come together; missing: \(missing.joined(separator: ", "))."
        ).with("missing", .strings(missing))
      case .producerWithPieces:
        Problem(
          .badRequest, "invalid-value", "Value not accepted",
          """
          With Accept: application/x-ndjson the body is applied piece by piece, so it cannot be recognised when it \
          comes again; producers use Accept: application/json.
          """
        ).with("parameter", .string("Producer-Id"))
          .with("accepted", .string("producer fields with Accept: application/json"))
      case .tooManyChecks(let limit):
        Problem(.serviceUnavailable, "overloaded", "No room", "At most \(limit) checks run at a time.")
          .with("limit", .number(limit)).with(field: "Retry-After", Self.retryAfter)
      case .tooManyLoads(let limit):
        Problem(.serviceUnavailable, "overloaded", "No room", "At most \(limit) load tests run at a time.")
          .with("limit", .number(limit)).with(field: "Retry-After", Self.retryAfter)
      case .noLoad(let job):
        Problem(.notFound, "no-resource", "No such resource", "There is no load test \"\(job)\".")
          .with("job", .string(job))
      case .notAnObject:
        Problem(.badRequest, "malformed-request", "Malformed request", "The body is no JSON object.")
      case .unknownMember(let name, let known):
        Problem(
          .badRequest, "unknown-parameter", "Unknown member",
          "There is no member \"\(name)\" here; there are \(known.joined(separator: ", "))."
        ).with("parameter", .string(name)).with("known", .strings(known))
      case .draining:
        Problem(.serviceUnavailable, "draining", "Shutting down", "The server is shutting down.")
          .with(field: "Retry-After", Self.retryAfter)
      case .failure:
        Problem(
          .internalServerError, "internal-error", "Internal error",
          "The server failed to answer; the request may or may not have had its effect.")

      case .stream(.noStream(let path)):
        Problem(.notFound, "no-stream", "No such stream", "There is no stream \"\(path)\".")
          .with("stream", .string(path))
      case .stream(.deleted(let path)):
        Problem(
          .gone, "deleted", "Stream is deleted",
          "The stream \"\(path)\" is deleted; its forks are still there."
        ).with("stream", .string(path))
      case .stream(.notMarkup(let type)): Problem(.notMarkup(type: type))
      case .stream(.pathInUse(let path)):
        Problem(
          .conflict, "path-in-use", "Path is in use",
          "The deleted stream \"\(path)\" keeps its path while its forks are there."
        ).with("stream", .string(path))
      case .stream(.streamDiffers(let difference)):
        Problem(
          .conflict, "configuration-differs", "Configuration differs",
          "There is a stream with another \(difference.text)."
        ).with("field", .string(difference.fieldName))
      case .stream(.forkOfDeleted(let path)):
        Problem(
          .conflict, "fork-of-deleted", "Source is deleted",
          "The stream \"\(path)\" is deleted, and there only for the forks that it has."
        ).with("stream", .string(path))
      case .stream(.forkBeyondTail(let tail)):
        Problem(
          .badRequest, "invalid-value", "Value not accepted",
          "The fork's offset is no position of its source, which ends at \(tail)."
        ).with("parameter", .string("Stream-Fork-Offset")).with("tail", .string(tail.description))
      case .stream(.forkTooDeep(let limit)):
        Problem(
          .conflict, "fork-too-deep", "Too many forks of forks",
          "The source is a fork of a fork, and so on, \(limit) times already."
        ).with("limit", .number(limit))
      case .stream(.noBlock(let id)):
        Problem(.notFound, "no-block", "No such block", "The stream has no block \"\(id)\".")
          .with("block", .string(id))
      case .stream(.offsetGone(let current)):
        Problem(
          .gone, "offset-gone", "Offset is gone",
          "The token is not of this stream as it is now; begin again with a snapshot."
        ).with("current", .string(current.description))
      case .stream(.closed(let tail)):
        Problem(
          .conflict, "stream-closed", "Stream is closed", "The stream is finished and takes no more bytes."
        ).with("tail", .string(tail.description))
          .with(field: "Stream-Closed", "true".utf8)
          .with(field: "Stream-Next-Offset", tail.description.utf8)
      case .stream(.emptyAppend):
        Problem(
          .badRequest, "empty-append", "Nothing to append",
          "The body is empty; only with Stream-Closed: true it may be.")
      case .stream(.contentTypeDiffers(let existing, let requested)):
        Problem(
          .conflict, "content-type-differs", "Content type differs",
          "The stream was created as \(existing), not \(requested)."
        ).with("existing", .string(existing)).with("requested", .string(requested))
      case .stream(.configurationDiffers(let field, let existing, let requested)):
        Problem(
          .conflict, "configuration-differs", "Configuration differs",
          "The stream was created with \(field.fieldName): \(existing), not \(requested)."
        ).with("field", .string(field.fieldName)).with("existing", .string(existing))
          .with("requested", .string(requested))
      case .stream(.unknownComponent(let name, let dialect)):
        Problem(
          .badRequest, "invalid-value", "Value not accepted",
          "Mooring-Open is \"\(name)\"; accepted: components of the dialect \(dialect)."
        ).with("parameter", .string("Mooring-Open")).with("value", .string(name))
          .with("accepted", .string("components of the dialect \(dialect)"))
      case .stream(.openWithFrontMatter):
        Problem(
          .badRequest, "invalid-value", "Value not accepted",
          "Mooring-Open does not go together with front matter."
        ).with("parameter", .string("Mooring-Open")).with("accepted", .string("no field with front matter"))
      case .stream(.expectedOffset(let tail)):
        Problem(
          .preconditionFailed, "expected-offset", "Tail is elsewhere",
          "The stream does not end at Stream-Expected-Offset."
        ).with("tail", .string(tail.description)).with(field: "Stream-Next-Offset", tail.description.utf8)
      case .stream(.staleEpoch(let current)):
        Problem(
          .forbidden, "stale-epoch", "Stale producer epoch", "The producer has begun epoch \(current) since."
        ).with("epoch", .number(current)).with(field: "Producer-Epoch", "\(current)".utf8)
      case .stream(.epochStart(let received)):
        Problem(
          .badRequest, "invalid-value", "Value not accepted",
          "Producer-Seq is \"\(received)\"; accepted: 0, since the epoch is new."
        ).with("parameter", .string("Producer-Seq")).with("value", .string("\(received)"))
          .with("accepted", .string("0"))
      case .stream(.sequenceGap(let expected, let received)):
        Problem(
          .conflict, "sequence-gap", "Producer sequence has a gap",
          "The producer's next sequence number is \(expected), not \(received)."
        ).with("expected", .number(expected)).with("received", .number(received))
          .with(field: "Producer-Expected-Seq", "\(expected)".utf8)
          .with(field: "Producer-Received-Seq", "\(received)".utf8)
      case .stream(.sequenceRegressed(let last)):
        Problem(
          .conflict, "sequence-regressed", "Sequence regressed",
          "Stream-Seq must be above \"\(last)\", compared as bytes."
        ).with("last", .string(last))
      case .stream(.streamFull(let limit)):
        Problem(
          .contentTooLarge, "stream-full", "Stream is full", "A stream holds at most \(limit) bytes."
        ).with("limit", .number(limit))
      case .stream(.storeFull(let limit)):
        Problem(
          .serviceUnavailable, "overloaded", "No room", "All streams together hold at most \(limit) bytes."
        ).with("limit", .number(limit)).with(field: "Retry-After", Self.retryAfter)
      case .stream(.tooManyStreams(let limit)):
        Problem(.serviceUnavailable, "overloaded", "No room", "There are at most \(limit) streams.")
          .with("limit", .number(limit)).with(field: "Retry-After", Self.retryAfter)
      case .stream(.tooManyProducers(let limit)):
        Problem(
          .serviceUnavailable, "overloaded", "No room", "A stream has at most \(limit) producers."
        ).with("limit", .number(limit)).with(field: "Retry-After", Self.retryAfter)
      case .stream(.storageUnavailable):
        Problem(
          .serviceUnavailable, "storage-unavailable", "Storage unavailable", "The storage does not answer."
        ).with(field: "Retry-After", Self.retryAfter)
      case .stream(.storageDamaged):
        Problem(
          .internalServerError, "storage-damaged", "Storage damaged",
          "What the storage holds of the stream is not what was written.")

      case .request(.malformed(let rule)):
        Problem(
          .badRequest, "malformed-request", "Malformed request",
          "The bytes are not a request by RFC 9112: \(rule)."
        ).with("rule", .string("\(rule)"))
      case .request(.unsupportedVersion):
        Problem(
          .httpVersionNotSupported, "unsupported-version", "HTTP version not supported",
          "This server speaks HTTP/1.1.")
      case .request(.expectationFailed):
        Problem(
          .expectationFailed, "expectation-failed", "Expectation not supported",
          "The only expectation that can be met is 100-continue.")
      case .request(.requestLineTooLong(let limit)):
        Problem(
          .uriTooLong, "request-line-too-long", "Request line too long",
          "A request line has at most \(limit) bytes."
        ).with("limit", .number(limit))
      case .request(.headTooLarge(let limit)):
        Problem(
          .requestHeaderFieldsTooLarge, "head-too-large", "Head too large",
          "A request's head has at most \(limit) bytes."
        ).with("limit", .number(limit))
      case .request(.tooManyFields(let limit)):
        Problem(
          .requestHeaderFieldsTooLarge, "too-many-fields", "Too many fields",
          "A request has at most \(limit) fields."
        ).with("limit", .number(limit))
      case .request(.contentTooLarge(let limit)):
        Problem(
          .contentTooLarge, "content-too-large", "Content too large",
          "A request's content has at most \(limit) bytes."
        ).with("limit", .number(limit))
      case .request(.headTimedOut):
        Problem(.requestTimeout, "head-timed-out", "Request timed out", "The head did not arrive in time.")
      case .request(.contentTimedOut):
        Problem(
          .requestTimeout, "content-timed-out", "Request timed out", "The content did not arrive in time.")
      case .request(.tooManyConnections(let limit)):
        Problem(
          .serviceUnavailable, "overloaded", "No room", "The server holds at most \(limit) connections."
        ).with("limit", .number(limit)).with(field: "Retry-After", Self.retryAfter)
      case .request(.tooManyBytesInFlight(let limit)):
        Problem(
          .serviceUnavailable, "overloaded", "No room", "The server holds at most \(limit) bytes of content."
        ).with("limit", .number(limit)).with(field: "Retry-After", Self.retryAfter)
      }
  }
}

extension ConfigurationField {
  /// The request field that says it.
  var fieldName: String {
    switch self {
    case .dialect: "Mooring-Dialect"
    case .open: "Mooring-Open"
    case .frontMatter: "Mooring-Front-Matter"
    }
  }
}

extension ConfigurationDifference {
  /// The request field that says it.
  var fieldName: String {
    switch self {
    case .lifetime: "Stream-TTL"
    case .closure: "Stream-Closed"
    case .source: "Stream-Forked-From"
    case .forkOffset: "Stream-Fork-Offset"
    }
  }

  var text: String {
    switch self {
    case .lifetime: "end (Stream-TTL or Stream-Expires-At)"
    case .closure: "state: closed or open"
    case .source: "source"
    case .forkOffset: "fork offset"
    }
  }
}
