import Glibc

/// Bytes that are added at their end, in memory that grows where it is.
///
/// An array that is full is copied into another one: every byte is moved, and every page of the new memory is touched
/// for the first time, which costs more than the copy. Here the system's `realloc` is asked: it lengthens memory at the
/// heap's end as it is, and maps the pages of large memory anew without looking at them. So what a byte costs does not
/// depend on how many there are.
///
/// A value: copies share the memory until one of them changes.
///
/// - Invariant: `storage` owns `capacity` bytes at `base`, of which the first `count` have been written; without a
///   storage all three are 0.
@safe
@usableFromInline
package struct GrowingBytes: @unchecked Sendable {
  // Sendable: memory is written, moved and freed only where one value alone refers to its storage.
  @usableFromInline var storage: Storage?
  @usableFromInline var base: UnsafeMutablePointer<UInt8>?
  /// How many bytes there is memory for.
  @usableFromInline package private(set) var capacity = 0
  /// How many there are.
  @usableFromInline package internal(set) var count = 0

  package init() {}

  /// A copy of bytes, in memory of just their size.
  package init(_ bytes: borrowing Span<UInt8>) {
    reserve(bytes.count)
    append(bytes)
  }

  /// What frees the memory, once nobody refers to it.
  @usableFromInline
  @safe
  final class Storage {
    /// Where the memory is; it changes only where `GrowingBytes.base` does.
    fileprivate var base: UnsafeMutablePointer<UInt8>

    fileprivate init(_ base: UnsafeMutablePointer<UInt8>) { unsafe self.base = base }

    deinit { unsafe free(base) }
  }

  // MARK: - Reading

  /// All bytes.
  @inlinable
  package var span: Span<UInt8> {
    @inline(__always) @_lifetime(borrow self)
    get {
      let bytes = unsafe Span(_unsafeStart: UnsafePointer(base ?? Self.nowhere), count: count)
      return unsafe _overrideLifetime(bytes, borrowing: self)
    }
  }

  /// Where no bytes are.
  @usableFromInline static var nowhere: UnsafeMutablePointer<UInt8> {
    unsafe UnsafeMutablePointer(bitPattern: 1)!
  }

  /// The byte at a place below `count`.
  @inlinable
  package subscript(place: Int) -> UInt8 {
    @inline(__always) get { span[place] }
  }

  /// Some of the bytes.
  ///
  /// - Complexity: O(bytes), one move.
  package subscript(range: some RangeExpression<Int>) -> [UInt8] {
    unsafe span.extracting(range).withUnsafeBufferPointer { bytes in unsafe Array(bytes) }
  }

  // MARK: - Changing

  /// Appends bytes.
  @inlinable @inline(__always)
  package mutating func append(_ bytes: borrowing Span<UInt8>) {
    if bytes.isEmpty { return }
    makeRoom(bytes.count)
    put(bytes)
  }

  /// Appends a byte, if there is one, and bytes after it: one look at the memory for both.
  @inlinable @inline(__always)
  package mutating func append(_ bytes: borrowing Span<UInt8>, after first: UInt8?) {
    makeRoom(bytes.count &+ 1)
    if let first {
      unsafe base.unsafelyUnwrapped[count] = first
      count &+= 1
    }
    put(bytes)
  }

  /// Writes bytes into the room that there is for them.
  @inlinable @inline(__always)
  mutating func put(_ bytes: borrowing Span<UInt8>) {
    unsafe bytes.withUnsafeBufferPointer { bytes in
      guard let source = bytes.baseAddress else { return }
      unsafe (base.unsafelyUnwrapped + count).update(from: source, count: bytes.count)
    }
    count &+= bytes.count
  }

  /// Appends one byte.
  @inlinable @inline(__always)
  package mutating func append(_ byte: UInt8) {
    makeRoom(1)
    unsafe base.unsafelyUnwrapped[count] = byte
    count &+= 1
  }

  /// Appends what `body` writes, at most `most` bytes.
  @inlinable @inline(__always)
  package mutating func append(addingCapacity most: Int, _ body: (inout OutputSpan<UInt8>) -> Void) {
    precondition(most > 0)
    makeRoom(most)
    let room = unsafe UnsafeMutableBufferPointer(start: base.unsafelyUnwrapped + count, count: most)
    var output = unsafe OutputSpan(buffer: room, initializedCount: 0)
    body(&output)
    count &+= unsafe output.finalize(for: room)
  }

  /// The memory that there is, for writing that does not know beforehand how much it will be: the first `count` bytes are
  /// what is there, the others hold anything. What has been written counts once `setCount` says so.
  ///
  /// - Precondition: `makeRoom` was called after the value was copied last.
  @inlinable
  package var room: MutableSpan<UInt8> {
    @inline(__always) @_lifetime(&self)
    mutating get {
      let span = unsafe MutableSpan(_unsafeStart: base ?? Self.nowhere, count: capacity)
      return unsafe _overrideLifetime(span, mutating: &self)
    }
  }

  /// Says how many bytes there are after writing to `room`.
  @inlinable @inline(__always)
  package mutating func setCount(_ count: Int) {
    precondition(count >= 0 && count <= capacity)
    self.count = count
  }

  /// Appends bytes one by one.
  @inlinable
  package mutating func append(contentsOf bytes: some Sequence<UInt8>) {
    for byte in bytes { append(byte) }
  }

  /// Drops all but the first `count` bytes.
  package mutating func truncate(to count: Int) {
    precondition((0...self.count).contains(count), "there are not so many bytes")
    self.count = count
  }

  // MARK: - Room

  /// The count up to which memory is doubled; it grows by quarters beyond.
  private static let doublingLimit = 128 << 10

  /// Makes the memory its own, with room for `added` more bytes.
  @inlinable @inline(__always)
  package mutating func makeRoom(_ added: Int) {
    if capacity &- count < added || !isKnownUniquelyReferenced(&storage) { grow(by: added) }
  }

  @usableFromInline
  mutating func grow(by added: Int) {
    guard capacity - count < added else { return move(to: capacity) }
    let spare = count < Self.doublingLimit ? max(count, 64) : count / 4
    move(to: count + max(added, spare))
  }

  /// Has room for exactly so many more bytes, or more than that.
  package mutating func reserve(_ added: Int) {
    if capacity - count < added { move(to: count + added) }
  }

  /// Gives back the room for more where it is more than a sixteenth.
  package mutating func trim() {
    if capacity - count > count / 16 + 16 { move(to: count) }
  }

  /// Has memory of its own of just so many bytes, at least `count`.
  private mutating func move(to capacity: Int) {
    if capacity == 0 {
      (storage, self.capacity) = (nil, 0)
      unsafe base = nil
      return
    }
    let isOwn = isKnownUniquelyReferenced(&storage)
    guard let memory = unsafe realloc(isOwn ? base : nil, capacity) else {
      fatalError("no memory for \(capacity) bytes")
    }
    let moved = unsafe memory.assumingMemoryBound(to: UInt8.self)
    if isOwn {
      unsafe storage?.base = moved
    } else {
      if let base = unsafe base { unsafe moved.update(from: base, count: count) }
      storage = unsafe Storage(moved)
    }
    unsafe base = moved
    self.capacity = capacity
    if capacity >= Self.hugeLimit { adviseHugePages() }
  }

  /// The capacity from which on the memory is in huge pages, where the system has some: less than half of it is memory
  /// that is touched with the last one and not used.
  private static let hugeLimit = 4 << 20

  /// Asks for pages of 2 MiB, each of which is got by one fault and not by 512 of them. It is advice: where the system
  /// gives none, nothing changes.
  ///
  /// For the whole of the mapping, which begins just before what the allocator gives: one that is of two kinds cannot
  /// be mapped elsewhere as it grows.
  private func adviseHugePages() {
    guard let base = unsafe base else { return }
    let page = 4096
    let begin = Int(bitPattern: base) & ~(page - 1)
    let end = (Int(bitPattern: base) + capacity + page - 1) & ~(page - 1)
    _ = unsafe madvise(UnsafeMutableRawPointer(bitPattern: begin), end - begin, MADV_HUGEPAGE)
  }
}

extension GrowingBytes: Equatable {
  @usableFromInline
  package static func == (a: GrowingBytes, b: GrowingBytes) -> Bool {
    a.count == b.count && a.starts(with: b)
  }

  /// Whether the first bytes are these.
  package func starts(with prefix: GrowingBytes) -> Bool {
    guard count >= prefix.count, let base = unsafe base, let other = unsafe prefix.base else {
      return prefix.count == 0
    }
    return unsafe memcmp(base, other, prefix.count) == 0
  }
}
