package import HTTPServer
package import StreamStore

/// Why a request is refused.
package enum ServiceError: Error, Equatable, Sendable {
  /// No route has this path.
  case noResource(path: String)
  /// The route has no such method.
  case methodNotAllowed(method: String, allowed: [String])
  /// The `Accept` field takes none of what there is.
  case notAcceptable(offered: [String])
  /// The content type is not Markdown.
  case notMarkup(type: String)
  /// The path of a stream has a byte or a segment that none has.
  case malformedPath(String)
  /// The query's percent-encoding is broken.
  case malformedQuery
  /// What stands where an offset token belongs is none.
  case malformedOffset(name: String, value: String)
  /// The query has a parameter that the route does not know.
  case unknownParameter(name: String, known: [String])
  /// The query has a parameter twice that may come once.
  case repeatedParameter(name: String)
  /// Two parameters exclude each other.
  case conflictingParameters(String, String)
  /// A parameter does nothing without another.
  case missingParameter(name: String, neededBy: String)
  /// A parameter or field has a value that is not accepted.
  case invalidValue(name: String, value: String, accepted: String)
  /// An append says nothing of its content's type.
  case missingContentType
  /// Content for a JSON stream is no JSON text.
  case malformedJSON
  /// Some but not all of the producer's three fields are there.
  case partialProducerFields(missing: [String])
  /// A body that is applied piece by piece cannot be deduplicated as one.
  case producerWithPieces
  /// As many checks run as may at a time.
  case tooManyChecks(limit: Int)
  /// As many load tests run as may at a time.
  case tooManyLoads(limit: Int)
  /// There is no load test with this name, or not any more.
  case noLoad(job: String)
  /// The body is no JSON object.
  case notAnObject
  /// The body has a member that is not known.
  case unknownMember(name: String, known: [String])
  /// The server is shutting down.
  case draining
  /// The stream refuses it.
  case stream(StreamError)
  /// It cannot be read as a request, or is too large or too late.
  case request(RequestError)
  /// The handler failed.
  case failure
}
