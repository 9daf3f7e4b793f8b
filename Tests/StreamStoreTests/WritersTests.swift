import Testing

@testable import StreamStore

struct WritersTests {
  private func stamp(_ epoch: Int, _ sequence: Int, id: String = "p") -> ProducerStamp {
    ProducerStamp(id: Array(id.utf8), epoch: epoch, sequence: sequence)
  }

  private func writers(_ accepted: [ProducerStamp]) throws -> Writers {
    var writers = Writers()
    for stamp in accepted {
      #expect(try writers.verdict(on: stamp) == .append)
      writers.record(SourceEntry(bytes: [1], closes: false, producer: stamp, sequence: nil))
    }
    return writers
  }

  @Test func acceptsConsecutiveNumbersAndEpochsThatRise() throws {
    _ = try writers([stamp(0, 0), stamp(0, 1), stamp(3, 0), stamp(3, 1), stamp(4, 0)])
  }

  @Test func recognisesWhatCameBefore() throws {
    let writers = try writers([stamp(0, 0), stamp(0, 1), stamp(0, 2)])
    for sequence in 0...2 { #expect(try writers.verdict(on: stamp(0, sequence)) == .duplicate(last: 2)) }
  }

  @Test func refusesGapsStaleEpochsAndEpochsThatDoNotBeginWith0() throws {
    let writers = try writers([stamp(1, 0), stamp(1, 1)])
    #expect(throws: StreamError.sequenceGap(expected: 2, received: 3)) {
      try writers.verdict(on: stamp(1, 3))
    }
    #expect(throws: StreamError.staleEpoch(current: 1)) { try writers.verdict(on: stamp(0, 0)) }
    #expect(throws: StreamError.epochStart(received: 1)) { try writers.verdict(on: stamp(2, 1)) }
    #expect(throws: StreamError.sequenceGap(expected: 0, received: 1)) {
      try writers.verdict(on: stamp(0, 1, id: "other"))
    }
  }

  @Test func comparesStreamSequencesAsBytes() throws {
    var writers = Writers()
    for (sequence, isAccepted) in [("10", true), ("9", true), ("9", false), ("10", false), ("91", true)] {
      let bytes = Array(sequence.utf8)
      if isAccepted {
        try writers.check(sequence: bytes)
        writers.record(SourceEntry(bytes: [1], closes: false, producer: nil, sequence: bytes))
      } else {
        #expect(throws: StreamError.self) { try writers.check(sequence: bytes) }
      }
    }
  }
}
