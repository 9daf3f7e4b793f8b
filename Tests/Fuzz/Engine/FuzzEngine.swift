import Checker
import FuzzSupport
import Markup

/// The engine: every promise that the checker asserts of one document.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  guard let input = unsafe FuzzInput(data, size) else { return 0 }
  var options = CheckOptions(seed: UInt64(input.seed))
  options.splits = [.lines, .random(seed: UInt64(input.seed))]
  options.prefixes = .sampled
  options.sampledPrefixes = 8
  options.everyPairBytes = 16
  options.shrinks = false
  // A document over and over takes longer than all the rest.
  if input.seed & 15 != 0 { options.costBytes = 0 }
  let document = CheckRun.Document(name: "input", source: input.bytes, parse: input.parse)
  guard let report = try? CheckRun.report(document, options), !report.isOK else { return 0 }
  options.shrinks = true
  let shrunk = try? CheckRun.report(document, options)
  input.fail((shrunk ?? report).violations.map { "\($0)" }.joined(separator: "\n"))
}

/// Changes documents by their constructs.
@_cdecl("LLVMFuzzerCustomMutator")
public func customMutator(
  _ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ maxSize: Int, _ seed: UInt32
) -> Int {
  unsafe mutateDocument(data, size: size, maxSize: maxSize, seed: seed)
}

/// Writes the seed corpus where that is asked for.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ count: UnsafeMutableRawPointer?, _ arguments: UnsafeMutableRawPointer?) -> CInt {
  SeedCorpus.writeIfAsked(SeedCorpus.documents)
  return 0
}
