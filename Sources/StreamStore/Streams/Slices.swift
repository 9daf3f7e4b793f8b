package import Markup

/// Parsing of whole sources in slices, between which other tasks of the executor have their turn.
package enum Slices {
  /// About a millisecond of parsing.
  private static let sliceBytes = 64 << 10

  /// A parser that has read all of the source, not finished.
  ///
  /// - Parameter keepsHistory: whether there will be diffs from what was shown before.
  package static func parse(
    _ source: [UInt8], _ dialect: Dialect, _ options: MarkupParser.Options, keepsHistory: Bool = true
  ) async -> MarkupParser {
    let parser = MarkupParser(dialect: dialect, options: options, keepsHistory: keepsHistory)
    return await parse(source, from: 0, with: parser)
  }

  /// A parser that has gone on with what begins at an index of `source`.
  static func parse(
    _ source: [UInt8], from begin: Int, with parser: consuming MarkupParser
  ) async -> MarkupParser {
    parser.reserve(sourceBytes: source.count - begin)
    var start = begin
    while start < source.count {
      let end = min(start + sliceBytes, source.count)
      parser.append(source.span.extracting(start..<end))
      start = end
      if start < source.count { await Task.yield() }
    }
    return parser
  }
}
