package import BlockDiff

extension LoadOptions {
  private static let members = [
    "streams", "readers", "rate", "chunkBytes", "documents", "seed", "seconds", "mode", "verify",
  ]

  /// The options that a JSON object says; what it does not name has its default.
  package init(json: [UInt8], limits: Limits) throws(Refusal) {
    let value: JSONValue
    do throws(JSONError) { value = try JSONReader.value(of: json) } catch { throw .notAnObject }
    try self.init(value, limits: limits)
  }

  /// The options that an object says.
  init(_ value: JSONValue, limits: Limits) throws(Refusal) {
    self.init()
    // A default is no wish.
    streams = min(streams, limits.streams.upperBound, limits.connections / (readers + 1))
    readers = min(readers, limits.readers.upperBound)
    rate = min(rate, limits.rate.upperBound)
    seconds = min(seconds, limits.seconds.upperBound)
    guard case .object(let members) = value else { throw .notAnObject }
    for member in members { try read(member.name.description, member.value, limits) }
    try check(limits)
  }

  private mutating func read(_ name: String, _ value: JSONValue, _ limits: Limits) throws(Refusal) {
    switch name {
    case "streams": streams = try Self.integer(name, value, in: limits.streams)
    case "readers": readers = try Self.integer(name, value, in: limits.readers)
    case "rate": rate = try Self.number(name, value, in: limits.rate)
    case "seconds": seconds = try Self.number(name, value, in: limits.seconds)
    case "seed": seed = UInt64(try Self.integer(name, value, in: 0...Int.max))
    case "mode": mode = try Self.word(name, value)
    case "documents": documents = try Self.word(name, value)
    case "verify":
      guard let flag = value.boolean else {
        throw .invalidValue(name: name, value: value.text, accepted: "true or false")
      }
      verify = flag
    case "chunkBytes": chunkBytes = try Self.range(name, value, in: limits.chunkBytes)
    default: throw .unknownMember(name, known: Self.members)
    }
  }

  /// Refuses more connections than there may be.
  package func check(_ limits: Limits) throws(Refusal) {
    let most = limits.connections / (readers + 1)
    guard mode == .engine || streams <= most else {
      throw .invalidValue(
        name: "streams", value: "\(streams)",
        accepted: "at most \(most) with \(readers) readers, \(limits.connections) connections in all")
    }
  }

  private static func integer(
    _ name: String, _ value: JSONValue, in range: ClosedRange<Int>
  ) throws(Refusal) -> Int {
    guard let number = value.integer, range.contains(number) else {
      throw .invalidValue(
        name: name, value: value.text,
        accepted: "a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  private static func number(
    _ name: String, _ value: JSONValue, in range: ClosedRange<Double>
  ) throws(Refusal) -> Double {
    let number = value.integer.map(Double.init) ?? value.fraction
    guard let number, range.contains(number) else {
      throw .invalidValue(
        name: name, value: value.text, accepted: "a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  private static func word<Word: RawRepresentable<String> & CaseIterable>(
    _ name: String, _ value: JSONValue
  ) throws(Refusal) -> Word {
    guard let word = value.string.flatMap({ Word(rawValue: $0.description) }) else {
      let accepted = Word.allCases.map(\.rawValue).joined(separator: ", ")
      throw .invalidValue(name: name, value: value.text, accepted: accepted)
    }
    return word
  }

  private static func range(
    _ name: String, _ value: JSONValue, in limits: ClosedRange<Int>
  ) throws(Refusal) -> ClosedRange<Int> {
    let bounds = value.array.map { $0.compactMap(\.integer) } ?? []
    guard value.array?.count == 2, bounds.count == 2, bounds[0] <= bounds[1],
      limits.contains(bounds[0]), limits.contains(bounds[1])
    else {
      throw .invalidValue(
        name: name, value: value.text,
        accepted: "two whole numbers from \(limits.lowerBound) to \(limits.upperBound), the smaller one first"
      )
    }
    return bounds[0]...bounds[1]
  }

  /// Writes the options as the object that `init(json:)` reads.
  package func write(to writer: inout JSONWriter) {
    writer.write(#"{"streams":"#)
    writer.write(streams)
    writer.write(#","readers":"#)
    writer.write(readers)
    writer.write(#","rate":"#)
    writer.write(rate, decimals: 3)
    writer.write(#","chunkBytes":["#)
    writer.write(chunkBytes.lowerBound)
    writer.write(",")
    writer.write(chunkBytes.upperBound)
    writer.write(#"],"documents":"#)
    writer.write(string: documents.rawValue)
    writer.write(#","seed":"#)
    writer.write(Int(clamping: seed))
    writer.write(#","seconds":"#)
    writer.write(seconds, decimals: 3)
    writer.write(#","mode":"#)
    writer.write(string: mode.rawValue)
    writer.write(#","verify":"#)
    writer.write(verify)
    writer.write("}")
  }
}

extension JSONValue {
  /// The number that a fraction is.
  package var fraction: Double? { if case .fraction(let value) = self { value } else { nil } }

  /// The value as a message names it.
  fileprivate var text: String {
    switch self {
    case .null: "null"
    case .boolean(let flag): "\(flag)"
    case .integer(let number): "\(number)"
    case .fraction(let number): "\(number)"
    case .string(let text): text.description
    case .array(let values): "[\(values.map(\.text).joined(separator: ","))]"
    case .object: "an object"
    }
  }
}
