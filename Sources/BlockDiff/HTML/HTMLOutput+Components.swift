import Markup

extension HTMLOutput {
  /// Begins a component in text. Its attributes are one attribute, in JSON: whatever they are called, none of them means
  /// anything to a browser or to what runs in the page.
  mutating func beginComponent(_ content: borrowing InlineContent, _ event: InlineEvent) {
    let component = content.components[event.component]
    write("<span data-component=\"")
    writeEscaped(content.strings.span, component.name)
    write("\"")
    if !component.attributes.isEmpty {
      var json = JSONWriter()
      json.write(UInt8(ascii: "{"))
      json.write(attributes: component.attributes.lazy.map { ($0.name, $0.value) }, of: content.strings.span)
      json.write(UInt8(ascii: "}"))
      write(" data-attributes=\"")
      writeEscaped(json.bytes.span)
      write("\"")
    }
    write(">")
  }
}
