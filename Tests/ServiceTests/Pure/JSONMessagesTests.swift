import BlockDiff
import Foundation
import Testing

@testable import Service

struct JSONMessagesTests {
  private func lines(_ text: String) -> String? {
    JSONMessages.lines(of: Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test(
    arguments: [
      ("1", "1\n"), (" {} ", "{}\n"), ("[]", ""), ("[ ]", ""), ("[1,2]", "1\n2\n"),
      ("[[1,2],[]]", "[1,2]\n[]\n"), ("[[[1]]]", "[[1]]\n"), ("null", "null\n"),
      ("[true, false,null]", "true\nfalse\nnull\n"),
      (#"{ "a" : [ 1 , { "b" : -0.5e+10 } ] ,"c":"" }"#, "{\"a\":[1,{\"b\":-0.5e+10}],\"c\":\"\"}\n"),
      (#""a\n\"\u00e9 é b""#, #""a\n\"\u00e9 é b""# + "\n"), (#"{"a":1,"a":2}"#, #"{"a":1,"a":2}"# + "\n"),
      ("[\r\n\t1\n,\n{\n}\n]\n", "1\n{}\n"),
    ])
  func makesALineOfEachMessage(text: String, expected: String) {
    #expect(lines(text) == expected)
  }

  @Test(
    arguments: [
      "", " ", "[", "]", "[1", "[1,]", "[,1]", "[1 2]", "{", "{}}", "{a:1}", "{\"a\"}", "{\"a\":}",
      "{\"a\":1,}",
      "{\"a\":1 \"b\":2}", "{1:2}", "01", "-", "1.", ".5", "1e", "+1", "1 2", "tru", "trueish", "nul", "\"",
      "\"\n\"",
      "\"\\x\"", "\"\\u12g4\"", "\"\\u12\"", "'a'", "[1}", "{\"a\":1]", "NaN", "\u{FEFF}1", "[[1}]", "[1]]",
      "[] 1",
    ])
  func refusesWhatIsNoJSON(text: String) {
    #expect(lines(text) == nil)
  }

  @Test func refusesWhatIsNoUTF8() {
    #expect(JSONMessages.lines(of: [0x22, 0xC3, 0x22]) == nil)
    #expect(JSONMessages.lines(of: [0x22, 0xED, 0xA0, 0x80, 0x22]) == nil)
  }

  @Test func boundsTheDepth() {
    // The outermost array is taken away, and is no level of a message.
    let deep = { String(repeating: "[", count: $0) + String(repeating: "]", count: $0) }
    #expect(lines(deep(JSONMessages.maxDepth + 1)) == deep(JSONMessages.maxDepth) + "\n")
    #expect(lines(deep(JSONMessages.maxDepth + 2)) == nil)
    #expect(lines(String(repeating: "[", count: 1 << 20)) == nil)
  }

  @Test func givesBackTheArrayThatItTook() {
    for text in ["[]", "[1]", #"[{"a":"\n,"},[2,3],"x"]"#] {
      let array = JSONMessages.array(ofLines: JSONMessages.lines(of: Array(text.utf8)) ?? [])
      #expect(String(decoding: array, as: UTF8.self) == text)
    }
  }

  /// Bytes changed at random are JSON for Foundation exactly where they are here.
  @Test func agreesWithFoundationOnDamagedTexts() throws {
    var generator = SystemRandomNumberGenerator()
    let text = Array(#"{"a":[1,-2.5e3,{"b":null}],"c":"\u0041\n","d":[true,false,[]]}"#.utf8)
    let bytes = Array("{}[],:\"\\ue0-.+1tn \n".utf8)
    for _ in 0..<20_000 {
      var damaged = text
      for _ in 0..<Int.random(in: 0...3, using: &generator) {
        let place = Int.random(in: 0..<damaged.count, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: damaged[place] = bytes.randomElement(using: &generator) ?? 0
        case 1: damaged.remove(at: place)
        default: damaged.insert(bytes.randomElement(using: &generator) ?? 0, at: place)
        }
      }
      let text = String(decoding: damaged, as: UTF8.self)
      // Foundation takes a comma before the end of an array or object.
      if text.contains(/,[ \n]*[\]}]/) { continue }
      // It refuses numbers that no double holds, which are JSON.
      if text.contains(/e[+\-]?[0-9]{3}/) { continue }
      let expected =
        (try? JSONSerialization.jsonObject(with: Data(damaged), options: .fragmentsAllowed)) != nil
      let found = JSONMessages.lines(of: damaged) != nil
      #expect(found == expected, "\(text)")
    }
  }
}
