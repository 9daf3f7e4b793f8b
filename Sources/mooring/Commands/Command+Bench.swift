import Bench
import Foundation

extension Command {
  /// `mooring bench`.
  static let bench = Command(
    words: ["bench"], summary: "Measures the engine on documents of every kind, by size and chunk",
    operand: "[NAME…]", takesManyOperands: true,
    notes: """
      Prints a row for each document, size and chunk: nanoseconds an append and megabytes a second of parsing alone \
      (blocks), with the diff of each append (diffs), with each diff as JSON (json), with runs of inline content in that \
      (runs) or their HTML (live-html), and of parsing with the HTML of the finished document (html); what 99 of 100 \
      appends with their diffs take at most; what the last tenth of the appends took over the first, of the first layer; \
      and the bytes of memory that the parsed document takes for a byte of source. Each is the best of up to fifty passes, the \
      tenths their median. Documents:

      \(described(BenchDocument.all))

      And by name only, or all of them as hostile, paragraphs of what does not close:

      \(described(BenchDocument.hostile))
      """,
    options: [
      Option("--sizes", "LIST", "Bytes of each document; 16K,256K,1M,16M by default"),
      Option("--chunks", "LIST", "Bytes of each append; 1,8,20,200,whole by default"),
      Option(
        "--layers", "LIST",
        "Some of \(BenchLayer.allCases.map(\.rawValue).joined(separator: ",")); all by default"),
      .rounds,
      Option("--json", "Print a JSON object a row instead of the table"),
    ]
  ) { arguments in
    let documents = try documents(named: arguments.operands)
    let sizes = try arguments.sizes("--sizes") ?? [16 << 10, 256 << 10, 1 << 20, 16 << 20]
    let chunks = try arguments.sizes("--chunks") ?? [1, 8, 20, 200, .max]
    let layers = try arguments.layers()
    let rounds = try arguments.number("--rounds", in: 1...1000)
    let isJSON = arguments.isSet("--json")
    if !isJSON { Output.print(LadderRow.heads(layers)) }
    for document in documents {
      for size in sizes {
        let source = document.bytes(size)
        for chunk in chunks {
          let row = LadderRow(
            document: document.name, bytes: size, chunk: chunk,
            layers: layers.map {
              ($0, BenchFigures(source, chunk: min(chunk, size), layer: $0, rounds: rounds))
            })
          Output.print(isJSON ? try row.json() : row.text)
        }
      }
    }
  }

  private static func described(_ documents: [BenchDocument]) -> String {
    documents.map { "  " + $0.name.padding(toLength: 15, withPad: " ", startingAt: 0) + $0.summary }
      .joined(separator: "\n")
  }

  /// The documents of these names, in their own order; all but the hostile ones for no names.
  private static func documents(named names: [String]) throws -> [BenchDocument] {
    if names.isEmpty { return BenchDocument.all }
    let group = "hostile"
    let all = BenchDocument.all + BenchDocument.hostile
    let names = names.flatMap { $0 == group ? BenchDocument.hostile.map(\.name) : [$0] }
    for name in names where !all.contains(where: { $0.name == name }) {
      let known = (all.map(\.name) + [group]).joined(separator: ", ")
      throw CommandError.usage("there is no document \"\(name)\"; there are \(known)", help: "bench")
    }
    return all.filter { names.contains($0.name) }
  }
}

extension Command.Option {
  static let rounds = Command.Option("--rounds", "N", "How often each is measured")
}

extension Arguments {
  /// The layers that `--layers` names.
  fileprivate func layers() throws -> [BenchLayer] {
    guard let list = self["--layers"] else { return BenchLayer.allCases }
    return try list.split(separator: ",").map { name in
      guard let layer = BenchLayer(rawValue: String(name)) else {
        let known = BenchLayer.allCases.map(\.rawValue).joined(separator: ", ")
        throw refused("--layers", list, accepted: "a list of \(known)")
      }
      return layer
    }
  }

