package import Markup

/// A configuration that was read and checked.
package struct LoadedConfiguration: Sendable {
  package let settings: Settings
  /// The shipped dialects, in their order, then the configured ones by name. A file replaces the shipped dialect
  /// of the same name.
  package let dialects: [Dialect]
  /// Of the keys that are not at their default, by path.
  let origins: [String: ConfigurationOrigin]
  /// The files that dialects were read from, by the dialect's name.
  let dialectFiles: [String: String]

  /// The dialect with this name. Names match by bytes.
  package func dialect(named name: String) -> Dialect? { dialects.first { $0.name == name } }

  /// The dialect of streams that name none.
  package var defaultDialect: Dialect { dialect(named: settings.blocks.defaultDialect) ?? .chat }

  /// Where the value of a key comes from.
  package func origin(of key: String) -> ConfigurationOrigin { origins[key] ?? .default }

  /// The effective configuration as a YAML file: each key with its value, and where that comes from as a
  /// comment. Read as a configuration, it gives the same settings.
  package func show() -> String {
    var lines: [(text: String, origin: String)] = []
    var section = ""
    for key in ConfigurationKey.all {
      let names = key.path.split(separator: ".", maxSplits: 1)
      if names[0] != section {
        section = String(names[0])
        lines.append(("\(section):", ""))
      }
      lines.append(("  \(names[1]): \(yamlScalar(key.text(in: settings)))", "\(origin(of: key.path))"))
    }
    let width = lines.map { $0.origin.isEmpty ? 0 : $0.text.count }.max() ?? 0
    var text = ""
    for line in lines {
      text += line.text
      if !line.origin.isEmpty {
        text += String(repeating: " ", count: width - line.text.count) + "  # \(oneLine(line.origin))"
      }
      text += "\n"
    }
    text += "# Dialects:\n"
    for dialect in dialects {
      text +=
        "#   \(dialect.name): \(oneLine(dialectFiles[dialect.name].map { "file \($0)" } ?? "built in"))\n"
    }
    return text
  }
}

/// `text` as a YAML scalar: plain where that is safe, else in double quotes.
private func yamlScalar(_ text: String) -> String {
  let isPlain = text.utf8.allSatisfy {
    $0.isASCIILetter || (0x30...0x39).contains($0) || [0x2D, 0x2E, 0x2F, 0x5F].contains($0)
  }
  if isPlain, let first = text.utf8.first, first != 0x2D { return text }
  var quoted = "\""
  for scalar in text.unicodeScalars {
    switch scalar.value {
    case 0x22, 0x5C: quoted += "\\\(scalar)"
    case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF:
      let digits = String(scalar.value, radix: 16, uppercase: true)
      quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    default: quoted.unicodeScalars.append(scalar)
    }
  }
  return quoted + "\""
}
