import Markup

/// The numbers of footnotes, in the order of their first references.
struct FootnoteNumbers {
  /// The definitions' rows, by number less one.
  private(set) var rows: [Int] = []
  /// How often each was referred to.
  private(set) var references: [Int] = []
  private var numbers: [Int: Int] = [:]

  /// The number of the definition at `row`, and which reference to it this is, both from 1.
  mutating func refer(to row: Int) -> (number: Int, reference: Int) {
    let number = numbers[row] ?? rows.count
    if number == rows.count {
      numbers[row] = number
      rows.append(row)
      references.append(0)
    }
    references[number] += 1
    return (number + 1, references[number])
  }
}

extension HTMLWriter {
  mutating func writeFootnoteReference(_ label: Range<Int>, _ table: borrowing BlockTable) {
    guard let definition = references.footnote(labelled: table.text[label]) else { return }
    let (number, reference) = footnotes.refer(to: definition.row)
    let suffix = reference > 1 ? Array("\(reference)".utf8) : []
    writeFootnoteReference(
      table.strings, table.footnote(of: definition).label, number: number, suffix: suffix)
  }

  /// Writes a reference to the note that is labelled by a range of `source`.
  ///
  /// - Parameter suffix: what tells its ID from those of other references to the note; empty for none.
  mutating func writeFootnoteReference(
    _ source: [UInt8], _ label: Range<Int>, number: Int, suffix: [UInt8]
  ) {
    write("<sup class=\"footnote-ref\"><a href=\"#fn-")
    writeURL(source, label, isImage: false)
    write("\" id=\"fnref-")
    writeURL(source, label, isImage: false)
    if !suffix.isEmpty {
      write("-")
      writeEscaped(suffix, suffix.indices)
    }
    write("\" data-footnote-ref>")
    bytes.appendDecimal(number)
    write("</a></sup>")
  }

  /// The definitions that are referred to, in the order of their numbers. Their own text may refer to others.
  mutating func writeFootnotes(_ table: borrowing BlockTable) {
    var number = 0
    while number < footnotes.rows.count {
      if number == 0 {
        startLine()
        write("<section class=\"footnotes\" data-footnotes>\n<ol>\n")
      }
      let row = footnotes.rows[number]
      let name = table.footnote(of: BlockIndex(row)).label
      write("<li id=\"fn-")
      writeURL(table.strings, name, isImage: false)
      write("\">\n")
      writeRows(row + 1..<endOfSubtree(row, table), under: row, table)
      writeBackReferences(number, name, table)
      write("</li>\n")
      number += 1
    }
    if number > 0 { write("</ol>\n</section>\n") }
  }

  /// The links back, in the last paragraph if the note ends with one.
  private mutating func writeBackReferences(
    _ number: Int, _ name: Range<Int>, _ table: borrowing BlockTable
  ) {
    let end = Array("</p>\n".utf8)
    let isInParagraph = bytes.suffix(end.count).elementsEqual(end)
    if isInParagraph {
      bytes.removeLast(end.count)
      write(" ")
    }
    for reference in 1...max(1, footnotes.references[number]) {
      if reference > 1 { write(" ") }
      write("<a href=\"#fnref-")
      writeURL(table.strings, name, isImage: false)
      if reference > 1 {
        write("-")
        bytes.appendDecimal(reference)
      }
      write("\" class=\"footnote-backref\" data-footnote-backref data-footnote-backref-idx=\"")
      writeBackReferenceNumber(number, reference)
      write("\" aria-label=\"Back to reference ")
      writeBackReferenceNumber(number, reference)
      write("\">\u{21A9}")
      if reference > 1 {
        write("<sup class=\"footnote-ref\">")
        bytes.appendDecimal(reference)
        write("</sup>")
      }
      write("</a>")
    }
    if isInParagraph { write("</p>\n") } else { write("\n") }
  }

  private mutating func writeBackReferenceNumber(_ number: Int, _ reference: Int) {
    bytes.appendDecimal(number + 1)
    if reference > 1 {
      write("-")
      bytes.appendDecimal(reference)
    }
  }
}
