/// An array that is filled anew for each leaf. To empty it costs nothing: its elements stay, and are written over, where an
/// array is made to replace them by none.
struct ReusedArray<Element: Sendable>: Sendable {
  /// The first `count` are the array's.
  private var elements: [Element] = []
  private(set) var count = 0

  var indices: Range<Int> { 0..<count }
  var last: Element? { count > 0 ? elements[count - 1] : nil }

  subscript(index: Int) -> Element {
    @inline(__always) get {
      assert(index < count)
      return elements[index]
    }
    @inline(__always) _modify {
      assert(index < count)
      yield &elements[index]
    }
  }

  @inline(__always)
  mutating func append(_ element: Element) {
    if count < elements.count { elements[count] = element } else { elements.append(element) }
    count &+= 1
  }

  mutating func removeLast() { removeSubrange((count - 1)...) }

  mutating func removeSubrange(_ end: PartialRangeFrom<Int>) {
    precondition(indices.contains(end.lowerBound) || end.lowerBound == count)
    count = end.lowerBound
  }

  mutating func empty() { count = 0 }
}
