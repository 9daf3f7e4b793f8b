/// First in, first out, in an array that moves up now and then.
@usableFromInline
package struct Fifo<Element> {
  @usableFromInline var elements: [Element] = []
  @usableFromInline var first = 0

  @inlinable package init() {}

  @inlinable package var isEmpty: Bool { first == elements.count }
  @inlinable package var count: Int { elements.count - first }

  @inlinable
  package mutating func append(_ element: Element) { elements.append(element) }

  @inlinable
  package mutating func append(contentsOf others: [Element]) { elements.append(contentsOf: others) }

  /// - Complexity: O(1) over many calls.
  @inlinable
  package mutating func removeFirst() -> Element {
    let element = elements[first]
    first += 1
    if first == elements.count {
      elements.removeAll(keepingCapacity: true)
      first = 0
    } else if first >= 64, first * 2 >= elements.count {
      elements.removeFirst(first)
      first = 0
    }
    return element
  }
}
