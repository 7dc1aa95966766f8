import CLinux
import Glibc

/// What the control group of this process allows it, as a container or a systemd unit sets it. Both versions of the kernel's
/// interface are read: `cpu.max` and `memory.max`, or `cpu.cfs_quota_us` and `memory.limit_in_bytes`.
public struct CgroupLimits: Equatable, Sendable {
  /// How much processor time it may use at a time: 1.5 is one and a half cores. Nil without a limit.
  public let cores: Double?
  /// Bytes; nil without a limit.
  public let memory: Int64?

  /// The limits of this process: the narrowest of its group and those around it.
  public static let current = CgroupLimits(
    root: "/sys/fs/cgroup", membership: KernelFile.text(of: "/proc/self/cgroup") ?? "")

  /// - Parameters:
  ///   - root: where the kernel's interface is mounted.
  ///   - membership: what `/proc/self/cgroup` says, a line for each hierarchy: `0::/system.slice/banchan.service`.
  public init(root: String, membership: String) {
    var cores: [Double] = []
    var memory: [Int64] = []
    for line in membership.split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3 else { continue }
      let controllers = parts[1].split(separator: ",")
      for path in Self.ancestors(of: String(parts[2])) {
        if controllers.isEmpty {
          let folder = root + path
          if let found = KernelFile.text(of: "\(folder)/cpu.max").flatMap(Self.cores(cpuMax:)) { cores.append(found) }
          if let found = KernelFile.text(of: "\(folder)/memory.max").flatMap(Self.bytes) { memory.append(found) }
        }
        if controllers.contains("cpu") {
          let folder = "\(root)/cpu\(path)"
          if let quota = KernelFile.text(of: "\(folder)/cpu.cfs_quota_us").flatMap(Self.bytes),
            let period = KernelFile.text(of: "\(folder)/cpu.cfs_period_us").flatMap(Self.bytes), quota > 0, period > 0
          {
            cores.append(Double(quota) / Double(period))
          }
        }
        if controllers.contains("memory"),
          let found = KernelFile.text(of: "\(root)/memory\(path)/memory.limit_in_bytes").flatMap(Self.bytes)
        {
          memory.append(found)
        }
      }
    }
    self.cores = cores.min()
    // Version 1 says “no limit” with a number next to the largest.
    self.memory = memory.min().flatMap { $0 < Int64.max / 2 ? $0 : nil }
  }

  /// A group and those around it, up to the root. In a container the path may lead nowhere, and the root counts.
  private static func ancestors(of path: String) -> [String] {
    var paths = [""]
    for segment in path.split(separator: "/") { paths.append("\(paths.last ?? "")/\(segment)") }
    return paths
  }

  private static func cores(cpuMax text: String) -> Double? {
    let words = text.split(whereSeparator: \.isWhitespace)
    guard words.count == 2, let quota = Double(words[0]), let period = Double(words[1]), quota > 0, period > 0 else {
      return nil
    }
    return quota / period
  }

  private static func bytes(_ text: String) -> Int64? {
    text.split(whereSeparator: \.isWhitespace).first.flatMap { Int64($0) }
  }
}

extension Machine {
  /// How many cores this process can keep busy: those it may run on, and no more than its control group pays for.
  public static var usableCores: Int {
    let cores = max(1, Int(clamping: clinux_usable_cores()))
    guard let quota = CgroupLimits.current.cores else { return cores }
    return max(1, Int(min(Double(cores), quota.rounded(.up))))
  }

  /// How many bytes of memory this process can have: those of the machine, and no more than its control group allows.
  public static var usableMemory: Int {
    let pages = Int(clamping: sysconf(Int32(_SC_PHYS_PAGES)))
    let machine = pages.multipliedReportingOverflow(by: Int(clamping: sysconf(Int32(_SC_PAGESIZE))))
    let bytes = machine.overflow || machine.partialValue <= 0 ? .max : machine.partialValue
    return CgroupLimits.current.memory.map { min(bytes, Int(clamping: $0)) } ?? bytes
  }
}
