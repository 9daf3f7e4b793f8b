import BlockDiff
import Checker
import Foundation
import HTTPServer
import StreamStore

/// One thread of a load test in process: some of the chats, with their readers, as tasks on its loop.
///
/// The streams' own work is done on this thread too, as a server's would be, so that what is measured is the store
/// without HTTP and sockets. A chat waits for its append before the next, and each counts from its scheduled time.
final class EngineWorker: @unchecked Sendable {
  // Safe: all but the constants is touched only on the loop's thread.

  let loop: EventLoop
  let options: LoadOptions
  let store: StreamStore
  private let prefix: String
  private let start: LoopInstant
  private let verifier: Verifier?
  private let board: ProgressBoard
  private let place: Int
  private var measured: Measurements
  private var scheduled = 0
  private var isStopping = false

  init(
    _ place: Int, loop: EventLoop, options: LoadOptions, store: StreamStore, prefix: String,
    start: LoopInstant, verifier: Verifier?, board: ProgressBoard
  ) {
    self.place = place
    self.loop = loop
    self.options = options
    self.store = store
    self.prefix = prefix
    self.start = start
    self.verifier = verifier
    self.board = board
    measured = Measurements(length: options.length)
  }

  /// Sends no more. On the loop.
  func stop() { isStopping = true }

  private var now: Int64 { LoopInstant.now.nanoseconds - start.nanoseconds }

  /// Runs the chats to their end.
  func run(_ slots: [Int]) async -> Measurements {
    await withTaskGroup(of: Void.self) { group in
      for slot in slots {
        group.addTask(executorPreference: loop) { [self] in await chat(slot) }
      }
      group.addTask(executorPreference: loop) { [self] in
        while !isStopping, now < options.length {
          tell()
          await loop.sleep(until: LoopInstant.now.advanced(by: .milliseconds(100)))
        }
      }
      await group.waitForAll()
      return measured
    }
  }

  private func tell() {
    board.tell(
      ProgressBoard.Entry(
        scheduled: scheduled, answered: measured.appends.latency.total, errors: measured.appends.errors,
        deliveries: measured.deliveries.count, latency: measured.appends.latency),
      at: place)
  }

  // MARK: - Chats

  private func chat(_ slot: Int) async {
    var schedule = SlotSchedule(
      rate: options.rate, seed: options.seed &* 0x9E37_79B9 &+ UInt64(slot))
    var documents = 0
    await withTaskGroup(of: Void.self) { settling in
      while !isStopping, now < options.length {
        let document = ChatDocument(documents, of: slot, options: options, prefix: prefix)
        guard let path = StreamPath(document.path) else { return }
        let kinds = (0..<options.readers).map {
          ReaderKind.dealt((documents * options.streams + slot) * options.readers + $0)
        }
        documents += 1
        let appends = await send(document, to: path, kinds, &schedule, &settling)
        tell()
        if appends == nil { return }
      }
    }
  }

  /// Sends a document; readers begin with its first chunk, late ones in its middle. `nil` where nothing was sent.
  private func send(
    _ document: ChatDocument, to path: StreamPath, _ kinds: [ReaderKind], _ schedule: inout SlotSchedule,
    _ settling: inout TaskGroup<Void>
  ) async -> [DeliveryAccount.Append]? {
    var appends: [DeliveryAccount.Append] = []
    var readers: [EngineReader] = []
    for index in document.ends.indices {
      let time = schedule.next()
      guard !isStopping, time < options.length else { break }
      await wait(until: time)
      scheduled += 1
      measured.lateness.record(now - time)
      let chunk = document.chunk(index)
      do throws(StreamError) {
        let appended = try await store.append(
          AppendRequest(bytes: Array(chunk), closes: index == document.ends.count - 1), to: path)
        measured.appends.record(scheduled: time, end: now)
        measured.textBytes += chunk.count
        measured.wireBytes += appended.diff.count
        appends.append(
          DeliveryAccount.Append(
            scheduled: time, end: document.position(after: index),
            isShown: !appended.diff.suffix(Self.noOps.count).elementsEqual(Self.noOps)))
      } catch {
        measured.countFailure(document.path, "\(error)")
        break
      }
      if index == 0 || index == document.ends.count / 2, let stream = store.find(path) {
        for (place, kind) in kinds.enumerated() where (kind == .late) == (index > 0) {
          let reader = EngineReader(
            kind, of: stream, start: start, records: verifier != nil,
            seed: options.seed &+ UInt64(document.bytes.count * 31 + place))
          readers.append(reader)
          settling.addTask(executorPreference: loop) { [loop] in await reader.run(on: loop) }
        }
      }
    }
    guard let last = appends.last else { return nil }
    if appends.count < document.ends.count {
      _ = try? await store.append(AppendRequest(bytes: [], closes: true), to: path)
    }
    let length = document.ends[appends.count - 1]
    precondition(last.end == length || last.end == length + 1)
    settling.addTask(executorPreference: loop) { [self, appends, readers] in
      await settle(path, appends, readers, position: length + 1)
    }
    return appends
  }

  /// Waits in steps of a second at most, so that a slow chat can be stopped.
  private func wait(until time: Int64) async {
    while time > now, !isStopping {
      await loop.sleep(until: start.advanced(byNanoseconds: min(time, now + 1_000_000_000)))
    }
  }

  private static let noOps = Array("\"ops\":[]}".utf8)

  private func settle(
    _ path: StreamPath, _ appends: [DeliveryAccount.Append], _ readers: [EngineReader], position: Int
  ) async {
    for reader in readers {
      await reader.waitForEnd(on: loop)
      measured.count(reader.record, of: appends)
      measured.wireBytes += reader.bytes
    }
    if let verifier, let stream = store.find(path), let snapshot = try? await stream.snapshot(shape: .flat) {
      verifier.add(
        Verifier.Job(
          path: path.description, snapshot: snapshot.json, position: position, readers: readers.map(\.record))
      )
    }
    _ = try? await store.remove(path)
  }
}
