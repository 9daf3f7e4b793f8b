/// A status code (RFC 9110 §15).
package struct StatusCode: RawRepresentable, Hashable, Sendable {
  package let rawValue: Int

  /// A status code from 100 to 599.
  package init(rawValue: Int) {
    precondition((100...599).contains(rawValue), "a status code has three digits")
    self.rawValue = rawValue
  }

  package static let ok = StatusCode(rawValue: 200)
  package static let created = StatusCode(rawValue: 201)
  package static let accepted = StatusCode(rawValue: 202)
  package static let noContent = StatusCode(rawValue: 204)
  package static let movedPermanently = StatusCode(rawValue: 301)
  package static let found = StatusCode(rawValue: 302)
  package static let seeOther = StatusCode(rawValue: 303)
  package static let notModified = StatusCode(rawValue: 304)
  package static let temporaryRedirect = StatusCode(rawValue: 307)
  package static let permanentRedirect = StatusCode(rawValue: 308)
  package static let badRequest = StatusCode(rawValue: 400)
  package static let unauthorized = StatusCode(rawValue: 401)
  package static let forbidden = StatusCode(rawValue: 403)
  package static let notFound = StatusCode(rawValue: 404)
  package static let methodNotAllowed = StatusCode(rawValue: 405)
  package static let notAcceptable = StatusCode(rawValue: 406)
  package static let requestTimeout = StatusCode(rawValue: 408)
  package static let conflict = StatusCode(rawValue: 409)
  package static let gone = StatusCode(rawValue: 410)
  package static let preconditionFailed = StatusCode(rawValue: 412)
  package static let contentTooLarge = StatusCode(rawValue: 413)
  package static let uriTooLong = StatusCode(rawValue: 414)
  package static let unsupportedMediaType = StatusCode(rawValue: 415)
  package static let rangeNotSatisfiable = StatusCode(rawValue: 416)
  package static let expectationFailed = StatusCode(rawValue: 417)
  package static let unprocessableContent = StatusCode(rawValue: 422)
  package static let tooManyRequests = StatusCode(rawValue: 429)
  package static let requestHeaderFieldsTooLarge = StatusCode(rawValue: 431)
  package static let internalServerError = StatusCode(rawValue: 500)
  package static let notImplemented = StatusCode(rawValue: 501)
  package static let serviceUnavailable = StatusCode(rawValue: 503)
  package static let httpVersionNotSupported = StatusCode(rawValue: 505)

  /// Whether an answer with this code has no content, and no field that gives its length (RFC 9110 §6.4.1).
  package var hasNoContent: Bool { rawValue < 200 || rawValue == 204 || rawValue == 304 }

  /// The registered reason phrase, or nothing.
  package var reasonPhrase: StaticString {
    switch rawValue {
    case 100: "Continue"
    case 200: "OK"
    case 201: "Created"
    case 202: "Accepted"
    case 204: "No Content"
    case 301: "Moved Permanently"
    case 302: "Found"
    case 303: "See Other"
    case 304: "Not Modified"
    case 307: "Temporary Redirect"
    case 308: "Permanent Redirect"
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 406: "Not Acceptable"
    case 408: "Request Timeout"
    case 409: "Conflict"
    case 410: "Gone"
    case 412: "Precondition Failed"
    case 413: "Content Too Large"
    case 414: "URI Too Long"
    case 415: "Unsupported Media Type"
    case 416: "Range Not Satisfiable"
    case 417: "Expectation Failed"
    case 422: "Unprocessable Content"
    case 429: "Too Many Requests"
    case 431: "Request Header Fields Too Large"
    case 500: "Internal Server Error"
    case 501: "Not Implemented"
    case 503: "Service Unavailable"
    case 505: "HTTP Version Not Supported"
    default: ""
    }
  }
}

extension RequestError {
  /// The status code of the answer.
  package var status: StatusCode {
    switch self {
    case .malformed: .badRequest
    case .unsupportedVersion: .httpVersionNotSupported
    case .expectationFailed: .expectationFailed
    case .requestLineTooLong: .uriTooLong
    case .headTooLarge, .tooManyFields: .requestHeaderFieldsTooLarge
    case .contentTooLarge: .contentTooLarge
    case .headTimedOut, .contentTimedOut: .requestTimeout
    case .tooManyConnections, .tooManyBytesInFlight: .serviceUnavailable
    }
  }
}
