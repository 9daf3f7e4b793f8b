/// What answers requests.
package protocol Responder: Sendable {
  /// Answers one request. Runs on its connection's event loop, so it must not block.
  ///
  /// Returning without an answer sends `500`; returning from an unfinished stream finishes it. An error thrown
  /// before an answer was begun is answered by `response(to:)` or `response(toFailure:)`; after that it closes
  /// the connection without the content's end, so that the client can tell.
  func respond(to exchange: Exchange) async throws

  /// The answer to a request that is refused. The connection closes after it. `503` should carry `Retry-After`.
  func response(to error: RequestError) -> Response

  /// The answer to a request whose handler threw any other error.
  func response(toFailure error: any Error) -> Response
}

extension Responder {
  /// A plain answer with the error's status.
  package func response(to error: RequestError) -> Response {
    var response = Response(error.status, fields: ["Content-Type": "text/plain; charset=utf-8"])
    if error.status == .serviceUnavailable { response.fields.append("Retry-After", 1) }
    response.content.append(error.status.reasonPhrase)
    response.content.append("\n")
    return response
  }

  /// A plain `500`.
  package func response(toFailure error: any Error) -> Response {
    Response(
      .internalServerError, fields: ["Content-Type": "text/plain; charset=utf-8"],
      content: Array("Internal Server Error\n".utf8))
  }
}
