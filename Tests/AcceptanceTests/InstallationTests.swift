import FoundationEssentials
import Glibc
import Testing

@Suite("make install", .blocking, .enabled(if: releaseFolder != nil, "make test builds the release binary"))
struct InstallationTests {
  private static let prefix = "/opt/banchan"

  /// Runs `body` with a folder below which everything is installed.
  private func withInstallation(_ body: (Folder) throws -> Void) throws {
    try Folder.withTemporary { folder in
      try make("install", folder)
      try body(folder)
    }
  }

  private func make(_ action: String, _ folder: Folder) throws {
    let result = try BanchanProcess.run(
      [
        "DESTDIR=\(folder.path)/root", "PREFIX=\(Self.prefix)", "\(checkout())/packaging/install.sh", action,
        try #require(releaseFolder),
      ], in: folder.path, program: "env")
    #expect(result.end == .exited(0), "\(result.messages)")
  }

  private func program(_ folder: Folder) -> String { folder["root\(Self.prefix)/bin/banchan"] }

  @Test("It runs from anywhere: worker, pages and the demo shop are found from where the program stands")
  func runs() throws {
    try withInstallation { folder in
      try folder.write("not for the world", to: "Public/diary.txt")
      let server = try BanchanProcess(
        ["serve", "--port", "0", "--log", "off", "--warm", "off"], in: folder.path, program: program(folder))
      defer { server.endForCertain() }
      let connection = try RawConnection(port: try RunningShop.waitForPort(server))
      func get(_ target: String) throws -> Reply {
        try connection.request("GET", target, ["Host: a"])
        return try connection.readReply()
      }
      #expect(try get("/").text.contains("<!doctype html"))
      #expect(try get("/diary.txt").status == 404)
      let product = try get("/api/v1/products/HBDEF").text
      let name = String(try #require(product.firstMatch(of: /\/images\/[a-z0-9-]+-thumb\.jpg/)).0)
      let thumb = try get(name)
      let original = try get(name.replacing("-thumb", with: "-original"))
      #expect(thumb.status == 200 && thumb.body.starts(with: [0xff, 0xd8, 0xff]))
      #expect(thumb.body.count < original.body.count)
      server.send(SIGTERM)
      #expect(try server.waitForEnd() == .exited(0))
    }
  }

  @Test("A crash leaves a backtrace with the names of functions, unless one says otherwise")
  func crash() throws {
    try withInstallation { folder in
      let crash = try BanchanProcess.run(["doctor", "--crash"], in: folder.path, program: program(folder))
      #expect(crash.end == .signalled(SIGILL) || crash.end == .signalled(SIGTRAP), "\(crash.end)")
      for piece in ["this crash was asked for", "static DoctorCommand.run(_:)", "static Banchan.main()"] {
        #expect(crash.messages.contains(piece), "\(crash.messages)")
      }
      let silent = try BanchanProcess.run(
        ["SWIFT_BACKTRACE=enable=no", program(folder), "doctor", "--crash"], in: folder.path, program: "env")
      #expect(silent.messages.contains("this crash was asked for") && !silent.messages.contains("DoctorCommand.run"))
    }
  }

  @Test("The systemd unit names what was installed, and is a correct one")
  func unit() throws {
    try withInstallation { folder in
      let unit = "root\(Self.prefix)/lib/systemd/system/banchan.service"
      let text = String(decoding: try folder.read(unit), as: UTF8.self)
      #expect(text.contains("ExecStart=\(Self.prefix)/bin/banchan serve\n") && !text.contains("@PREFIX@"))
      // Where there is systemd, it has the last word; what it runs must be there for it.
      guard access("/usr/bin/systemd-analyze", X_OK) == 0 else { return }
      try folder.write(
        Array(text.replacing(Self.prefix, with: folder["root\(Self.prefix)"]).utf8), to: "banchan.service")
      let word = try BanchanProcess.run(
        ["verify", "--man=no", folder["banchan.service"]], in: folder.path, program: "systemd-analyze")
      #expect(word.end == .exited(0) && !word.messages.contains("banchan.service:"), "\(word.messages)")
    }
  }

  @Test("make uninstall leaves nothing of it, and what is not of it alone")
  func uninstall() throws {
    try withInstallation { folder in
      try folder.write("", to: "root\(Self.prefix)/bin/another")
      try make("uninstall", folder)
      let left = try BanchanProcess.run(["root", "-type", "f"], in: folder.path, program: "find")
      #expect(left.output == "root\(Self.prefix)/bin/another\n")
    }
  }
}
