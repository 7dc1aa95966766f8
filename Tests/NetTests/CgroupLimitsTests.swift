import FoundationEssentials
import Net
import Testing

@Suite("The limits of a control group")
struct CgroupLimitsTests {
  /// The limits that a tree of files makes.
  private func limits(_ files: [String: String], _ membership: String) throws -> CgroupLimits {
    let root = FileManager.default.temporaryDirectory.appendingPathComponent("banchan-test-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: root) }
    for (name, text) in files {
      let file = root.appendingPathComponent(name)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    return CgroupLimits(root: root.path, membership: membership)
  }

  @Test("Version 2: a quota is a number of cores, a limit a number of bytes")
  func version2() throws {
    let found = try limits(["cpu.max": "150000 100000\n", "memory.max": "67108864\n"], "0::/\n")
    #expect(found.cores == 1.5 && found.memory == 67_108_864)
  }

  @Test("Version 2: the narrowest of the group and those around it counts")
  func nested() throws {
    let files = [
      "system.slice/cpu.max": "max 100000\n", "system.slice/memory.max": "1000\n",
      "system.slice/banchan.service/cpu.max": "50000 100000\n", "system.slice/banchan.service/memory.max": "2000\n",
    ]
    let found = try limits(files, "0::/system.slice/banchan.service\n")
    #expect(found.cores == 0.5 && found.memory == 1_000)
  }

  @Test("Version 1: quota and period, and the memory controller's limit, in a container's own view or the host's")
  func version1() throws {
    let files = [
      "cpu/cpu.cfs_quota_us": "200000\n", "cpu/cpu.cfs_period_us": "100000\n",
      "memory/docker/x/memory.limit_in_bytes": "67108864\n", "memory/memory.limit_in_bytes": "9223372036854771712\n",
    ]
    let found = try limits(files, "4:memory:/docker/x\n3:cpu,cpuacct:/docker/x\n0::/\n")
    #expect(found.cores == 2 && found.memory == 67_108_864)
  }

  @Test(
    "Without limits there are none",
    arguments: [
      ([:], "0::/\n"), (["cpu.max": "max 100000\n", "memory.max": "max\n"], "0::/\n"),
      (["cpu/cpu.cfs_quota_us": "-1\n", "cpu/cpu.cfs_period_us": "100000\n"], "1:cpu:/\n"),
      (["memory/memory.limit_in_bytes": "9223372036854771712\n"], "1:memory:/\n"),
      (["cpu.max": "nonsense\n", "memory.max": "\n"], "0::/\n"), (["cpu.max": "1"], "no such line"),
    ] as [([String: String], String)])
  func none(_ files: [String: String], _ membership: String) throws {
    let found = try limits(files, membership)
    #expect(found.cores == nil && found.memory == nil)
  }

  @Test("This process may use at least one core")
  func cores() { #expect(Machine.usableCores >= 1) }
}
