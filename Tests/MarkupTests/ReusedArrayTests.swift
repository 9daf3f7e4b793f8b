import Testing

@testable import Markup

@Suite struct ReusedArrayTests {
  @Test func holdsOnlyWhatWasAppendedSinceItWasEmptied() {
    var array = ReusedArray<Int>()
    for element in 0..<4 { array.append(element) }
    array.removeLast()
    #expect(array.count == 3 && array.last == 2)
    array.empty()
    #expect(array.indices.isEmpty && array.last == nil)
    array.append(7)
    #expect(array.indices.map { array[$0] } == [7])
    for element in 8..<13 { array.append(element) }
    array[1] += 100
    array.removeSubrange(4...)
    #expect(array.indices.map { array[$0] } == [7, 108, 9, 10])
  }
}
