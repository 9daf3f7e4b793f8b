import CLinux

/// How the system's allocator keeps memory in this process.
///
/// By default it gives back to the system what is free at the heap's end, from 128 KiB on, and takes it again for the
/// next document or stream, whose pages the kernel then finds and clears once more, each at its first touch. That was a
/// fifth of what an append to a long table costs.
package enum Allocator {
  /// From this size on, memory is a mapping of its own, which grows by being mapped elsewhere (`GrowingBytes`) and is
  /// given back when it is freed. What is smaller is in the heap, where growing may mean to be copied: for less than a
  /// millisecond.
  private static let mappedSize: Int32 = 1 << 20
  /// The free memory at the heap's end that is kept.
  private static let keptSize: Int32 = 32 << 20

  /// Sets both; where the system's library does not know them, nothing changes. Once, before there are threads.
  package static func configure() {
    _ = mallopt(M_MMAP_THRESHOLD, mappedSize)
    _ = mallopt(M_TRIM_THRESHOLD, keptSize)
  }
}
