import Foundation
import HTTPServer

/// What the measured process takes between two points of time.
final class UsageMeter: @unchecked Sendable {
  // Safe: the variables are touched only with `lock` held.

  private let process: ServerProcess
  private let loops: [EventLoop]
  private let lock = NSLock()
  private var first: ProcessUsage?
  private var last: ProcessUsage?
  private var firstOfTest = 0.0
  private var lastOfTest = 0.0
  private var isOver = false

  /// A meter of a process. Where it is this one, the time that `loops` take is not the server's.
  init(of process: ServerProcess, without loops: [EventLoop]) {
    self.process = process
    self.loops = loops
  }

  func begin() {
    lock.lock()
    defer { lock.unlock() }
    first = reading
    firstOfTest = testReading
  }

  /// Ends what is measured; a second call does nothing.
  func end() {
    lock.lock()
    defer { lock.unlock() }
    guard !isOver else { return }
    isOver = true
    last = reading
    lastOfTest = testReading
  }

  /// What was taken; `nil` where nothing can be told.
  var result: ProcessUsage? {
    lock.lock()
    defer { lock.unlock() }
    guard let first, let last else { return nil }
    return ProcessUsage(
      cpuSeconds: max(0, last.cpuSeconds - first.cpuSeconds), residentBytes: last.residentBytes)
  }

  /// The seconds of processor time that the test's own loops took.
  var testSeconds: Double {
    lock.lock()
    defer { lock.unlock() }
    return max(0, lastOfTest - firstOfTest)
  }

  private var testReading: Double { loops.reduce(0) { $0 + $1.processorTime / .seconds(1) } }

  private var reading: ProcessUsage? {
    switch process {
    case .unknown: return nil
    case .other(let pid): return ProcessUsage.of(pid: pid)
    case .own:
      var usage = ProcessUsage.own
      usage?.cpuSeconds -= testReading
      return usage
    }
  }
}

extension ProcessUsage {
  init(cpuSeconds: Double, residentBytes: Int) {
    self.cpuSeconds = cpuSeconds
    self.residentBytes = residentBytes
  }
}