  /// Byte counts: numbers, also with K or M for 1,024 and 1,048,576, or `whole`, which is `Int.max`.
  fileprivate func sizes(_ option: String) throws -> [Int]? {
    guard let list = self[option] else { return nil }
    return try list.split(separator: ",").map { word in
      if word == "whole" && option == "--chunks" { return .max }
      let scale = word.hasSuffix("K") ? 1 << 10 : word.hasSuffix("M") ? 1 << 20 : 1
      guard let number = Int(scale == 1 ? word : word.dropLast()), (1...(1 << 30)).contains(number),
        number * scale <= 1 << 30
      else {
        throw refused(
          option, list,
          accepted: "a list of numbers up to 1024M, as 20,16K,1M"
            + (option == "--chunks" ? " or whole" : ""))
      }
      return number * scale
    }
  }
}

/// A row of the ladder: one document, size and chunk.
private struct LadderRow {
  let document: String
  let bytes: Int
  /// `Int.max` for the whole document in one append.
  let chunk: Int
  let layers: [(layer: BenchLayer, figures: BenchFigures)]

  private var appends: Int { chunk == .max ? 1 : (bytes + chunk - 1) / chunk }

  private func nanoseconds(_ figures: BenchFigures) -> Double {
    figures.time / .nanoseconds(1) / Double(appends)
  }

  private func megabytes(_ figures: BenchFigures) -> Double {
    Double(bytes) / (figures.time / .microseconds(1))
  }

  private var slowAppend: Double? {
    layers.compactMap(\.figures.slowAppend).first.map { $0 / .nanoseconds(1) }
  }

  private var memory: Double { Double(layers.first?.figures.footprint ?? 0) / Double(bytes) }

  /// The lines above the table.
  static func heads(_ layers: [BenchLayer]) -> String {
    let names = layers.map { cell($0.rawValue + " ns", 14) + cell("MB/s", 7) }
    return label("document", "bytes", "chunk") + names.joined() + cell("p99 ns", 8) + cell("last/1st", 10)
      + cell("memory", 8) + "\n"
  }

  var text: String {
    let cells = layers.map {
      Self.cell(Self.number(nanoseconds($0.figures), 0), 14)
        + Self.cell(Self.number(megabytes($0.figures), 0), 7)
    }
    let ratio = layers.first?.figures.lastOverFirst.map { Self.number($0, 2) } ?? "-"
    let slow = slowAppend.map { Self.number($0, 0) } ?? "-"
    return Self.label(document, "\(bytes)", chunk == .max ? "whole" : "\(chunk)") + cells.joined()
      + Self.cell(slow, 8) + Self.cell(ratio, 10) + Self.cell(Self.number(memory, 2), 8) + "\n"
  }

  /// The row as a JSON object and a line feed.
  func json() throws -> String {
    var object: [String: Any] = [
      "document": document, "bytes": bytes, "appends": appends, "memoryPerByte": Self.rounded(memory),
    ]
    object["chunk"] = chunk == .max ? bytes : chunk
    object["lastOverFirst"] = layers.first?.figures.lastOverFirst.map(Self.rounded)
    object["p99NanosecondsPerAppend"] = slowAppend.map(Self.rounded)
    for (layer, figures) in layers {
      object[layer.rawValue] = [
        "nanosecondsPerAppend": Self.rounded(nanoseconds(figures)),
        "megabytesPerSecond": Self.rounded(megabytes(figures)),
      ]
    }
    let data = try JSONSerialization.data(withJSONObject: object, options: [.sortedKeys])
    return String(decoding: data, as: UTF8.self) + "\n"
  }

  private static func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }

  private static func label(_ name: String, _ bytes: String, _ chunk: String) -> String {
    name.padding(toLength: 14, withPad: " ", startingAt: 0) + cell(bytes, 9) + cell(chunk, 7)
  }

  private static func cell(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }

  private static func number(_ value: Double, _ digits: Int) -> String {
    String(format: "%.\(digits)f", value)
  }
}
