import Markup
import StreamStore

/// Parsing of whole sources in slices, between which other requests of the event loop have their turn.
enum Slices {
  /// About a millisecond of parsing.
  private static let sliceBytes = 64 << 10

  /// A parser that has read all of the source, not finished.
  static func parse(
    _ source: [UInt8], _ dialect: Dialect, _ options: MarkupParser.Options
  ) async -> MarkupParser {
    var parser = MarkupParser(dialect: dialect, options: options)
    var start = 0
    while start < source.count {
      let end = min(start + sliceBytes, source.count)
      parser.append(source.span.extracting(start..<end))
      start = end
      if start < source.count { await Task.yield() }
    }
    return parser
  }
}

extension BlockStream {
  /// Reads a large source again, where its blocks were dropped, before they are needed.
  func prepare() async throws {
    guard let source = try largeDroppedSource() else { return }
    try restore(await Slices.parse(source, configuration.dialect, configuration.options))
  }
}
