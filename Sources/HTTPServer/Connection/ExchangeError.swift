/// Why an operation of an exchange did not happen.
package enum ExchangeError: Error, Equatable, Sendable {
  /// The request is refused. Where nothing has been sent, letting this error leave the handler sends the answer.
  case request(RequestError)
  /// The peer has closed or reset the connection.
  case peerClosed
  /// The peer took nothing for as long as the write timeout.
  case writeTimedOut
  /// The server is shutting down, and the time of grace is over.
  case cut
  /// The socket failed otherwise.
  case system(SystemError)
  /// The handler has returned; its exchange can do nothing any more.
  case ended
}
