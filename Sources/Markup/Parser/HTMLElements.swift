/// The names of elements that the parser must know.
enum HTMLElements {
  /// Every element of the HTML standard, the obsolete ones included; `svg` and `math` are not elements of it.
  static let all = names(
    """
    a abbr acronym address applet area article aside audio b base basefont bdi bdo bgsound big blink \
    blockquote body br button canvas caption center cite code col colgroup content data datalist dd del details dfn \
    dialog dir div dl dt element em embed fieldset figcaption figure font footer form frame frameset h1 h2 h3 h4 \
    h5 h6 head header hgroup hr html i iframe image img input ins isindex kbd keygen label legend li link \
    listing main map mark marquee menu menuitem meta meter multicol nav nextid nobr noembed noframes noscript object \
    ol optgroup option output p param picture plaintext pre progress q rb rbc rp rt rtc ruby s samp script \
    search section select selectedcontent shadow slot small source spacer span strike strong style sub summary sup table tbody td \
    template textarea tfoot th thead time title tr track tt u ul var video wbr xmp
    """)

  /// The elements that open an HTML block of type 6 (CommonMark 0.31.2 §4.6).
  static let block = names(
    """
    address article aside base basefont blockquote body caption center col colgroup dd details dialog dir \
    div dl dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html \
    iframe legend li link main menu menuitem nav noframes ol optgroup option p param search section summary \
    table tbody td tfoot th thead title tr track ul
    """)

  /// The elements that open an HTML block of type 1.
  static let verbatim = names("script pre style textarea")

  private static func names(_ list: String) -> Set<[UInt8]> {
    Set(list.utf8.split(separator: UInt8(ascii: " ")).map(Array.init))
  }
}
