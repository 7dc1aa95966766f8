import Glibc
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

  @Test(
    "SIGHUP has banchan.json read again: what may change does, what may not is named, and what is wrong changes nothing"
  )
  func reload() throws {
    try withShop { shop in
      func reload(_ file: String, saying expected: String) throws -> String {
        try shop.folder.write(file, to: "banchan.json")
        shop.process.send(SIGHUP)
        return try shop.process.waitForLine(containing: expected)
      }
      let first = try reload(
        #"{"log": "json", "grace": "3s", "cache-size": "1GiB", "dev": true}"#, saying: "configuration read again")
      for word in ["log is json (was text)", "grace is 3s (was 10s)", "cache-size is 1GiB (was 4GiB)"] {
        #expect(first.contains(word), "\(first)")
      }
      #expect(first.contains("a restart puts into force: dev true (is false)"), "\(first)")
      #expect(try shop.get("/onban/main?first").status == 200)
      let entry = try StrictJSON(Array(try shop.process.waitForLine(containing: "?first").utf8))
      #expect(try entry["status"].integer == 200)

      for (file, fault) in [
        (#"{"log": "loud"}"#, "takes one of"), (#"{"lgo": "text"}"#, "did you mean log?"), ("{", "banchan.json:"),
        (#"{"log": "off", "cors-origin": ["shop"]}"#, "cors-origin"),
      ] {
        let line = try reload(file, saying: fault)
        #expect(line.contains("the configuration stays as it is"), "\(line)")
      }
      // A flag goes before the file, now as at the start.
      _ = try reload(#"{"log": "json", "grace": "3s", "cache-size": "1GiB", "port": 1}"#, saying: "nothing has changed")
      #expect(try shop.get("/onban/main?last").status == 200)
      #expect(try shop.process.waitForLine(containing: "?last").hasPrefix("{"))
      shop.process.send(SIGTERM)
      _ = try shop.process.waitForLine(containing: "what is under way has 3 s")
    }
  }

  @Test(
    "A variable that sets nothing is refused when it looks like one that does, and the file's keys all have to be known"
  )
  func unknown() throws {
    try Folder.withTemporary { folder in
      let process = try BanchanProcess(["config"], in: folder.path, environment: ["BANCHAN_CACHE_SIZ=1GiB"])
      #expect(try process.waitForEnd() == .exited(2))
      _ = try process.waitForLine(containing: "did you mean BANCHAN_CACHE_SIZE?")
      try folder.write(#"{"utterly-unlike-anything": 1}"#, to: "banchan.json")
      let file = try BanchanProcess.run(["config"], in: folder.path)
      #expect(file.end == .exited(2) && file.messages.contains("utterly-unlike-anything"))
    }
  }
}
