/// A dialect and a stream's options, in the form that the parser asks. Made once, it serves many parsers, which share it: a
/// copy of its collections for each would cost a new process more than a short document.
package final class Grammar: Sendable {
  let extensions: Dialect.Extensions
  let keyAttributes: [[UInt8]]
  let templateAttribute: [UInt8]
  private let components: [[UInt8]: Dialect.Component]
  /// Whether any element can be a component.
  let hasComponents: Bool

  /// What is open from the start.
  let open: [[UInt8]]

  package init(_ dialect: Dialect, options: MarkupParser.Options = MarkupParser.Options()) {
    open = options.open.map { Array($0.utf8) }
    var extensions = dialect.extensions
    if options.frontMatter { extensions.insert(.frontMatter) }
    self.extensions = extensions
    keyAttributes = dialect.keyAttributes.map { Array($0.utf8) }
    templateAttribute = Array(dialect.templateAttribute.utf8)
    var components: [[UInt8]: Dialect.Component] = [:]
    for (name, component) in dialect.components { components[Array(name.utf8)] = component }
    self.components = components
    hasComponents = !components.isEmpty || extensions.contains(.anyComponent)
  }

  func has(_ extension: Dialect.Extensions) -> Bool { extensions.contains(`extension`) }

  /// The component that elements of this name are, if they are one (identity.md §5).
  func component(named name: [UInt8]) -> Dialect.Component? {
    if let component = components[name] { return component }
    guard extensions.contains(.anyComponent), Self.isAnyComponent(name) else { return nil }
    return Dialect.Component(content: .markdown)
  }

  /// Whether elements of this name are components where any can be one.
  static func isAnyComponent(_ name: [UInt8]) -> Bool {
    name.contains(where: { $0 == UInt8(ascii: "-") || ($0 >= 0x41 && $0 <= 0x5A) })
      && !HTMLElements.all.contains(name.map(ASCII.lowercased))
  }
}

/// Classes of ASCII bytes.
enum ASCII {
  @inline(__always)
  static func isLetter(_ byte: Int) -> Bool {
    let lower = byte | 0x20
    return lower >= 0x61 && lower <= 0x7A
  }

  @inline(__always)
  static func isDigit(_ byte: Int) -> Bool { byte >= 0x30 && byte <= 0x39 }

  /// Whether it is ASCII and no control byte.
  @inline(__always)
  static func isPrintable(_ byte: UInt8) -> Bool { byte &- 0x20 < 0x5F }

  /// Whether it is ASCII, and neither white space nor a control byte.
  @inline(__always)
  static func isGraphic(_ byte: UInt8) -> Bool { byte > 0x20 && byte < 0x7F }

  @inline(__always)
  static func isSpaceOrTab(_ byte: Int) -> Bool { byte == 0x20 || byte == 0x09 }

  /// Space, tab and LF, as which every line end stands in a leaf's text.
  @inline(__always)
  static func isWhitespace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A }

  /// ASCII punctuation (CommonMark 0.31.2 §2.1).
  static func isPunctuation(_ byte: Int) -> Bool {
    (byte >= 0x21 && byte <= 0x2F) || (byte >= 0x3A && byte <= 0x40) || (byte >= 0x5B && byte <= 0x60)
      || (byte >= 0x7B && byte <= 0x7E)
  }

  /// The value of a hexadecimal digit, which is one and no small letter.
  @inline(__always)
  static func hexValue(_ digit: UInt8) -> UInt32 { UInt32(digit < 0x3A ? digit - 0x30 : digit - 0x41 + 10) }

  static func lowercased(_ byte: UInt8) -> UInt8 {
    byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
  }
}

extension Span<UInt8> {
  /// The end of the white space in a leaf's text that begins at `begin`.
  @inline(__always)
  func whitespaceEnd(from begin: Int) -> Int {
    var index = begin
    while index < count && ASCII.isWhitespace(self[index]) { index += 1 }
    return index
  }
}
