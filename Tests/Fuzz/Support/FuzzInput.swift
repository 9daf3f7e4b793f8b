package import Checker
import Foundation

/// What libFuzzer hands over: a header of two bytes, which choose options and splits, and the bytes to read.
package struct FuzzInput {
  package static let headerBytes = 2

  package var flags: UInt8
  package var seed: UInt8
  package var bytes: [UInt8]

  /// The input in libFuzzer's buffer; `nil` where it is shorter than the header.
  package init?(_ data: UnsafePointer<UInt8>?, _ size: Int) {
    guard let data = unsafe data, size >= Self.headerBytes else { return nil }
    // libFuzzer owns `size` bytes at `data` for the length of the call.
    let all = unsafe Array(UnsafeBufferPointer(start: data, count: size))
    flags = all[0]
    seed = all[1]
    bytes = Array(all[Self.headerBytes...])
  }

  /// How a document is parsed, by the flags.
  package var parse: ParseOptions { ParseOptions(flags: flags) }

  /// Reports what was found and traps, so that libFuzzer keeps the input.
  package func fail(_ what: String) -> Never {
    let report = "\(what)\n  [\(parse)] source: \(SourceLiteral.quoted(bytes))\n"
    FileHandle.standardError.write(Data(report.utf8))
    fatalError("the fuzzer found something")
  }
}
