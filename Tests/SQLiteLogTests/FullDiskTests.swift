import BlockDiff
import Foundation
import Markup
import StreamStore
import Testing

@testable import SQLiteLog

/// What happens when there is no room.
struct FullDiskTests {
  private func path(_ number: Int) -> StreamPath { StreamPath("s\(number)")! }

  private func options(maxPages: Int) -> SQLiteSourceLogEngine.Options {
    var options = SQLiteSourceLogEngine.Options()
    options.maxPages = maxPages
    return options
  }

  @Test func appendsAreRefusedWholeAndTakenAgainWhenThereIsRoom() async throws {
    let database = try TemporaryDatabase()
    let chunk = [UInt8](repeating: 0x61, count: 10_000)
    var lengths: [Int] = []
    try await database.withStore(options(maxPages: 100)) { store in
      _ = try await store.append(AppendRequest(bytes: chunk), to: path(0))
      _ = try await store.append(AppendRequest(bytes: chunk), to: path(1))
      var refused = 0
      while refused < 5 {
        let before = try await store.stream(at: path(1)).status
        do {
          _ = try await store.append(
            AppendRequest(bytes: chunk, producer: ProducerStamp(id: [1], epoch: 0, sequence: lengths.count)),
            to: path(1))
          lengths.append(chunk.count)
        } catch {
          #expect(error as? StreamError == .storageUnavailable)
          #expect(try await store.stream(at: path(1)).status == before)
          refused += 1
        }
      }
      #expect(lengths.count > 5)
      #expect(!store.isStorageAvailable)
      #expect(store.totalBytes == chunk.count * (lengths.count + 2))
      // A creation that finds no room leaves nothing.
      await #expect(throws: StreamError.storageUnavailable) {
        try await store.append(AppendRequest(bytes: chunk), to: path(2))
      }
      #expect(store.count == 2)
      // Room comes from a stream that goes.
      try await store.remove(path(0))
      #expect(try await database.wait("SELECT count(*) FROM chores", for: 0))
      let appended = try await store.append(
        AppendRequest(bytes: chunk, producer: ProducerStamp(id: [1], epoch: 0, sequence: lengths.count)),
        to: path(1))
      #expect(!appended.isDuplicate)
      #expect(store.isStorageAvailable)
    }
    try await database.withStore { store in
      let status = try await store.stream(at: path(1)).status
      #expect(status.tail.position == ByteOffset(chunk.count * (lengths.count + 2)))
      let source = try await store.stream(at: path(1)).source(upTo: status.tail.position)
      #expect(source.bytes.allSatisfy { $0 == 0x61 })
    }
  }

  @Test func aLargeEntryDoesNotTakeSmallOnesWithIt() async throws {
    let database = try TemporaryDatabase()
    try await database.withStore(options(maxPages: 60)) { store in
      await withTaskGroup(of: Void.self) { tasks in
        for number in 0..<20 {
          tasks.addTask {
            let result = try? await store.append(AppendRequest(bytes: [0x61]), to: self.path(number))
            #expect(result != nil)
          }
        }
        tasks.addTask {
          let large = AppendRequest(bytes: [UInt8](repeating: 0x61, count: 1 << 20))
          await #expect(throws: StreamError.storageUnavailable) {
            try await store.append(large, to: self.path(100))
          }
        }
      }
      #expect(store.count == 20 && store.totalBytes == 20)
    }
  }
}
