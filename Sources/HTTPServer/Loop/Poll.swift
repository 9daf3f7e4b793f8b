import CLinux
import Foundation

/// The kernel's set of descriptors to wait for (epoll(7)), edge-triggered.
@safe
struct Poll: ~Copyable {
  private let descriptor: Int32
  private let events: UnsafeMutableBufferPointer<epoll_event>

  /// A set from which one wait reports at most `capacity` descriptors.
  init(capacity: Int) throws(SystemError) {
    descriptor = Int32(try SystemCall.value(.epollCreate) { Int(epoll_create1(Int32(EPOLL_CLOEXEC))) })
    unsafe events = .allocate(capacity: capacity)
    unsafe events.initialize(repeating: epoll_event())
  }

  deinit {
    SystemCall.close(descriptor)
    unsafe events.deallocate()
  }

  /// Adds a descriptor; its reports carry `token`. Closing it takes it out.
  func add(_ added: Int32, _ readiness: Readiness, token: UInt64) throws(SystemError) {
    var event = unsafe epoll_event(
      events: readiness.rawValue | EPOLLET.rawValue, data: epoll_data_t(u64: token))
    try SystemCall.value(.epollControl) { unsafe Int(epoll_ctl(descriptor, EPOLL_CTL_ADD, added, &event)) }
  }

  /// Waits for so many milliseconds, -1 without end. How many reports there are.
  func wait(milliseconds: Int32) -> Int {
    do {
      let outcome = try SystemCall.perform(.epollWait) {
        unsafe Int(epoll_wait(descriptor, events.baseAddress, Int32(events.count), milliseconds))
      }
      if case .value(let count) = outcome { return count }
      return 0
    } catch {
      fatalError("\(error)")
    }
  }

  /// Waits for so many nanoseconds. How many reports there are.
  func wait(nanoseconds: Int64) -> Int {
    var limit = timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
    do {
      let outcome = try SystemCall.perform(.epollWait) {
        unsafe Int(epoll_pwait2(descriptor, events.baseAddress, Int32(events.count), &limit, nil))
      }
      if case .value(let count) = outcome { return count }
      return 0
    } catch {
      fatalError("\(error)")
    }
  }

  /// A report of the last wait.
  subscript(_ index: Int) -> (token: UInt64, readiness: Readiness) {
    let event = unsafe events[index]
    return unsafe (event.data.u64, Readiness(rawValue: event.events))
  }
}

/// The event mask of epoll_wait(2).
struct Readiness: OptionSet {
  let rawValue: UInt32

  static let readable = Readiness(rawValue: EPOLLIN.rawValue)
  static let writable = Readiness(rawValue: EPOLLOUT.rawValue)
  /// The peer has shut down its sending half.
  static let halfClosed = Readiness(rawValue: EPOLLRDHUP.rawValue)
  /// The whole connection is gone.
  static let hungUp = Readiness(rawValue: EPOLLHUP.rawValue | EPOLLERR.rawValue)
}
