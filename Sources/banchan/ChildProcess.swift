import CLinux
import Glibc
import Net
import Server
import Synchronization

/// A child that this process started and will reap.
struct ChildProcess {
  let id: pid_t
  /// Its standard error, to be read by this process.
  let output: Int32

  private static let known = Mutex<[pid_t: String]>([:])

  /// Starts this very program again with other arguments, its standard error in a pipe.
  static func start(_ arguments: [String]) throws(CommandFailure) -> ChildProcess {
    var pipe: [Int32] = [-1, -1]
    let piped = clinux_pipe(&pipe)
    guard piped >= 0 else { throw .failed("there is no pipe for a child process: \(systemMessage(-piped))") }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, pipe[1], 2)
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, 2, 1)

    let words = ["banchan"] + arguments
    var argv: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
    argv.append(nil)
    defer { for word in argv { free(word) } }
    var id: pid_t = 0
    let result = posix_spawn(&id, "/proc/self/exe", &actions, nil, argv, environ)
    close(pipe[1])
    guard result == 0 else {
      close(pipe[0])
      throw .failed("the child process cannot be started: \(systemMessage(result))")
    }
    known.withLock { $0[id] = words.prefix(2).joined(separator: " ") }
    return ChildProcess(id: id, output: pipe[0])
  }

  /// Asks it to end.
  func end() {
    _ = ChildProcess.known.withLock { $0.removeValue(forKey: id) }
    kill(id, SIGTERM)
  }

  /// Takes in children that have ended, and says so of those that were not asked to.
  static func reapEnded(report: LogWriter) {
    while true {
      var status: Int32 = 0
      let id = waitpid(-1, &status, WNOHANG)
      guard id > 0 else { return }
      if let name = known.withLock({ $0.removeValue(forKey: id) }) {
        report.write(
          "the child process `\(name)` has ended unasked; pictures that are not stored yet cannot be fetched until the next start"
        )
      }
    }
  }
}
