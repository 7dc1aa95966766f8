import Net
import Synchronization

/// Runs `body` on an event loop of its own, and ends the loop afterwards.
public func onLoop<Value: Sendable>(
  _ body: @escaping @Sendable (EventLoop) async throws -> Value
) async throws -> Value {
  let loop = try EventLoop(name: "test")
  loop.start()
  let result = await Task(executorPreference: loop) { try await body(loop) }.result
  // What `body` let go is closed by tasks behind it on the loop.
  await Task(executorPreference: loop) { await Task.yield() }.value
  loop.stop()
  return try result.get()
}

/// Waits until `condition` holds, looking again every few milliseconds; false when it does not within ten seconds.
public func eventually(_ condition: @Sendable () -> Bool) async -> Bool {
  for _ in 0..<2_000 {
    if condition() { return true }
    try? await Task.sleep(nanoseconds: 5_000_000)
  }
  return condition()
}
