import BlockDiff
import Configuration

extension Settings.HTML {
  /// The policy that the settings are.
  var options: HTMLOptions {
    let raw: HTMLOptions.RawHTML =
      switch raw {
      case .escaped: .escaped
      case .omitted: .omitted
      case .verbatim: .verbatim
      }
    let urls: HTMLOptions.URLs =
      switch urls {
      case .any: .any
      case .safe: .safe
      case .schemes(let schemes): .schemes(Set(schemes))
      }
    return HTMLOptions(rawHTML: raw, urls: urls)
  }
}
