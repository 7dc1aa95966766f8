import CLinux
import Glibc
import Net
import Server

/// Serves until a signal says otherwise: SIGTERM and SIGINT drain, a second one ends at once.
struct Running {
  let server: Server
  let loops: [EventLoop]
  let logWriter: LogWriter
  /// Milliseconds for what is under way, asked for when the end begins.
  let grace: @Sendable () -> Int64
  /// What serves beside it: commands, operators.
  var companions: [Server] = []
  /// Called once when it accepts.
  var onStarted: @Sendable () -> Void = {}
  /// Called on SIGHUP, on the main thread.
  var onHangUp: @Sendable () -> Void = {}
  /// Called first when the end begins: readiness turns before the listener closes.
  var onStopping: @Sendable () -> Void = {}
  /// Called last.
  var onStopped: @Sendable () -> Void = {}

  static func makeLoops(_ count: Int) throws(CommandFailure) -> [EventLoop] {
    do throws(NetError) {
      var loops: [EventLoop] = []
      for number in 0..<count { loops.append(try EventLoop(name: "loop-\(number)")) }
      for loop in loops { loop.start() }
      return loops
    } catch {
      throw .failed("the event loops cannot be made: \(error)")
    }
  }

  /// Takes an address, with a socket for each loop.
  /// - Parameter prefix: what stands before `host` and `port` in the flags that set the address.
  static func listen(
    on address: SocketAddress, count: Int, flagPrefix: String = ""
  ) throws(CommandFailure) -> [ListeningSocket] {
    do throws(NetError) {
      return try ListeningSocket.listen(on: address, count: count)
    } catch .addressInUse {
      throw .failed(
        "another program listens on \(address) already; stop it, or choose another port with --\(flagPrefix)port (0: any free one)"
      )
    } catch .unreachable {
      throw .failed(
        "\(address.address) is not an address of this machine; choose one of its own with --\(flagPrefix)host")
    } catch .system(_, EACCES) {
      throw .failed("only root may listen on port \(address.port); choose one above 1023 with --\(flagPrefix)port")
    } catch {
      throw .failed("cannot listen on \(address): \(error)")
    }
  }

  /// Starts to accept, and announces it; comes back never: the process ends here.
  func run(announcing lines: [String]) throws(CommandFailure) -> Never {
    let loop = loops[0]
    let servers = [server] + companions
    let started: Result<Void, NetError> = Waiting.wait(on: loop) {
      do throws(NetError) {
        for server in servers { try await server.start() }
        return .success(())
      } catch {
        return .failure(error)
      }
    }
    if case .failure(let error) = started { throw .failed("cannot begin to accept: \(error)") }
    for line in lines { logWriter.write(line, .info) }
    onStarted()
    waitForEnd(loop)
  }

  private func waitForEnd(_ loop: EventLoop) -> Never {
    var isStopping = false
    while true {
      let signal = clinux_signals_wait()
      guard signal == SIGTERM || signal == SIGINT else {
        if signal == SIGCHLD { ChildProcess.reapEnded(report: logWriter) }
        if signal == SIGHUP { onHangUp() }
        continue
      }
      if isStopping {
        onStopped()
        _exit(128 + signal)
      }
      isStopping = true
      let grace = grace()
      onStopping()
      Task.detached(executorPreference: loop) { [self] in
        await server.beginStopping()
        logWriter.write("stopping; what is under way has \(grace / 1000) s (once more: now)", .info)
        await withDiscardingTaskGroup { group in
          for server in [server] + companions { group.addTask { await server.stop(grace: grace) } }
        }
        onStopped()
        await logWriter.flush()
        exit(0)
      }
    }
  }
}

/// Lets the main thread, which runs no task, wait for one.
enum Waiting {
  private final class Box<Value: Sendable>: @unchecked Sendable {
    // Written by the task before it posts the semaphore, read by the waiting thread after that.
    var value: Value?
    let semaphore: UnsafeMutablePointer<sem_t>

    init() {
      semaphore = .allocate(capacity: 1)
      sem_init(semaphore, 0, 0)
    }

    deinit {
      sem_destroy(semaphore)
      semaphore.deallocate()
    }
  }

  static func wait<Value: Sendable>(on loop: EventLoop, _ body: @escaping @Sendable () async -> Value) -> Value {
    let box = Box<Value>()
    Task.detached(executorPreference: loop) {
      box.value = await body()
      sem_post(box.semaphore)
    }
    while true {
      while sem_wait(box.semaphore) != 0 {}
      if let value = box.value { return value }
    }
  }
}
