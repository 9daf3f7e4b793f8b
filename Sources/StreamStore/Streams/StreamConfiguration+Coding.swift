import BlockDiff
import Markup

// What a stream was created with as an engine stores it: all of the dialect, not its name, so that a stream keeps
// its blocks' IDs when a dialect file is changed.
extension StreamConfiguration {
  /// The configuration as JSON; equal configurations give equal bytes.
  package var encoded: [UInt8] {
    var writer = JSONWriter()
    writer.write(#"{"contentType":"# as JSONFragment)
    writer.write(string: contentType)
    writer.write(#","open":"# as JSONFragment)
    Self.write(options.open, to: &writer)
    writer.write(#","frontMatter":"# as JSONFragment)
    writer.write(options.frontMatter)
    writer.write(#","dialect":{"name":"# as JSONFragment)
    writer.write(string: dialect.name)
    writer.write(#","extensions":"# as JSONFragment)
    writer.write(Int(dialect.extensions.rawValue))
    writer.write(#","components":["# as JSONFragment)
    for (place, (name, component)) in dialect.components.sorted(by: { $0.key < $1.key }).enumerated() {
      writer.write(place == 0 ? #"{"name":"# as JSONFragment : #",{"name":"# as JSONFragment)
      writer.write(string: name)
      writer.write(#","content":"# as JSONFragment)
      writer.write(Int(component.content.rawValue))
      writer.write(#","isContained":"# as JSONFragment)
      writer.write(component.isContained)
      writer.write("}" as JSONFragment)
    }
    writer.write(#"],"keyAttributes":"# as JSONFragment)
    Self.write(dialect.keyAttributes, to: &writer)
    writer.write(#","templateAttribute":"# as JSONFragment)
    writer.write(string: dialect.templateAttribute)
    writer.write("}}" as JSONFragment)
    return writer.bytes
  }

  private static func write(_ texts: [String], to writer: inout JSONWriter) {
    writer.write("[" as JSONFragment)
    for (place, text) in texts.enumerated() {
      if place > 0 { writer.write("," as JSONFragment) }
      writer.write(string: text)
    }
    writer.write("]" as JSONFragment)
  }

  /// What `encoded` gave; `nil` for anything else.
  package init?(encoded: [UInt8]) {
    guard let json = try? JSONReader.value(of: encoded), let dialect = json["dialect"] else { return nil }
    guard let contentType = json["contentType"]?.string, let open = Self.texts(json["open"]),
      let frontMatter = json["frontMatter"]?.boolean, let name = dialect["name"]?.string,
      let extensions = dialect["extensions"]?.integer.flatMap({ UInt32(exactly: $0) }),
      let components = Self.components(dialect["components"]),
      let keyAttributes = Self.texts(dialect["keyAttributes"]),
      let templateAttribute = dialect["templateAttribute"]?.string
    else { return nil }
    self.init(
      dialect: Dialect(
        name: name.description, extensions: .init(rawValue: extensions), components: components,
        keyAttributes: keyAttributes, templateAttribute: templateAttribute.description),
      options: .init(open: open, frontMatter: frontMatter), contentType: contentType.description)
  }

  private static func texts(_ value: JSONValue?) -> [String]? {
    guard let values = value?.array else { return nil }
    let texts = values.compactMap { $0.string?.description }
    return texts.count == values.count ? texts : nil
  }

  private static func components(_ value: JSONValue?) -> [String: Dialect.Component]? {
    guard let values = value?.array else { return nil }
    var components: [String: Dialect.Component] = [:]
    for value in values {
      guard let name = value["name"]?.string, let isContained = value["isContained"]?.boolean,
        let number = value["content"]?.integer.flatMap({ UInt8(exactly: $0) }),
        let content = ComponentContent(rawValue: number)
      else { return nil }
      components[name.description] = .init(content: content, isContained: isContained)
    }
    return components
  }
}
