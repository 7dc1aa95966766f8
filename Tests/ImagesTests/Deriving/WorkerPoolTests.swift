import CLinux
import DeriveWire
import FoundationEssentials
import Glibc
import OriginScripts
import Synchronization
import Testing

@testable import Images

@Suite("The picture workers")
struct WorkerPoolTests {
  /// A pool, and what it says to the operator.
  private struct Scene: Sendable {
    let pool: WorkerPool
    private let lines = Lines()

    init(_ configuration: DerivingConfiguration) {
      pool = WorkerPool(configuration) { [lines] in lines.add($0) }
    }

    var said: [String] { lines.all }
  }

  private final class Lines: Sendable {
    private let lines = Mutex<[String]>([])
    func add(_ line: String) { lines.withLock { $0.append(line) } }
    var all: [String] { lines.withLock { $0 } }
  }

  /// Checks that a worker is there, or takes the place of one that is not.
  private func expectGood(_ pool: WorkerPool) async throws {
    let made = try await pool.derive(Workers.picture()).get()
    #expect(made.bodies.count == 1 && made.bodies[0].starts(with: [0xFF, 0xD8]))
    #expect(made.measure?.width == 8 && made.measure?.height == 8)
  }

  @Test(
    "cost one picture and nothing else, whatever becomes of one",
    arguments: ["crash", "exit", "nonsense", "long", "another's answer", "nothing made"])
  func misfortune(_ order: String) async throws { try await expectLoss(of: order) }

  @Test(
    "cost one picture and nothing else when they try to leave their cage",
    .enabled(if: clinux_cage_is_whole != 0, "a build with a sanitizer has no such cage"),
    arguments: ["memory", "file", "socket", "process", "executable", "signal"])
  func escape(_ order: String) async throws { try await expectLoss(of: order) }

  private func expectLoss(of order: String) async throws {
    let pool = Scene(try Workers.bad()).pool
    try await expectGood(pool)
    guard case .failure(.lost) = await pool.derive(Workers.order(order)) else {
      Issue.record("\(order) did not cost its picture")
      return
    }
    try await expectGood(pool)
    #expect(pool.trouble == nil)
  }

  @Test("are killed when they hang")
  func hanging() async throws {
    var configuration = try Workers.bad()
    configuration.jobMilliseconds = 300
    let pool = Scene(configuration).pool
    #expect(await pool.derive(Workers.order("hang")).failure == .lost("its worker did not answer in time"))
    configuration.jobMilliseconds = 60_000
    try await expectGood(Scene(configuration).pool)
  }

  @Test("are replaced unseen when they are killed while they wait")
  func killedAtRest() async throws {
    // A copy under a name of its own: the workers of other tests live on.
    let folder = try TemporaryFolder()
    let copy = try ChildProcess(["cp", try Workers.path("banchan-derive"), "victim"], in: folder)
    #expect(copy.wait() == 0)
    let pool = Scene(DerivingConfiguration(executable: "\(folder.path)/victim", workers: 1)).pool
    for _ in 0..<3 {
      try await expectGood(pool)
      let victims = Children.named("victim")
      #expect(victims.count == 1)
      for process in victims {
        kill(process, SIGKILL)
        // Killed is not dead yet: until then it would take an order with it.
        while Self.isRunning(process) { usleep(1_000) }
      }
    }
    try await expectGood(pool)
  }

  @Test("are the first to go when memory runs out")
  func volunteer() async throws {
    let folder = try TemporaryFolder()
    let copy = try ChildProcess(["cp", try Workers.path("banchan-derive"), "volunteer"], in: folder)
    #expect(copy.wait() == 0)
    let pool = Scene(DerivingConfiguration(executable: "\(folder.path)/volunteer", workers: 1)).pool
    try await expectGood(pool)
    let worker = try #require(Children.named("volunteer").first)
    let score = FileManager.default.contents(atPath: "/proc/\(worker)/oom_score_adj")
    #expect(score == Data("1000\n".utf8))
  }

