import FoundationEssentials
import Glibc
import Testing

@Suite("The README", .blocking)
struct ReadmeTests {
  /// A command as it stands there, and what it is said to print.
  private struct Command {
    let line: String
    var output: [String] = []
  }

  /// What this test does not run: they take a machine of their own, and have tests of their own.
  private static let elsewhere = ["make", "docker", "systemctl"]

  @Test("Every command works as it stands there, and prints what it is said to print")
  func commands() throws {
    let text = String(
      decoding: try #require(FileManager.default.contents(atPath: checkout() + "/README.md")), as: UTF8.self)
    let commands = Self.commands(in: text)
    #expect(commands.count >= 20)
    try withDemoShop(arguments: ["--dev"]) { shop in
      let folder = shop.folder
      try prepare(folder)
      // The demo's pictures are in the cache, as they are for whoever has looked at the shop.
      _ = try shop.get(try shop.picture(of: "HBDEF"))
      for command in commands {
        let name = command.line.split(separator: " ").first { !$0.contains("=") }.map(String.init) ?? ""
        if Self.elsewhere.contains(name) { continue }
        try run(command, shop)
      }
    }
  }

  @Test("Every target of make that is named there exists")
  func targets() throws {
    let text = String(
      decoding: try #require(FileManager.default.contents(atPath: checkout() + "/README.md")), as: UTF8.self)
    let makefile = String(
      decoding: try #require(FileManager.default.contents(atPath: checkout() + "/Makefile")), as: UTF8.self)
    for match in text.matches(of: /make ([a-z]+)/) {
      #expect(makefile.contains("\n\(match.1):"), "make \(match.1)")
    }
  }

  /// The files that the commands speak of.
  private func prepare(_ folder: Folder) throws {
    let binary = try BanchanProcess.binary()
    try folder.write([], to: ".build/release/.keep")
    symlink(binary, folder[".build/release/banchan"])
    symlink(checkout() + "/seed", folder["seed"])
    symlink(checkout() + "/Public", folder["Public"])
    try folder.write(
      Array(try #require(FileManager.default.contents(atPath: checkout() + "/seed/catalog.json"))), to: "my-shop.json")
    let made = try BanchanProcess.run(
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", "key.pem", "-out",
        "chain.pem", "-subj", "/CN=localhost", "-days", "2",
      ], in: folder.path, program: "openssl")
    #expect(made.end == .exited(0), "\(made.messages)")
  }

  private func run(_ command: Command, _ shop: RunningShop) throws {
    var line = command.line.replacing("127.0.0.1:8080", with: "127.0.0.1:\(shop.port)")
    line = line.replacing("https://api.example", with: "http://127.0.0.1:\(shop.port)")
    // One backup stands for whichever there is.
    if let newest = try? shop.folder.names(in: "data/backups").filter({ $0.hasPrefix("banchan-") }).max() {
      line = line.replacing(/banchan-\d{8}T\d{6}Z/, with: newest)
    }
    let isServer = line.contains("banchan serve")
    let isSecure = line.contains(" --tls-")
    if isServer { line += " --port 0 --data other --cache other-cache\(isSecure ? " --tls-port 0" : "")" }
    if line.contains("banchan sync") {
      line = line.replacing("--data data", with: "--data mirror --cache mirror-cache")
    }
    let script = "PATH=\"$PWD/.build/release:$PATH\"; \(line)"
    if isServer {
      let server = try BanchanProcess(["-c", "exec " + line], in: shop.folder.path, program: "bash")
      defer { server.endForCertain() }
      _ = try server.waitForLine(
        containing: "listening on \(isSecure ? "https" : "http")://")
      return
    }
    // A stream has no end of its own.
    let arguments = line.contains("/events") ? ["3", "bash", "-c", script] : ["60", "bash", "-c", script]
    let result = try BanchanProcess.run(arguments, in: shop.folder.path, program: "timeout")
    let isStream = line.contains("/events")
    #expect(result.end == .exited(isStream ? 124 : 0), "\(command.line): \(result.messages)")
    expect(command, in: result.output + result.messages)
  }

  /// Looks for the lines, each with the pieces between the dots in their order. Numbers and blanks count as any, and what
  /// goes to standard error may come before or after the rest.
  private func expect(_ command: Command, in output: String) {
    func plain(_ text: some StringProtocol) -> String {
      String(text).replacing(/\d+/, with: "#").replacing(/[ ]+/, with: " ")
    }
    let printed = plain(output)
    for line in command.output {
      var rest = printed[...]
      for piece in line.split(separator: "…") {
        let wanted = plain(piece).trimmingBlanks
        guard !wanted.isEmpty else { continue }
        guard let found = rest.firstRange(of: wanted) else {
          Issue.record("\(command.line) does not print “\(piece)”, but: \(output.prefix(2_000))")
          return
        }
        rest = rest[found.upperBound...]
      }
    }
  }

  /// The commands of the blocks that are marked as ones for a shell.
  private static func commands(in text: String) -> [Command] {
    var commands: [Command] = []
    var block: String?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      if line.hasPrefix("```") {
        block = block == nil ? String(line.dropFirst(3)) : nil
        continue
      }
      switch block {
      case "sh":
        let command = line.prefix { $0 != "#" }.trimmingBlanks
        if !command.isEmpty { commands.append(Command(line: command)) }
      case "console":
        if line.hasPrefix("$ ") {
          commands.append(Command(line: String(line.dropFirst(2))))
        } else if !commands.isEmpty, !line.isEmpty {
          commands[commands.count - 1].output.append(line)
        }
      default: break
      }
    }
    return commands
  }
}

extension StringProtocol {
  fileprivate var trimmingBlanks: String {
    var text = self[...]
    while text.last?.isWhitespace == true { text = text.dropLast() }
    return String(text.drop { $0.isWhitespace })
  }
}
