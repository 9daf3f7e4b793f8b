// Feeds each document of `mooring bench` once in each layer, and prints document, layer, bytes and appends of each
// pass, in order: BenchPasses [BYTES [CHUNK]]
import Bench

/// What scripts/count-instructions counts, by its name.
@inline(never)
func countedPass(_ source: [UInt8], _ chunk: Int, _ layer: BenchLayer) {
  _ = BenchPass.run(source, chunk: chunk, layer: layer)
}

let numbers = CommandLine.arguments.dropFirst().map { Int($0) ?? 0 }
let bytes = numbers.first ?? 65_536
let chunk = numbers.dropFirst().first ?? 20
guard numbers.count <= 2, bytes > 0, chunk > 0 else { fatalError("usage: BenchPasses [BYTES [CHUNK]]") }
for document in BenchDocument.all {
  let source = document.bytes(bytes)
  for layer in BenchLayer.allCases {
    print(document.name, layer.rawValue, bytes, (bytes + chunk - 1) / chunk)
    countedPass(source, chunk, layer)
  }
}
