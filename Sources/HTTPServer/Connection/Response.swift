/// A whole response: what can be sent in one piece.
package struct Response: Equatable, Sendable {
  package var status: StatusCode
  /// Without `Date`, `Connection`, `Content-Length` and `Transfer-Encoding`, which the server writes.
  package var fields: Fields
  package var content: [UInt8]

  /// A response; without content by default.
  package init(_ status: StatusCode, fields: Fields = [:], content: [UInt8] = []) {
    self.status = status
    self.fields = fields
    self.content = content
  }
}
