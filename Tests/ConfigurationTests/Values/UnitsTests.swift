import Testing

@testable import Configuration

@Suite struct UnitsTests {
  @Test(arguments: [
    ("0B", 0), ("1B", 1), ("256B", 256), ("64KiB", 65_536), ("8MiB", 8_388_608), ("1GiB", 1 << 30),
    ("2TiB", 1 << 41), ("1024KiB", 1 << 20), ("007B", 7),
  ])
  func readsSizes(_ text: String, _ bytes: Int) { #expect(ByteCountText.value(text) == bytes) }

  @Test(arguments: [
    "", "8", "MiB", "8 MiB", " 8MiB", "8MiB ", "8mib", "8MB", "8M", "-8MiB", "+8MiB", "1.5MiB", "0x8B",
    "8_0B",
    "８MiB", "9223372036854775808B", "9000000TiB", "8MiBB", "1KiB1B",
  ])
  func refusesOtherSizes(_ text: String) { #expect(ByteCountText.value(text) == nil) }

  @Test(arguments: [
    ("0ms", 0), ("250ms", 250), ("30s", 30_000), ("5m", 300_000), ("24h", 86_400_000), ("60s", 60_000),
  ])
  func readsDurations(_ text: String, _ milliseconds: Int) {
    #expect(DurationText.value(text) == .milliseconds(milliseconds))
  }

  @Test(arguments: [
    "", "30", "s", "30 s", "30S", "30sec", "1m30s", "-1s", "+1s", "0.5s", "1e3ms", "٣s", "1d", "1us",
    "9223372036854775807h", "99999999999999999999s",
  ])
  func refusesOtherDurations(_ text: String) { #expect(DurationText.value(text) == nil) }

  @Test(arguments: [0, 1, 1023, 1024, 1025, 8 << 20, (8 << 20) + 1024, 1 << 40, Int.max])
  func writesSizesThatReadBack(_ bytes: Int) {
    #expect(ByteCountText.value(ByteCountText.text(bytes)) == bytes)
  }

  @Test(arguments: [0, 1, 999, 1000, 1500, 60_000, 75_000, 3_600_000, 86_400_000])
  func writesDurationsThatReadBack(_ milliseconds: Int) {
    let duration = Duration.milliseconds(milliseconds)
    #expect(DurationText.value(DurationText.text(duration)) == duration)
  }

  @Test func writesTheLargestUnitThatIsExact() {
    #expect(ByteCountText.text(8 << 20) == "8MiB")
    #expect(ByteCountText.text(1536) == "1536B")
    #expect(DurationText.text(.seconds(75)) == "75s")
    #expect(DurationText.text(.zero) == "0ms")
    #expect(DurationText.text(.seconds(86_400)) == "24h")
  }
}
