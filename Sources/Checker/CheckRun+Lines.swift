package import BlockDiff

/// Why a line is no document.
package enum DocumentLineError: Error, Equatable, Sendable, CustomStringConvertible {
  case notJSON(line: Int, JSONError)
  /// The field is absent or no string.
  case noField(line: Int, String)

  package var description: String {
    switch self {
    case .notJSON(let line, let error): "line \(line) is no JSON: \(error)"
    case .noField(let line, let field): "line \(line) has no text in its field \(field)"
    }
  }
}

extension CheckRun {
  /// The documents of a file of JSON lines, one in the field `field` of each.
  ///
  /// A document is named after the line's field `id`, else after the file and the line's number, from 1. Empty
  /// lines are skipped.
  package static func documents(
    ofLines bytes: [UInt8], field: String, file: String, parse: ParseOptions
  ) throws(DocumentLineError) -> [Document] {
    var documents: [Document] = []
    var number = 0
    for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
      number += 1
      if line.allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }) { continue }
      let object: JSONValue
      do { object = try JSONReader.value(of: Array(line)) } catch {
        throw .notJSON(line: number, error)
      }
      guard let text = object[ByteString(field)]?.string else { throw .noField(line: number, field) }
      let id = object["id"]?.string?.description
      documents.append(Document(name: id ?? "\(file):\(number)", source: text.utf8, parse: parse))
    }
    return documents
  }
}
