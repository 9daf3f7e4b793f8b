import ByteStorage
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
  /// Writes the reference that is labelled by this range of the table's text.
  mutating func writeFootnoteReference(_ label: Range<Int>, _ table: borrowing BlockTable) {
    guard let definition = references.footnote(labelled: table.text[label]) else { return }
    let (number, reference) = footnotes.refer(to: definition.row)
    let suffix = reference > 1 ? Array("\(reference)".utf8) : []
    let name = table.footnote(of: definition).label
    output.writeFootnoteReference(table.strings.span.extracting(name), number: number, suffix: suffix)
  }

  /// The definitions that are referred to, in the order of their numbers. Their own text may refer to others.
  mutating func writeFootnotes(_ table: borrowing BlockTable) {
    var number = 0
    while number < footnotes.rows.count {
      if number == 0 {
        output.writeLine("<section class=\"footnotes\" data-footnotes>\n<ol>\n")
      }
      let row = footnotes.rows[number]
      let name = table.footnote(of: BlockIndex(row)).label
      output.write("<li id=\"fn-")
      output.writeURL(table.strings.span, name, isImage: false)
      output.write("\">\n")
      writeRows(row + 1..<endOfSubtree(row, table), under: row, table)
      writeBackReferences(number, name, table)
      output.write("</li>\n")
      number += 1
    }
    if number > 0 { output.write("</ol>\n</section>\n") }
  }

  /// The links back, in the last paragraph if the note ends with one.
  private mutating func writeBackReferences(
    _ number: Int, _ name: Range<Int>, _ table: borrowing BlockTable
  ) {
    let isInParagraph = output.takeBack(Array("</p>\n".utf8))
    if isInParagraph { output.write(" ") }
    for reference in 1...max(1, footnotes.references[number]) {
      if reference > 1 { output.write(" ") }
      output.write("<a href=\"#fnref-")
      output.writeURL(table.strings.span, name, isImage: false)
      if reference > 1 {
        output.write("-")
        output.write(decimal: reference)
      }
      output.write("\" class=\"footnote-backref\" data-footnote-backref data-footnote-backref-idx=\"")
      writeBackReferenceNumber(number, reference)
      output.write("\" aria-label=\"Back to reference ")
      writeBackReferenceNumber(number, reference)
      output.write("\">\u{21A9}")
      if reference > 1 {
        output.write("<sup class=\"footnote-ref\">")
        output.write(decimal: reference)
        output.write("</sup>")
      }
      output.write("</a>")
    }
    if isInParagraph { output.write("</p>\n") } else { output.write("\n") }
  }

  private mutating func writeBackReferenceNumber(_ number: Int, _ reference: Int) {
    output.write(decimal: number + 1)
    if reference > 1 {
      output.write("-")
      output.write(decimal: reference)
    }
  }
}
