import Foundation

/// What a process has taken of the machine.
package struct ProcessUsage: Equatable, Sendable {
  package var cpuSeconds: Double
  package var residentBytes: Int

  /// The usage of a process up to now, from /proc; `nil` where there is no such process.
  package static func of(pid: Int32) -> ProcessUsage? {
    guard let stat = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
      let statm = try? String(contentsOfFile: "/proc/\(pid)/statm", encoding: .utf8)
    else { return nil }
    var usage = ProcessUsage(
      stat: stat, statm: statm, ticksPerSecond: sysconf(Int32(_SC_CLK_TCK)),
      pageBytes: sysconf(Int32(_SC_PAGESIZE)))
    // To the nanosecond; stat has what the kernel's ticks met.
    var clock = clockid_t()
    var time = timespec()
    if unsafe clock_getcpuclockid(pid, &clock) == 0, unsafe clock_gettime(clock, &time) == 0 {
      usage?.cpuSeconds = Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
    return usage
  }

  /// The usage of this process up to now.
  package static var own: ProcessUsage? { of(pid: getpid()) }

  /// Reads the two files as proc(5) describes them.
  init?(stat: String, statm: String, ticksPerSecond: Int, pageBytes: Int) {
    // The second field is a name in parentheses, which may hold anything.
    guard let end = stat.lastIndex(of: ")") else { return nil }
    let fields = stat[stat.index(after: end)...].split(separator: " ")
    let pages = statm.split(separator: " ")
    // utime and stime are the 14th and 15th of all fields, resident the second of statm.
    guard fields.count > 12, let user = Int(fields[11]), let system = Int(fields[12]), pages.count > 1,
      let resident = Int(pages[1])
    else { return nil }
    cpuSeconds = Double(user + system) / Double(ticksPerSecond)
    residentBytes = resident * pageBytes
  }
}
