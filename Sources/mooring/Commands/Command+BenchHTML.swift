import Bench
import Foundation

extension Command {
  /// `mooring bench html`.
  static let benchHTML = Command(
    words: ["bench", "html"], summary: "Measures whole documents: blocks, and blocks with HTML",
    operand: "[FILE…]", takesManyOperands: true,
    notes: """
      Prints for each file its bytes and the best nanoseconds of parsing its blocks, and of blocks, inline content \
      and HTML together; without files, for the documents of mooring bench, 1 MiB each. scripts/bench runs it beside \
      other libraries.
      """,
    options: [.dialect, .rounds]
  ) { arguments in
    let dialect = try arguments.dialect()
    let rounds = try arguments.number("--rounds", in: 1...1000) ?? 7
    var documents = try arguments.operands.map { ($0, try Input.bytes(of: [$0])) }
    if documents.isEmpty { documents = BenchDocument.all.map { ($0.name, $0.bytes(1 << 20)) } }
    for (name, source) in documents {
      var best: [BenchLayer: Duration] = [:]
      for _ in 0..<rounds {
        for layer in [BenchLayer.blocks, .html] {
          let pass = BenchPass.run(source, chunk: max(1, source.count), layer: layer, dialect: dialect)
          best[layer] = min(best[layer] ?? pass.time, pass.time)
        }
      }
      let times = [BenchLayer.blocks, .html].map { Int((best[$0] ?? .zero) / .nanoseconds(1)) }
      Output.print("\(name) \(source.count) \(times[0]) \(times[1])\n")
    }
  }

  /// `mooring bench documents`.
  static let benchDocuments = Command(
    words: ["bench", "documents"],
    summary: "Writes the documents of mooring bench as files, for other programs",
    operand: "DIRECTORY", options: [Option("--bytes", "N", "The size of each; 1048576 by default")]
  ) { arguments in
    guard let directory = arguments.operands.first else {
      throw CommandError.usage("bench documents needs a directory", help: "bench documents")
    }
    let size = try arguments.number("--bytes", in: 1...(1 << 30)) ?? 1 << 20
    for document in BenchDocument.all {
      let file = URL(fileURLWithPath: directory).appendingPathComponent("\(document.name).md")
      do {
        try Data(document.bytes(size)).write(to: file)
      } catch {
        throw CommandError.file(path: file.path, reason: error.localizedDescription)
      }
    }
  }
}
