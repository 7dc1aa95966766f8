import Glibc

/// A program that a test runs beside itself.
public final class ChildProcess {
  private let identifier: pid_t
  private let log: String

  /// Starts a program found on the path, in `folder`; what it prints goes to a file there.
  public init(_ arguments: [String], in folder: TemporaryFolder) throws {
    log = "\(folder.path)/output.log"
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    var identifier = pid_t()
    var words: [UnsafeMutablePointer<CChar>?] = (["env", "-C", folder.path] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    guard posix_spawnp(&identifier, "env", &actions, nil, &words, environ) == 0 else {
      throw ScriptFault(call: "posix_spawnp")
    }
    self.identifier = identifier
  }

  /// What it has printed so far.
  public var output: String {
    guard let file = fopen(log, "r") else { return "" }
    defer { fclose(file) }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    return String(decoding: buffer[..<fread(&buffer, 1, buffer.count, file)], as: UTF8.self)
  }

  /// Waits, ten seconds at most, until it has printed a whole line that begins with `start`; that line.
  public func line(startingWith start: String) -> String? {
    for _ in 0..<2_000 {
      let lines = output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      if let line = lines.first(where: { $0.hasPrefix(start) }) { return String(line) }
      usleep(5_000)
    }
    return nil
  }

  /// Waits for the program's own end; its exit status.
  public func wait() -> Int32 {
    var status: Int32 = 0
    while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
    return status
  }

  /// Halts the program; returns when it stands still.
  public func pause() {
    kill(identifier, SIGSTOP)
    var status: Int32 = 0
    while waitpid(identifier, &status, WUNTRACED) < 0, errno == EINTR {}
  }

  /// Lets a halted program go on.
  public func resume() { kill(identifier, SIGCONT) }

  /// Ends the program.
  public func stop() {
    kill(identifier, SIGKILL)
    _ = wait()
  }
}
