import CLinux
import Glibc
import Metrics
import Net

/// What the kernel knows of this process, under the names that Prometheus's own clients use.
enum ProcessMetrics {
  static func register(in registry: MetricRegistry, version: String) {
    let start = Double(clinux_wall_seconds())
    registry.gauges("banchan_build_info", help: "Always 1; the label says which Banchan this is.") {
      $0.add(1.0, [("version", version)])
    }
    registry.gauge("process_start_time_seconds", help: "When the process started, in seconds since 1970.") { start }
    registry.gauge("process_resident_memory_bytes", help: "Memory that is resident.") { residentBytes }
    registry.gauge("process_open_fds", help: "Open descriptors.") {
      // One of them is that of the folder that is being counted.
      KernelFile.entryCount(of: "/proc/self/fd").map { Double(max(0, $0 - 1)) }
    }
    registry.gauge("process_max_fds", help: "The most descriptors that may be open.") {
      var limit = rlimit()
      return getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 ? Double(limit.rlim_cur) : nil
    }
    registry.gauge("process_threads", help: "Threads.") {
      KernelFile.entryCount(of: "/proc/self/task").map(Double.init)
    }
    registry.counters("process_cpu_seconds_total", help: "Processor time, of the user and of the kernel.") {
      if let seconds = processorSeconds { $0.add(seconds) }
    }
  }

  private static var residentBytes: Double? {
    let words = KernelFile.text(of: "/proc/self/statm")?.split(separator: " ")
    guard let words, words.count > 1, let pages = Double(words[1]) else { return nil }
    return pages * Double(sysconf(Int32(_SC_PAGESIZE)))
  }

  private static var processorSeconds: Double? {
    var usage = rusage()
    guard getrusage(RUSAGE_SELF.rawValue, &usage) == 0 else { return nil }
    return [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1_000_000 }
  }
}
