import BlockDiff
import HTTPServer

/// A request's query, of which every parameter is known and comes once.
struct Query {
  private let parameters: QueryParameters?

  /// Reads the query.
  ///
  /// - Parameter repeatable: the parameter that may come more than once.
  init(_ request: Request, known: [String], repeatable: String? = nil) throws(ServiceError) {
    guard let query = request.query, !query.isEmpty else {
      parameters = nil
      return
    }
    guard let parameters = request.queryParameters else { throw .malformedQuery }
    var seen: Set<String> = []
    for parameter in parameters.parameters {
      let name = parameter.name
      guard known.contains(name) else { throw .unknownParameter(name: name, known: known) }
      guard seen.insert(name).inserted || name == repeatable else { throw .repeatedParameter(name: name) }
    }
    self.parameters = parameters
  }

  /// The value of a parameter.
  subscript(_ name: String) -> String? { parameters?[name] }

  /// All values of a parameter.
  func all(_ name: String) -> [String] { parameters?.all(name) ?? [] }

  /// The offset token that a parameter holds.
  func token(_ name: String) throws(ServiceError) -> OffsetToken? {
    guard let value = self[name] else { return nil }
    guard let token = OffsetToken(value.utf8) else { throw .malformedOffset(name: name, value: value) }
    return token
  }

  /// A parameter that has to be one of some words.
  func word(_ name: String, of accepted: [String]) throws(ServiceError) -> String? {
    guard let value = self[name] else { return nil }
    guard accepted.contains(value) else {
      throw .invalidValue(name: name, value: value, accepted: accepted.joined(separator: ", "))
    }
    return value
  }

  /// A parameter that is a whole number in a range.
  func number(_ name: String, in range: ClosedRange<Int>, unit: String) throws(ServiceError) -> Int? {
    guard let value = self[name] else { return nil }
    guard let number = Self.number(value), range.contains(number) else {
      throw .invalidValue(
        name: name, value: value,
        accepted: "a whole number of \(unit) from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// Digits, and nothing else, as a number.
  static func number(_ text: String) -> Int? {
    guard !text.isEmpty, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
    return Int(text)
  }

  /// The shape of a snapshot.
  var shape: SnapshotShape {
    get throws(ServiceError) {
      guard let value = try word("shape", of: SnapshotShape.allCases.map(\.rawValue)) else { return .flat }
      return SnapshotShape(rawValue: value) ?? .flat
    }
  }

  /// What is shown of inline content.
  func inline(_ policy: HTMLOptions) throws(ServiceError) -> InlineOutput {
    let value = try word("inline", of: InlineOutput.Form.allCases.map(\.rawValue))
    return InlineOutput(value.flatMap(InlineOutput.Form.init) ?? .none, policy: policy)
  }

  /// Refuses what other values of `format` ask for: there is one for now.
  func checkFormat() throws(ServiceError) { _ = try word("format", of: ["ops"]) }
}
