import Testing

@testable import Configuration

@Suite struct IPAddressTests {
  @Test(arguments: [
    ("127.0.0.1", true), ("127.255.0.9", true), ("::1", true), ("0:0:0:0:0:0:0:1", true),
    ("::ffff:127.0.0.1", true), ("::FFFF:7f00:1", true), ("0.0.0.0", false), ("::", false),
    ("10.0.0.1", false),
    ("128.0.0.1", false), ("fe80::1", false), ("::2", false), ("1::1", false), ("::ffff:10.0.0.1", false),
    ("2001:db8:1:2:3:4:5:6", false), ("2001:db8::", false), ("::127.0.0.1", false),
  ])
  func knowsLoopback(_ text: String, _ isLoopback: Bool) throws {
    #expect(try #require(IPAddress(text)).isLoopback == isLoopback)
  }

  @Test(arguments: [
    "", "1", "1.2.3", "1.2.3.4.5", "256.0.0.1", "127.0.0.01", "127.0.0.1 ", "+1.2.3.4", "1.2.3.-4", "a.b.c.d",
    ":", ":::", "1:::2", "::1::", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7::8", "12345::", "::g",
    "[::1]", "fe80::1%eth0", "::1.2.3", "1.2.3.4::", "::+1", "example.com", "localhost",
  ])
  func refusesWhatIsNoAddress(_ text: String) { #expect(IPAddress(text) == nil) }
}
