import CLinux
import Foundation
import Synchronization

/// Process signals as something to await: `SIGTERM` and `SIGINT` by default, which then end nothing by themselves.
///
/// A handler writes the number to a pipe, which a thread reads: unlike with `signalfd`, it does not matter
/// which threads of the process block the signal.
package final class TerminationSignals: Sendable {
  private let numbers: AsyncStream<Int32>

  /// Takes over the signals for the rest of the process's life. One object at a time.
  package init(_ signals: [Int32] = [SIGTERM, SIGINT]) throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    try SystemCall.value(.pipe) { unsafe Int(pipe2(&ends, O_CLOEXEC)) }
    let (stream, continuation) = AsyncStream.makeStream(
      of: Int32.self, bufferingPolicy: .bufferingNewest(16))
    numbers = stream
    signalPipe.store(ends[1], ordering: .sequentiallyConsistent)
    let readEnd = ends[0]
    Thread.detachNewThread {
      var number: UInt8 = 0
      while case .value(1)? = try? SystemCall.perform(.read, { unsafe read(readEnd, &number, 1) }) {
        continuation.yield(Int32(number))
      }
      continuation.finish()
    }
    for signal in signals {
      var action = sigaction()
      unsafe action.__sigaction_handler.sa_handler = { number in
        // Only what a signal handler may do: one atomic load and one write.
        let saved = errno
        var byte = UInt8(truncatingIfNeeded: number)
        _ = unsafe write(signalPipe.load(ordering: .relaxed), &byte, 1)
        errno = saved
      }
      action.sa_flags = SA_RESTART
      try SystemCall.value(.sigaction) { unsafe Int(sigaction(signal, &action, nil)) }
    }
  }

  /// Waits for the next signal and gives its number. One task at a time; `nil` where the task is cancelled.
  package func next() async -> Int32? {
    var iterator = numbers.makeAsyncIterator()
    return await iterator.next()
  }
}

/// Where the handler writes to. Initialised before a handler is installed.
private let signalPipe = Atomic<Int32>(-1)
