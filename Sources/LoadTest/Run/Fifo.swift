/// First in, first out, in an array that moves up now and then.
struct Fifo<Element> {
  private var elements: [Element] = []
  private var first = 0

  var isEmpty: Bool { first == elements.count }
  var count: Int { elements.count - first }

  mutating func append(_ element: Element) { elements.append(element) }

  /// - Complexity: O(1) over many calls.
  mutating func removeFirst() -> Element {
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
