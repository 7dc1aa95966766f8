import Glibc
import Testing

/// A volume that belongs to somebody else, which is what a mounted folder in a container mostly is.
@Suite("Folders of another owner", .blocking, .enabled(if: geteuid() == 0, "only root gives folders away"))
struct FolderOwnershipTests {
  /// Runs banchan as a root without the rights of root, as it has nobody else's name here.
  private func unprivileged(_ arguments: [String]) throws -> [String] {
    ["--bounding-set", "-all", "--inh-caps", "-all", try BanchanProcess.binary()] + arguments
  }

  @Test("A data folder that may not be written: whose it is, who asks, and the command that mends it")
  func data() throws {
    try Folder.withTemporary { folder in
      try folder.write(SampleShop().json, to: "seed/catalog.json")
      mkdir(folder["data"], 0o755)
      chown(folder["data"], 12345, 12346)
      let server = try BanchanProcess.run(
        unprivileged(["serve", "--port", "0", "--data", folder["data"]]), in: folder.path, program: "setpriv")
      #expect(server.end == .exited(1))
      for piece in [
        "\(folder["data"]) belongs to user 12345:12346", "runs as user 0:\(getegid())",
        "chown -R 0:\(getegid()) \(folder["data"])", "--data",
      ] {
        #expect(server.messages.contains(piece), "\(server.messages)")
      }
      let doctor = try BanchanProcess.run(
        unprivileged(["doctor", "--data", folder["data"]]), in: folder.path, program: "setpriv")
      #expect(doctor.end == .exited(1) && doctor.output.contains("chown -R 0:\(getegid()) \(folder["data"])"))
    }
  }

  @Test("A shop whose last server was another user's says so of the lock")
  func lock() throws {
    try Folder.withTemporary { folder in
      try folder.write(SampleShop().json, to: "seed/catalog.json")
      mkdir(folder["data"], 0o755)
      try folder.write("1\n", to: "data/lock")
      chown(folder["data/lock"], 12345, 12345)
      let server = try BanchanProcess.run(
        unprivileged(["serve", "--port", "0", "--data", folder["data"]]), in: folder.path, program: "setpriv")
      #expect(server.messages.contains("\(folder["data/lock"]) belongs to user 12345:12345"), "\(server.messages)")
    }
  }

  @Test("A cache folder that may not be written costs the keeping of pictures, and is told of")
  func cache() throws {
    try Folder.withTemporary { folder in
      try folder.write(SampleShop().json, to: "seed/catalog.json")
      mkdir(folder["cache"], 0o755)
      chown(folder["cache"], 12345, 12345)
      let server = try BanchanProcess(
        unprivileged([
          "serve", "--port", "0", "--seed", "seed", "--origin-base", "http://127.0.0.1:1/", "--data", "data", "--cache",
          folder["cache"],
        ]), in: folder.path, program: "setpriv")
      defer { server.endForCertain() }
      _ = try server.waitForLine(containing: "listening on http://")
      let line = try server.waitForLine(containing: "chown -R 0:\(getegid()) \(folder["cache"])")
      #expect(line.hasPrefix("banchan: pictures are not kept: "))
    }
  }
}
