/// Dates as HTTP writes them (RFC 9110 §5.6.7, IMF-fixdate).
package enum HTTPDate {
  private static let days: StaticString = "ThuFriSatSunMonTueWed"
  private static let months: StaticString = "JanFebMarAprMayJunJulAugSepOctNovDec"

  /// The 29 bytes of a date such as `Sun, 06 Nov 1994 08:49:37 GMT`. `seconds` counts from 1970 and is not
  /// negative.
  package static func bytes(seconds: Int) -> [UInt8] {
    precondition(seconds >= 0)
    let day = seconds / 86_400
    let second = seconds % 86_400
    let date = civil(day)
    var result: [UInt8] = []
    result.reserveCapacity(29)
    append(&result, days, day % 7)
    result.append(", ")
    append(&result, twoDigits: date.day)
    result.append(" ")
    append(&result, months, date.month - 1)
    result.append(" ")
    append(&result, twoDigits: date.year / 100)
    append(&result, twoDigits: date.year % 100)
    result.append(" ")
    append(&result, twoDigits: second / 3600)
    result.append(":")
    append(&result, twoDigits: second / 60 % 60)
    result.append(":")
    append(&result, twoDigits: second % 60)
    result.append(" GMT")
    return result
  }

  /// Year, month and day of a count of days from 1970-01-01, by counting in years that begin in March.
  private static func civil(_ day: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = day + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }

  private static func append(_ bytes: inout [UInt8], _ names: StaticString, _ index: Int) {
    for offset in index * 3..<index * 3 + 3 { unsafe bytes.append(names.utf8Start[offset]) }
  }

  private static func append(_ bytes: inout [UInt8], twoDigits number: Int) {
    bytes.append(0x30 + UInt8(number / 10))
    bytes.append(0x30 + UInt8(number % 10))
  }
}
