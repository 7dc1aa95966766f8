import CLinux
import Glibc
import Server
import Shop

/// `banchan origin`: a picture origin out of a folder.
enum OriginCommand: Command {
  static let name = "origin"
  static let summary = "Serves the files of a folder as a picture origin, for demonstrations and tests."
  static let operand: String? = nil
  static let flags = [
    Flag(name: "dir", value: "DIR", help: "the folder (required)"),
    Flag(name: "host", value: "ADDRESS", help: "the address to listen on (127.0.0.1)"),
    Flag(name: "port", value: "N", help: "the port; 0 takes any free one (0)"),
    Flag(name: "latency", value: "MS", help: "how late each answer comes, in milliseconds (0)"),
    Flag(
      name: "fault", value: "'PATH FAULT…'",
      help: "what goes wrong below a path, such as '/ status=503 rate=0.3 seed=7'; may be repeated", isRepeatable: true),
    Flag(name: "log", value: "off|text|json", help: "a line per request on standard error (text)"),
    Flag(name: "parent", value: "PID", help: "end when this parent process does (set by serve)"),
  ]

  static func run(_ flags: Flags) throws(CommandFailure) {
    guard let folder = flags["dir"] else { throw .usage("`banchan origin` needs a folder: --dir DIR") }
    guard Paths.isFolder(folder) else { throw .failed("\(folder) is not a folder that can be read") }
    clinux_signals_block()
    if flags["parent"] != nil {
      let parent = try flags.number("parent", in: 1...Int(Int32.max), default: 1)
      clinux_end_with_parent(SIGTERM)
      // It may have ended before we asked to be told.
      guard getppid() == pid_t(parent) else { return }
    }
    let port = try flags.number("port", in: 0...65_535, default: 0)
    let address = try Flags.address(flags["host"] ?? "127.0.0.1", port: port)
    let latency = try flags.number("latency", in: 0...600_000, default: 0)
    var faults: [FaultRule] = []
    for text in flags.all("fault") {
      do throws(FaultPlan.Fault) { faults.append(try FaultRule(text)) } catch {
        throw .usage("--fault takes a path and faults: \(error)")
      }
    }
    var options = Server.Options()
    options.logsRequests = true
    let log = LogSettings(format: try flags.word("log", default: LogFormat.text))

    let loops = try Running.makeLoops(1)
    let logWriter = LogWriter(log)
    let origin = FolderOrigin(folder: folder, latency: Int64(latency), faults: faults)
    let sockets = try Running.listen(on: address, count: 1)
    let server = Server(on: sockets, loops: loops, responder: origin, options: options, logWriter: logWriter)
    let running = Running(server: server, loops: loops, logWriter: logWriter, grace: { 2_000 })
    try running.run(announcing: ["origin listening on http://\(sockets[0].address)/ for \(folder)"])
  }
}
