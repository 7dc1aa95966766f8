import FoundationEssentials
import Glibc

/// The built `banchan`, running.
///
/// It is started through `setpriv`, so that it dies with the thread that started it, also when the test process
/// crashes; `prlimit` may come in between. What it prints is collected line by line on threads.
final class BanchanProcess: Sendable {
  /// How a process ended.
  enum End: Equatable {
    case exited(Int32)
    case signalled(Int32)
  }

  struct Output {
    var standardOutput: [UInt8] = []
    var standardError: [UInt8] = []
    var openStreams = 2
    var end: End?
  }

  let identifier: pid_t
  private let output = Monitor(Output())

  /// - Parameters:
  ///   - arguments: what follows `banchan` on the command line.
  ///   - directory: where it runs.
  ///   - descriptorLimit: how many descriptors it may have, at most.
  ///   - environment: further variables, as `NAME=VALUE`.
  ///   - program: what is run instead of banchan, if anything.
  init(
    _ arguments: [String], in directory: String, descriptorLimit: Int? = nil, environment: [String] = [],
    program: String? = nil
  ) throws {
    var command = ["setpriv", "--pdeathsig", "KILL", "--", "env", "--chdir=\(directory)"] + environment
    if let descriptorLimit { command += ["prlimit", "--nofile=\(descriptorLimit):\(descriptorLimit)"] }
    command += [try program ?? Self.binary()] + arguments

    let (outputRead, outputWrite) = try Self.pipe()
    let (errorRead, errorWrite) = try Self.pipe()
    defer {
      close(outputWrite)
      close(errorWrite)
    }

    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, outputWrite, 1)
    posix_spawn_file_actions_adddup2(&actions, errorWrite, 2)

    // Whatever the test process blocks or ignores, the server starts as from a shell.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

    let environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("BANCHAN_") }
    var argv: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
    var envp: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { (argv + envp).forEach { free($0) } }
    var identifier = pid_t()
    let result = posix_spawnp(&identifier, "setpriv", &actions, &attributes, &argv, &envp)
    guard result == 0 else {
      close(outputRead)
      close(errorRead)
      throw Failure("Cannot start setpriv: \(String(cString: strerror(result)))")
    }
    self.identifier = identifier
    collect(outputRead, into: \.standardOutput)
    collect(errorRead, into: \.standardError)
    startThread { [output, identifier] in
      // Waits without reaping: until the lock is held, the number must stay the process's own.
      var information = siginfo_t()
      while waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT) < 0 && errno == EINTR {}
      output.with {
        var status: Int32 = 0
        while waitpid(identifier, &status, 0) < 0 && errno == EINTR {}
        let signal = status & 0x7F
        $0.end = signal == 0 ? .exited((status >> 8) & 0xFF) : .signalled(signal)
      }
    }
  }

  // MARK: What it prints

  var standardError: String { output.with { String(decoding: $0.standardError, as: UTF8.self) } }
  var standardOutput: String { output.with { String(decoding: $0.standardOutput, as: UTF8.self) } }
  var lines: [Substring] { standardError.split(separator: "\n") }

  /// Waits for a whole line on standard error that has `text` in it. Fails when the process ends without it.
  func waitForLine(containing text: String) throws -> String {
    let line: String?? = output.wait { output in
      let whole = output.standardError[...].prefix { _ in true }
      for line in whole.split(separator: 0x0A).dropLast(whole.last == 0x0A ? 0 : 1) {
        let line = String(decoding: line, as: UTF8.self)
        if line.contains(text) { return .some(line) }
      }
      return output.end != nil && output.openStreams == 0 ? .some(nil) : nil
    }
    guard case .some(.some(let line)) = line else {
      throw Failure("banchan never said “\(text)”. It said: \(standardError)")
    }
    return line
  }

  // MARK: Ending it

  func send(_ signal: Int32) {
    // Until it is reaped, the number is its own; afterwards it may be anybody's.
    output.with { if $0.end == nil { kill(identifier, signal) } }
  }

  /// Waits for the end, and for the last of what it had to say.
  func waitForEnd() throws -> End {
    guard let end = output.wait(until: { $0.end }) else {
      throw Failure("banchan did not end. It said: \(standardError)")
    }
    return end
  }

  /// Waits until nobody holds its output any more: until its children have ended as well.
  func waitForChildren() throws {
    guard output.wait(until: { $0.openStreams == 0 ? true : nil }) != nil else {
      throw Failure("Somebody still holds the output of a banchan that has ended")
    }
  }

  /// Ends it for certain, children included.
  func endForCertain() {
    send(SIGTERM)
    if output.wait(patience: 15, until: { $0.end }) == nil { send(SIGKILL) }
    _ = output.wait(until: { $0.end })
  }

  /// Runs a command to its end.
  static func run(
    _ arguments: [String], in directory: String, program: String? = nil
  ) throws -> (end: End, output: String, messages: String) {
    let process = try BanchanProcess(arguments, in: directory, program: program)
    defer { process.endForCertain() }
    let end = try process.waitForEnd()
    try process.waitForChildren()
    return (end, process.standardOutput, process.standardError)
  }

  // MARK: Starting it

  /// The binary: beside the test bundle, or what `BANCHAN_BINARY` names.
  static func binary() throws -> String {
    if let named = ProcessInfo.processInfo.environment["BANCHAN_BINARY"] { return named }
    // The bundle is loaded into a helper of the toolchain, or is the executable itself: look beside both.
    var candidates: [String] = []
    if let bundle = CommandLine.arguments.first(where: { $0.hasSuffix(".xctest") }) { candidates.append(bundle) }
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    if readlink("/proc/self/exe", &buffer, Int(PATH_MAX)) > 0 {
      candidates.append(String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }
    for candidate in candidates {
      let folder = candidate.lastIndex(of: "/").map { String(candidate[..<$0]) } ?? "."
      if access("\(folder)/banchan", X_OK) == 0 { return "\(folder)/banchan" }
    }
    throw Failure("No banchan beside \(candidates): build it, or name it in BANCHAN_BINARY")
  }

  /// A pipe of which no process inherits an end that it was not given. (`pipe2` is not to be had from Swift.)
  private static func pipe() throws -> (read: Int32, write: Int32) {
    var ends: [Int32] = [0, 0]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
      throw Failure("No pipe: \(lastError())")
    }
    return (ends[0], ends[1])
  }

  private func collect(_ descriptor: Int32, into stream: WritableKeyPath<Output, [UInt8]> & Sendable) {
    startThread { [output] in
      var buffer = [UInt8](repeating: 0, count: 16_384)
      while true {
        let count = read(descriptor, &buffer, buffer.count)
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { break }
        output.with { $0[keyPath: stream].append(contentsOf: buffer[..<count]) }
      }
      close(descriptor)
      output.with { $0.openStreams -= 1 }
    }
  }
}
