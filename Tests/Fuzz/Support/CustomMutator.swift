import CFuzzer

/// The body of `LLVMFuzzerCustomMutator` for inputs that hold a document.
///
/// - Returns: the new size, at most `maxSize`.
package func mutateDocument(
  _ data: UnsafeMutablePointer<UInt8>, size: Int, maxSize: Int, seed: UInt32
) -> Int {
  var mutator = MarkdownMutator(seed: UInt64(seed))
  // libFuzzer owns `maxSize` bytes at `data` for the length of the call, of which `size` are the input.
  let buffer = unsafe UnsafeMutableBufferPointer(start: data, count: maxSize)
  guard size >= FuzzInput.headerBytes, maxSize > FuzzInput.headerBytes, !mutator.leavesItToBytes() else {
    return unsafe LLVMFuzzerMutate(data, size, maxSize)
  }
  let source = unsafe Array(buffer[FuzzInput.headerBytes..<size])
  let result = mutator.mutated(source, limit: maxSize - FuzzInput.headerBytes)
  for (place, byte) in result.enumerated() { unsafe buffer[FuzzInput.headerBytes + place] = byte }
  return FuzzInput.headerBytes + result.count
}
