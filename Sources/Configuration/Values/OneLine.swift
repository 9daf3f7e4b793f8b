/// `text` with control characters and line ends escaped as Swift writes them, so that it stays on its line and a
/// terminal shows it as it is.
func oneLine(_ text: String) -> String {
  text.unicodeScalars.map { scalar in
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029: scalar.escaped(asASCII: true)
    default: String(scalar)
    }
  }.joined()
}
