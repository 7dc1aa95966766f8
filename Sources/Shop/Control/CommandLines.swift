import HTTP
import JSON
import Net
import Synchronization

/// The answer to a command that takes its time: a line of JSON for each step, `{"done":3,"total":119}`, and at the end one
/// with what came of it, `{"result":…}`. A reader that is slow gets the newest step; one that leaves ends the work.
final class CommandLines: BodyStream {
  private struct State {
    var newest: StepCount?
    var result: [UInt8]?
    var hasEnded = false
    var waiting: UnsafeContinuation<Void, Never>?
  }

  private final class Board: Sendable {
    let state = Mutex(State())

    func note(_ change: (inout State) -> Void) {
      let waiting = state.withLock { state in
        change(&state)
        defer { state.waiting = nil }
        return state.waiting
      }
      waiting?.resume()
    }
  }

  private let board = Board()
  private let task: Task<Void, Never>

  /// - Parameter work: does it, and returns the result as JSON; runs on `loop`. When the reader leaves it is cancelled.
  init(
    on loop: EventLoop, _ work: @escaping @Sendable (_ note: @escaping @Sendable (StepCount) -> Void) async -> [UInt8]
  ) {
    task = Task.detached(executorPreference: loop) { [board] in
      let result = await work { step in board.note { $0.newest = step } }
      board.note { $0.result = result }
    }
  }

  deinit { task.cancel() }

  /// The next line, once there is one.
  func next() async -> [UInt8]? {
    while true {
      let (line, hasEnded) = board.state.withLock { state in
        if let step = state.newest {
          state.newest = nil
          return (step.json, false)
        }
        guard let result = state.result, !state.hasEnded else { return ([UInt8](), state.hasEnded) }
        state.hasEnded = true
        return (Array("{\"result\":".utf8) + result + Array("}\n".utf8), false)
      }
      if hasEnded { return nil }
      if !line.isEmpty { return line }
      await withUnsafeContinuation { continuation in
        let isWaiting = board.state.withLock { state in
          guard state.newest == nil, state.result == nil || state.hasEnded else { return false }
          state.waiting = continuation
          return true
        }
        if !isWaiting { continuation.resume() }
      }
    }
  }
}

/// How far some work is.
public struct StepCount: Sendable, Equatable {
  /// How many steps are done.
  public let done: Int
  /// How many there are.
  public let total: Int

  var json: [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.member("done", Int64(done))
      json.member("total", Int64(total))
    }
    json.finishFile()
    return json.bytes
  }

  init(done: Int, total: Int) {
    self.done = done
    self.total = total
  }

  init?(_ value: JSONValue) {
    guard let done = value["done"]?.integer, let total = value["total"]?.integer else { return nil }
    self.init(done: Int(clamping: done), total: Int(clamping: total))
  }
}
