package import Foundation
import Synchronization

/// Another program, with a pipe at each of its three standard descriptors, which is killed when its time is over.
///
/// Not Foundation's `Process`: its `run()` lists `/proc/self/fd` and copies 256 bytes of each entry's name, however long
/// the entry is. The listing of some 1,300 descriptors fills its buffer of 32 KiB, and the copy of the last entries
/// reads beyond that, where now and then no memory is. A test process that serves a thousand clients has as many.
/// Nothing has to be closed here: every descriptor that the tests or the server open is closed in a child by `O_CLOEXEC`.
package final class ChildProcess: Sendable {
  /// Why there is none.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String

    init(_ what: String, _ number: Int32) {
      description = "\(what): \(unsafe String(cString: strerror(number)))"
    }
  }

  package enum Ending: Equatable, Sendable {
    case exited(status: Int32)
    case killed(signal: Int32)

    /// What it returned; `nil` if a signal ended it.
    package var status: Int32? { if case .exited(let status) = self { status } else { nil } }
  }

  package let identifier: pid_t
  /// The end of its standard input that is written to.
  package let input: FileHandle
  /// The end of its standard output that is read.
  package let output: FileHandle
  /// The end of its standard error that is read.
  package let error: FileHandle
  /// How it ended, once somebody waited for it: its identifier means nothing from then on.
  private let ending = Mutex<Ending?>(nil)

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - environment: All that it finds there; `nil` is what this process has.
  ///   - seconds: After how many it is killed.
  package init(
    _ executable: URL, _ arguments: [String], environment: [String: String]? = nil,
    killedAfter seconds: Int = 600
  ) throws {
    let variables = environment ?? ProcessInfo.processInfo.environment
    let (pid, ends) = try Self.starting.withLock { _ in
      try Self.start(executable.path, arguments, variables.map { "\($0.key)=\($0.value)" })
    }
    identifier = pid
    (input, output, error) = (
      FileHandle(fileDescriptor: ends[0], closeOnDealloc: true),
      FileHandle(fileDescriptor: ends[1], closeOnDealloc: true),
      FileHandle(fileDescriptor: ends[2], closeOnDealloc: true)
    )
    DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(seconds)) { [weak self] in
      self?.signal(SIGKILL)
    }
  }

  /// Held while one is started: `pipe` and `fcntl` are two calls, and no other child may get what is between them.
  private static let starting = Mutex<Void>(())

  /// Starts a program; returns its identifier and this process's ends of the pipes.
  private static func start(
    _ path: String, _ arguments: [String], _ variables: [String]
  ) throws -> (pid_t, ends: [Int32]) {
    let (inner, outer) = try pipes()
    defer { for descriptor in inner { close(descriptor) } }

    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    for (standard, descriptor) in inner.enumerated() {
      unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(standard))
    }
    var pid: pid_t = 0
    let failure = unsafe withPointers(to: [path] + arguments) { arguments in
      unsafe withPointers(to: variables) { variables in
        unsafe posix_spawn(&pid, path, &actions, nil, arguments, variables)
      }
    }
    guard failure == 0 else {
      for descriptor in outer { close(descriptor) }
      throw Failure(path, failure)
    }
    return (pid, outer)
  }

  /// The child's ends of three pipes, then this process's.
  private static func pipes() throws -> (inner: [Int32], outer: [Int32]) {
    var (inner, outer): ([Int32], [Int32]) = ([], [])
    for isInput in [true, false, false] {
      var ends: [Int32] = [0, 0]
      guard unsafe pipe(&ends) == 0 else {
        for descriptor in inner + outer { close(descriptor) }
        throw Failure("no pipe", errno)
      }
      for descriptor in ends { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
      inner.append(ends[isInput ? 0 : 1])
      outer.append(ends[isInput ? 1 : 0])
    }
    return (inner, outer)
  }

  private static func withPointers<Result>(
    to strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let pointers = unsafe strings.map { unsafe strdup($0) }
    defer { unsafe pointers.forEach { unsafe free($0) } }
    return unsafe body(pointers + [nil])
  }

  /// Sends a signal to it, unless it has ended and was waited for.
  package func signal(_ number: Int32) {
    ending.withLock { if $0 == nil { kill(identifier, number) } }
  }

  package var isRunning: Bool { poll() == nil }

  /// How it ended; `nil` while it runs.
  private func poll() -> Ending? {
    ending.withLock {
      if let known = $0 { return known }
      var status: Int32 = 0
      guard unsafe waitpid(identifier, &status, WNOHANG) == identifier else { return nil }
      let signal = status & 0x7F
      $0 = signal == 0 ? .exited(status: (status >> 8) & 0xFF) : .killed(signal: signal)
      return $0
    }
  }

  /// Waits for its end, which its time bounds.
  @discardableResult
  package func wait() -> Ending {
    while true {
      if let ending = poll() { return ending }
      usleep(1000)
    }
  }
}
