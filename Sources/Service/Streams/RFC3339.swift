import StreamStore

/// Moments as text (RFC 3339), in the calendar of the standard.
enum RFC3339 {
  /// The moment that a `date-time` names; fractions of a millisecond are dropped, and a leap second is the one after
  /// it. `nil` for anything else.
  static func moment(_ text: some StringProtocol) -> Timestamp? {
    let bytes = Array(text.utf8)
    guard bytes.count >= 20, bytes[4] == dash, bytes[7] == dash, [0x54, 0x74, 0x20].contains(bytes[10]),
      bytes[13] == colon, bytes[16] == colon, let year = number(bytes[0..<4]),
      let month = number(bytes[5..<7]),
      let day = number(bytes[8..<10]), let hour = number(bytes[11..<13]), let minute = number(bytes[14..<16]),
      let second = number(bytes[17..<19]), (1...12).contains(month),
      (1...length(ofMonth: month, year)).contains(day), hour < 24, minute < 60, second <= 60
    else { return nil }
    var rest = bytes[19...]
    var milliseconds = 0
    if rest.first == UInt8(ascii: ".") {
      let digits = rest.dropFirst().prefix { $0 >= 0x30 && $0 <= 0x39 }
      guard !digits.isEmpty else { return nil }
      for place in 0..<3 {
        let digit = place < digits.count ? Int(digits[digits.startIndex + place] - 0x30) : 0
        milliseconds = milliseconds * 10 + digit
      }
      rest = rest[digits.endIndex...]
    }
    guard let offset = minutesOfOffset(rest) else { return nil }
    let minutes = (days(year, month, day) * 24 + hour) * 60 + minute - offset
    return Timestamp(milliseconds: (minutes * 60 + second) * 1000 + milliseconds)
  }

  /// The text of a moment, in UTC.
  static func text(_ moment: Timestamp) -> String {
    let milliseconds = moment.milliseconds
    let day = Int((Double(milliseconds) / 86_400_000).rounded(.down))
    let ofDay = milliseconds - day * 86_400_000
    let (year, month, dayOfMonth) = date(day)
    let date = "\(padded(year, 4))-\(padded(month, 2))-\(padded(dayOfMonth, 2))"
    let (hour, minute, second) = (ofDay / 3_600_000, ofDay / 60_000 % 60, ofDay / 1000 % 60)
    let fraction = ofDay % 1000 == 0 ? "" : ".\(padded(ofDay % 1000, 3))"
    return "\(date)T\(padded(hour, 2)):\(padded(minute, 2)):\(padded(second, 2))\(fraction)Z"
  }

  private static let dash = UInt8(ascii: "-")
  private static let colon = UInt8(ascii: ":")

  private static func padded(_ number: Int, _ count: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, count - digits.count)) + digits
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    guard digits.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
    return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  private static func minutesOfOffset(_ text: ArraySlice<UInt8>) -> Int? {
    if text.count == 1, text.first == 0x5A || text.first == 0x7A { return 0 }
    guard text.count == 6, let sign = text.first, sign == dash || sign == UInt8(ascii: "+"),
      text[text.startIndex + 3] == colon, let hours = number(text.dropFirst().prefix(2)),
      let minutes = number(text.suffix(2)), hours < 24, minutes < 60
    else { return nil }
    return (hours * 60 + minutes) * (sign == dash ? -1 : 1)
  }

  private static func isLeap(_ year: Int) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  private static func length(ofMonth month: Int, _ year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Days since 1970 of a date; years begin in March here, so that the leap day is the last.
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let year = month > 2 ? year : year - 1
    let ofYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + ofYear - 719_468
  }

  private static func date(_ days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let ofEra = shifted - era * 146_097
    let yearOfEra = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365
    let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * ofYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, ofYear - (153 * shiftedMonth + 2) / 5 + 1)
  }
}
