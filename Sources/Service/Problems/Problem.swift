import BlockDiff
import HTTPServer

/// An error as a client gets it: `application/problem+json` (RFC 9457).
struct Problem {
  /// A member beyond the standard's, for programs.
  enum Value {
    case string(String)
    case number(Int)
    case strings([String])
  }

  /// The stable end of `type`.
  let name: String
  let status: StatusCode
  /// The same for every problem of the name.
  let title: String
  let detail: String
  var members: [(name: String, value: Value)] = []
  /// The response's fields, those that the status or the stream protocol asks for included.
  private var fields: Fields = [
    "Content-Type": "application/problem+json", "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store", "Cross-Origin-Resource-Policy": "cross-origin",
  ]

  init(_ status: StatusCode, _ name: String, _ title: String, _ detail: String) {
    self.status = status
    self.name = name
    self.title = title
    self.detail = detail
  }

  /// Adds a member.
  func with(_ name: String, _ value: Value) -> Problem {
    var result = self
    result.members.append((name, value))
    return result
  }

  /// Adds a response field.
  func with(field name: StaticString, _ value: some Sequence<UInt8>) -> Problem {
    var result = self
    result.fields.append(name, value)
    return result
  }

  /// The problem as a JSON object.
  var json: [UInt8] {
    var writer = JSONWriter()
    writer.write(#"{"type":"# as JSONFragment)
    writer.write(string: "/problems/" + name)
    writer.write(#","title":"# as JSONFragment)
    writer.write(string: title)
    writer.write(#","status":"# as JSONFragment)
    writer.write(status.rawValue)
    writer.write(#","detail":"# as JSONFragment)
    writer.write(string: detail)
    for member in members {
      writer.write("," as JSONFragment)
      writer.write(string: member.name)
      writer.write(":" as JSONFragment)
      switch member.value {
      case .string(let text): writer.write(string: text)
      case .number(let number): writer.write(number)
      case .strings(let texts):
        writer.write("[" as JSONFragment)
        for (place, text) in texts.enumerated() {
          if place > 0 { writer.write("," as JSONFragment) }
          writer.write(string: text)
        }
        writer.write("]" as JSONFragment)
      }
    }
    writer.write("}" as JSONFragment)
    return writer.bytes
  }

  /// The whole answer.
  var response: Response { Response(status, fields: fields, content: json) }
}
