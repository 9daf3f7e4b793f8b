// Written by scripts/generate-answer-mix from 1564 answers of chat models: do not edit.

/// What chat models' answers are made of: how often and how long, in the order of `AnswerBlock.allCases`.
enum AnswerMix {
  /// Of 1,000 answers, those that have a top-level block of the kind.
  static let documentsHaving = [954, 171, 213, 420, 306, 38, 32, 90, 23, 17, 3]
  /// The same, of 1,000 answers without a heading.
  static let plainDocumentsHaving = [948, 0, 127, 395, 318, 14, 18, 39, 17, 15, 3]
  /// The same, of 1,000 answers with headings: they are longer, and have more of everything.
  static let headedDocumentsHaving = [985, 1000, 627, 541, 250, 157, 101, 332, 52, 22, 0]
  /// Top-level blocks of the kind in 1,000 answers.
  static let blocksPerThousand = [5267, 2091, 1370, 687, 556, 59, 40, 391, 170, 47, 3]
  /// Of 1,000 blocks that follow one of the row's kind, in answers that have the column's kind, those of it.
  static let follows: [[Int]] = [
    [872, 466, 21, 55, 123, 83, 140, 57, 0, 462, 1000],  // after start
    [536, 297, 305, 255, 401, 66, 51, 243, 504, 177, 0],  // after paragraph
    [328, 184, 481, 86, 147, 66, 19, 1, 0, 125, 0],  // after heading
    [269, 713, 2, 11, 17, 0, 57, 212, 145, 0, 0],  // after bulletList
    [662, 471, 45, 0, 463, 21, 0, 267, 0, 67, 0],  // after orderedList
    [626, 477, 102, 321, 43, 0, 547, 267, 0, 214, 0],  // after code
    [410, 292, 68, 0, 0, 23, 250, 367, 0, 0, 0],  // after table
    [930, 61, 0, 0, 0, 0, 0, 500, 0, 0, 0],  // after quote
    [320, 934, 0, 4, 0, 0, 0, 0, 0, 0, 0],  // after thematicBreak
    [622, 112, 44, 0, 0, 0, 0, 43, 309, 0, 0],  // after math
    [244, 562, 0, 500, 0, 0, 59, 0, 0, 586, 0],  // after html
    [1000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],  // after component
  ]
  /// Of 1,000 answers, those written mostly in Chinese, Japanese or Korean characters.
  static let cjkDocuments = 193
  /// Of 1,000 answers, those with a list in a list.
  static let nestingDocuments = 133
  /// Of 1,000 list items in answers with a list in a list, those that hold one.
  static let nestingItems = 149
  /// Of 1,000 headings, those of each depth.
  static let headingDepths = [63, 292, 564, 81, 0, 0]
  // Occurrences in 100,000 bytes of paragraphs and headings.
  static let strongRate = 163
  static let emphasisRate = 10
  static let codeRate = 65
  static let linkRate = 24
  static let mathRate = 26
  static let emojiRate = 9
  /// Bytes of an answer.
  static let document = Deciles([170, 539, 895, 1227, 1490, 1822, 2199, 2618, 3202, 4867, 22018])
  /// Top-level blocks of an answer without a heading.
  static let plainBlocks = Deciles([1, 1, 3, 3, 3, 4, 5, 7, 9, 12, 27])
  /// Top-level blocks of an answer with headings.
  static let headedBlocks = Deciles([4, 7, 9, 12, 15, 21, 31, 44, 55, 71, 109])
  /// Bytes of a top-level paragraph.
  static let paragraph = Deciles([8, 25, 51, 84, 120, 160, 208, 266, 336, 460, 1368])
  /// Bytes of a heading.
  static let heading = Deciles([6, 12, 18, 22, 26, 30, 34, 40, 48, 60, 152])
  /// Items of a list.
  static let items = Deciles([1, 1, 2, 2, 2, 3, 3, 4, 4, 6, 14])
  /// Bytes of a list item's first line.
  static let item = Deciles([8, 25, 40, 57, 76, 95, 116, 141, 174, 232, 429])
  /// Lines of a fenced code block.
  static let codeLines = Deciles([1, 1, 1, 3, 6, 10, 14, 21, 31, 44, 119])
  /// Bytes of a line of code.
  static let codeLine = Deciles([0, 0, 6, 14, 20, 26, 32, 40, 51, 69, 132])
  /// Rows of a table, its header included.
  static let rows = Deciles([3, 4, 4, 5, 6, 7, 8, 9, 11, 12, 27])
  /// Columns of a table.
  static let columns = Deciles([2, 2, 3, 4, 4, 4, 5, 5, 6, 8, 14])
  /// Bytes of a table cell.
  static let cell = Deciles([0, 2, 3, 5, 7, 10, 13, 18, 26, 45, 112])
  /// Bytes of a math block.
  static let math = Deciles([10, 19, 27, 33, 40, 48, 58, 73, 93, 116, 193])
}
