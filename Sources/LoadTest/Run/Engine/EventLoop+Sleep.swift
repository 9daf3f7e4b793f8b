import HTTPServer

extension EventLoop {
  /// Waits until a point of time. Called, and resumed, on the loop.
  func sleep(until time: LoopInstant) async {
    await withCheckedContinuation { continuation in
      let timer = LoopTimer(on: self) { _ in
        continuation.resume()
        return .never
      }
      timer.set(time)
    }
  }
}
