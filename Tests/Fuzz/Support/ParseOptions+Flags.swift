package import Checker
import Markup
import TestSupport

extension ParseOptions {
  /// The dialect and options that an input's first byte stands for.
  package init(flags: UInt8) {
    let dialects: [Dialect] = [.chat, .gfm, .commonmark, .directives]
    var options = MarkupParser.Options()
    options.frontMatter = flags & 4 != 0
    if flags & 8 != 0 { options.open = ["think"] }
    self.init(dialects[Int(flags & 3)], options: options)
  }

  /// A byte that stands for these options, or for ones near them.
  package var flags: UInt8 {
    let dialect: UInt8 = self.dialect.name == "commonmark" ? 2 : self.dialect.name == "gfm" ? 1 : 0
    return dialect | (options.frontMatter ? 4 : 0) | (options.open.isEmpty ? 0 : 8)
  }
}
