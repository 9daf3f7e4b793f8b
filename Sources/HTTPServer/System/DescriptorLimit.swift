import Foundation

/// How many descriptors the process may have open: one a connection, and some.
package enum DescriptorLimit {
  /// Raises the soft limit to the hard one, which is what the system's owner allows; returns the limit in force, or
  /// `nil` if it cannot be told. For the process's edge: the limit is the whole process's.
  package static func raise() -> Int? {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
    if limit.rlim_cur < limit.rlim_max {
      var raised = limit
      raised.rlim_cur = raised.rlim_max
      if unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &raised) == 0 { limit = raised }
    }
    return Int(clamping: limit.rlim_cur)
  }
}
