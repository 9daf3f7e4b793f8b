import BlockDiff
import Foundation
import Markup

/// Verifies readers on threads of its own, behind all others, so that a run in progress keeps its cores.
final class Verifier: @unchecked Sendable {
  // Safe: every `var` is touched only with `condition` locked.

  /// A stream whose readers have come to their end.
  struct Job: Sendable {
    var path: String
    /// The finished stream's snapshot, as it was answered.
    var snapshot: [UInt8]
    /// The position that it must stand at.
    var position: Int
    var readers: [ReaderRecord]

    fileprivate var bytes: Int { readers.reduce(snapshot.count) { $0 + ($1.recording?.bytes.count ?? 0) } }
  }

  /// What came of it.
  struct Outcome: Sendable {
    var verified = 0
    var wrong = 0
    /// The first faults, each with its stream.
    var faults: [String] = []
  }

  /// Faults that are kept as text.
  private static let maxFaults = 10
  /// The lowest of Linux's niceties above normal.
  private static let nice: Int32 = 19

  private let condition = NSCondition()
  private var jobs: [Job] = []
  private var waitingBytes = 0
  private var running = 0
  private var isClosed = false
  private var outcome = Outcome()
  private let maxWaitingBytes: Int

  /// A verifier that holds at most so many bytes that wait; what comes beyond is not verified.
  init(threads: Int, maxWaitingBytes: Int) {
    self.maxWaitingBytes = maxWaitingBytes
    running = threads
    for _ in 0..<threads { Thread.detachNewThread { [self] in run() } }
  }

  /// Has a stream's readers verified.
  func add(_ job: Job) {
    condition.lock()
    defer { condition.unlock() }
    guard waitingBytes + job.bytes <= maxWaitingBytes else { return }
    waitingBytes += job.bytes
    jobs.append(job)
    condition.signal()
  }

  /// Counts readers as wrong whose stream has no snapshot.
  func fail(_ path: String, readers: Int, _ reason: String) {
    condition.lock()
    defer { condition.unlock() }
    outcome.wrong += readers
    note("\(path): \(reason)")
  }

  /// Ends the threads when all that was added is verified. Waits for them: not for a cooperative thread.
  func finish() -> Outcome {
    condition.lock()
    defer { condition.unlock() }
    isClosed = true
    condition.broadcast()
    while running > 0 { condition.wait() }
    return outcome
  }

  private func run() {
    // On Linux this is the calling thread's priority alone.
    _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, Self.nice)
    while let job = next() { verify(job) }
    condition.lock()
    running -= 1
    condition.broadcast()
    condition.unlock()
  }

  private func next() -> Job? {
    condition.lock()
    defer { condition.unlock() }
    while jobs.isEmpty, !isClosed { condition.wait() }
    guard let job = jobs.popLast() else { return nil }
    waitingBytes -= job.bytes
    return job
  }

  private func verify(_ job: Job) {
    let faults = Self.faults(in: job)
    condition.lock()
    defer { condition.unlock() }
    for fault in faults {
      guard let fault else {
        outcome.verified += 1
        continue
      }
      outcome.wrong += 1
      note("\(job.path): \(fault)")
    }
  }

  private func note(_ fault: String) {
    if outcome.faults.count < Self.maxFaults { outcome.faults.append(fault) }
  }

  /// What is wrong with each of a stream's recorded readers.
  static func faults(in job: Job) -> [String?] {
    let recordings = job.readers.compactMap { reader in reader.recording.map { (reader.kind, $0) } }
    let snapshot: BlockDocument
    do throws(BlockDocumentError) {
      snapshot = try BlockDocument(snapshot: job.snapshot)
    } catch {
      return recordings.map { _ in "the snapshot: \(error)" }
    }
    guard snapshot.isFinished, snapshot.at.position.value == job.position else {
      return recordings.map { _ in "the snapshot stands at \(snapshot.at), and not at \(job.position)" }
    }
    return recordings.map { kind, recording in
      ReaderVerification.fault(in: recording, against: snapshot).map { "a \(kind) reader: \($0)" }
    }
  }
}
