import Testing

@Suite("The configuration", .blocking)
struct ConfigurationTests {
  @Test("banchan.json in the working directory counts for every command, and `config` says where each value is from")
  func workingDirectory() throws {
    try Folder.withTemporary { folder in
      try folder.write(SampleShop().json, to: "shop.json")
      try folder.write(#"{"data": "mine", "log": "json", "grace": "2m"}"#, to: "banchan.json")
      #expect(try BanchanProcess.run(["import", "shop.json"], in: folder.path).end == .exited(0))
      #expect(try folder.names(in: "mine").contains("banchan.db"))

      let shown = try BanchanProcess.run(["config", "--json", "--port", "9000"], in: folder.path)
      #expect(shown.end == .exited(0) && shown.messages.isEmpty)
      let document = try StrictJSON(Array(shown.output.utf8))
      #expect(try document["file"].text == "banchan.json")
      let rows = try document["settings"].items
      func row(_ name: String) throws -> StrictJSON {
        guard let row = try rows.first(where: { try $0["name"].text == name }) else { throw Failure("no \(name)") }
        return row
      }
      #expect(try row("data")["value"].text == "mine" && row("data")["source"].text == "file")
      #expect(try row("grace")["value"].text == "2m")
      #expect(try row("port")["value"].integer == 9000 && row("port")["source"].text == "flag")
      #expect(try row("cache")["source"].text == "default")
      let text = try BanchanProcess.run(["config"], in: folder.path).output
      #expect(text.contains(/data +mine +"data" in banchan\.json/) && text.contains(/port +8080 +default/))
    }
  }

  @Test("A file that is named must be there, and what is wrong in it is said before anything is done")
  func named() throws {
    try Folder.withTemporary { folder in
      let missing = try BanchanProcess.run(["serve", "--config", "none.json"], in: folder.path)
      #expect(missing.end == .exited(1) && missing.messages.contains("none.json cannot be read"))
      try folder.write(#"{"prot": 80, "grace": "soon"}"#, to: "b.json")
      let wrong = try BanchanProcess.run(["serve", "--config", "b.json"], in: folder.path)
      #expect(wrong.end == .exited(2) && wrong.messages.contains("did you mean port?"))
      #expect(try folder.names(in: ".") == ["b.json"])
    }
  }

  @Test("What serve would refuse, config refuses, and names the variable it stands in")
  func checked() throws {
    try Folder.withTemporary { folder in
      let process = try BanchanProcess(
        ["config"], in: folder.path, environment: ["BANCHAN_PUBLIC_URL=shop"])
      #expect(try process.waitForEnd() == .exited(2))
      #expect(try process.waitForLine(containing: "BANCHAN_PUBLIC_URL takes scheme and host").contains("'shop'"))
    }
  }
}