  private static func isRunning(_ process: pid_t) -> Bool {
    guard let status = FileManager.default.contents(atPath: "/proc/\(process)/stat") else { return false }
    return !String(decoding: status, as: UTF8.self).contains(") Z ")
  }

  @Test("refuse what is no picture, and go on")
  func refusing() async throws {
    let pool = Scene(try Workers.real()).pool
    #expect(await pool.derive(Workers.order("no picture")).failure == .refused(.truncated))
    try await expectGood(pool)
  }

  @Test("are replaced after so many pictures")
  func replaced() async throws {
    var configuration = try Workers.real()
    configuration.jobsPerWorker = 2
    let pool = Scene(configuration).pool
    for _ in 0..<7 { try await expectGood(pool) }
  }

  @Test("that cannot start are said so once, and tried again only after a while")
  func missing() async throws {
    let scene = Scene(DerivingConfiguration(executable: "/nowhere/banchan-derive", workers: 2))
    for _ in 0..<5 {
      guard case .failure(.unavailable) = await scene.pool.derive(Workers.picture()) else {
        Issue.record("something was derived without a worker")
        return
      }
    }
    #expect(scene.said.count == 1 && scene.said[0].contains("/nowhere/banchan-derive"))
    #expect(scene.pool.trouble != nil)
  }

  @Test("that are another program are not believed")
  func anotherProgram() async throws {
    let scene = Scene(DerivingConfiguration(executable: "/bin/true", workers: 1))
    guard case .failure(.unavailable) = await scene.pool.derive(Workers.picture()) else {
      Issue.record("something was derived by /bin/true")
      return
    }
  }

  @Test("have a queue with an end, and answer everybody who got in")
  func queue() async throws {
    var configuration = try Workers.real()
    configuration.waiting = 3
    let pool = Scene(configuration).pool
    let outcomes = await withTaskGroup(of: Result<DerivedPictures, DerivingFailure>.self) { group in
      for number in 0..<40 { group.addTask { await pool.derive(Workers.picture(number)) } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    let busy = outcomes.filter { $0.failure == .busy }.count
    #expect(outcomes.allSatisfy { $0.success != nil || $0.failure == .busy })
    #expect(busy < 40)
    try await expectGood(pool)
  }

  /// What that does to a server's memory and descriptors is seen in a server of its own (HostilePictureTests).
  @Test("are as good as new after a hundred hostile orders")
  func hostileHundred() async throws {
    let pool = Scene(try Workers.bad(workers: 2)).pool
    let orders = ["crash", "exit", "nonsense", "long", "file", "socket", "nothing made", "executable"]
    for number in 0..<100 {
      let outcome = await pool.derive(Workers.order(orders[number % orders.count] + " \(number)"))
      #expect(outcome.success == nil)
    }
    try await expectGood(pool)
  }
}

/// What the kernel says of this process.
private enum Children {
  /// Processes below this one whose program has that name.
  static func named(_ name: String) -> [pid_t] {
    entries("/proc").compactMap { pid_t($0) }.filter { process in
      let words = text("/proc/\(process)/stat")
      guard let open = words.firstIndex(of: "("), let close = words.lastIndex(of: ")") else { return false }
      let rest = words[close...].split(separator: " ")
      return words[open..<close].dropFirst() == name.prefix(15)[...] && rest.count > 2 && rest[2] == "\(getpid())"
    }
  }

  private static func entries(_ path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { return names }
      names.append(String(cString: UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self)))
    }
    return names
  }

  private static func text(_ path: String) -> String {
    guard let file = fopen(path, "r") else { return "" }
    defer { fclose(file) }
    var buffer = [UInt8](repeating: 0, count: 8_192)
    return String(decoding: buffer[..<fread(&buffer, 1, buffer.count, file)], as: UTF8.self)
  }
}
