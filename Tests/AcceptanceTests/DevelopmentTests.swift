import FoundationEssentials
import Glibc
import Testing

@Suite("Building a front end", .blocking)
struct DevelopmentTests {
  private func withDevShop(_ arguments: [String] = [], _ body: (RunningShop) throws -> Void) throws {
    try withShop(arguments: ["--dev"] + arguments, body)
  }

  // MARK: The seed folder

  @Test("A seed file that is saved is the catalog at once; one with faults is told, and the last good catalog stays")
  func reloading() throws {
    try withDevShop { shop in
      let listener = try EventListener(shop)
      let before = try shop.get("/api/v1/products/HBDEF").text
      try shop.folder.write(SampleShop().setting("price", of: 0, to: "77").json, to: "seed/catalog.json")
      var event = try listener.next("seed")
      while !event.data.contains("\"version\":2") { event = try listener.next("seed") }
      let changed = try shop.get("/api/v1/products/HBDEF").text
      #expect(changed != before && changed.contains("\"amount\":77,"))

      try shop.folder.write(SampleShop().setting("price", of: 0, to: "-5").json, to: "seed/catalog.json")
      event = try listener.next("seed")
      #expect(event.data.contains("/products/0/price") && event.data.contains("\"ko\":"))
      _ = try shop.process.waitForLine(containing: "/products/0/price")
      #expect(try shop.get("/api/v1/products/HBDEF").text == changed)

      try shop.folder.write(SampleShop().json, to: "seed/catalog.json")
      event = try listener.next("seed")
      #expect(event.data.contains("\"faults\":[]"))
      #expect(try shop.get("/api/v1/products/HBDEF").text.contains("\"amount\":12640,"))
    }
  }

  @Test("A file saved in two steps is taken when it is whole; one put in its place by a rename as well")
  func halfSaved() throws {
    try withDevShop { shop in
      let listener = try EventListener(shop)
      _ = try listener.next("seed")
      let text = Array(SampleShop().setting("price", of: 0, to: "78").json.utf8)
      let path = shop.folder["seed/catalog.json"]
      let descriptor = open(path, O_WRONLY | O_TRUNC)
      defer { close(descriptor) }
      #expect(write(descriptor, text, text.count / 2) == text.count / 2)
      #expect(text.dropFirst(text.count / 2).withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) } > 0)
      while try !listener.next("seed").data.contains("\"version\":2") {}
      #expect(try shop.get("/api/v1/products/HBDEF").text.contains("\"amount\":78,"))

      try shop.folder.write(SampleShop().setting("price", of: 0, to: "79").json, to: "seed/new.json")
      rename(shop.folder["seed/new.json"], path)
      while try !listener.next("seed").data.contains("\"version\":3") {}
      #expect(try shop.get("/api/v1/products/HBDEF").text.contains("\"amount\":79,"))
    }
  }

  @Test("A shop that starts in dev mode is what its seed folder says, whatever the data folder had")
  func start() throws {
    try withDevShop { shop in
      shop.process.send(SIGTERM)
      _ = try shop.process.waitForEnd()
      try shop.folder.write(SampleShop().setting("price", of: 0, to: "80").json, to: "seed/catalog.json")
      let again = try BanchanProcess(
        ["serve", "--dev", "--port", "0", "--data", "data", "--cache", "cache", "--seed", "seed"], in: shop.folder.path)
      defer { again.endForCertain() }
      _ = try again.waitForLine(containing: "1 changed")
    }
  }

  @Test("A picture dropped into the folder is found, whichever form of Hangul its name has", arguments: [true, false])
  func pictures(isDecomposed: Bool) throws {
    var sample = SampleShop()
    sample.products[0]["image"] = quoted("images/갈비.jpg")
    sample.products[0]["images"] = nil
    try withShop(sample, pictures: .seedFolder, arguments: ["--dev"]) { shop in
      let path = try shop.picture(of: "HBDEF")
      #expect(try shop.get(path).status == 404)
      let name = isDecomposed ? "\u{1100}\u{1161}\u{11AF}\u{1107}\u{1175}.jpg" : "갈비.jpg"
      try shop.folder.write(Picture.jpeg("galbi"), to: "seed/images/\(name)")
      _ = try shop.process.waitForLine(containing: "has changed")
      #expect(try shop.get(path).body == Picture.jpeg("galbi"))
    }
  }

  @Test("What a saved file shows is fetched ahead, as after an import; a picture whose file changes gets another name")
  func following() throws {
    var sample = SampleShop()
    try withShop(sample, pictures: .seedFolder, arguments: ["--dev", "--warm", "on"]) { shop in
      try shop.folder.write(Picture.jpeg("new"), to: "seed/images/new.jpg")
      sample.products[0]["image"] = quoted("images/new.jpg")
      sample.products[0]["images"] = nil
      try shop.folder.write(sample.json, to: "seed/catalog.json")
      _ = try shop.process.waitForLine(containing: "1 changed")
      _ = try shop.process.waitForLine(containing: "GET /images/new.jpg 200")
      let before = try shop.picture(of: "HBDEF")
      #expect(try shop.get(before).body == Picture.jpeg("new"))
      try shop.folder.write(Picture.jpeg("newer"), to: "seed/images/new.jpg")
      let after = try #require(
        try Patience.until {
          let after = try shop.picture(of: "HBDEF")
          return after == before ? nil : after
        })
      #expect(try shop.get(after).body == Picture.jpeg("newer"))
    }
  }

  // MARK: Faults

  @Test("A request gets the error it asks for, and the next one its answer; in production nobody does")
  func status() throws {
    try withDevShop { shop in
      let reply = try shop.get("/api/v1/sections", "Banchan-Fault: status=429")
      #expect(reply.status == 429 && reply["Content-Type"] == "application/problem+json")
      #expect(try reply.json["status"].integer == 429)
      #expect(try shop.get("/api/v1/sections", "Banchan-Fault: status=418").status == 418)
      for (status, code) in [(400, "invalid-request"), (404, "not-found"), (502, "origin-error"), (503, "overloaded")] {
        expectProblem(try shop.get("/api/v1/sections", "Banchan-Fault: status=\(status)"), status, code)
      }
      #expect(try shop.get("/api/v1/sections").status == 200)
      #expect(try shop.get("/api/v1/sections", "Banchan-Fault: bogus").status == 400)
      #expect(try shop.get("/api/v1/sections", "Cookie: a=b; banchan-fault=status%3D503").status == 503)
    }
    try withShop { shop in
      for field in ["Banchan-Fault: status=429", "Cookie: banchan-fault=drop"] {
        let reply = try shop.get("/api/v1/sections", field)
        #expect(reply.status == 200)
      }
    }
  }

  @Test("Lists can be empty, members missing or null, also for a client that takes gzip")
  func contents() throws {
    try withDevShop { shop in
      let empty = try shop.get("/api/v1/sections", "Accept-Encoding: gzip", "Banchan-Fault: empty")
      #expect(empty.text == #"{"version":1,"sections":[]}"# && empty["Content-Encoding"] == nil && empty["ETag"] == nil)
      let cut = try shop.get("/api/v1/products/HBDEF", "Banchan-Fault: missing=price; null=title").text
      #expect(!cut.contains("\"price\"") && cut.contains("\"title\":null"))
      #expect(try shop.get("/onban/main", "Banchan-Fault: empty").text.contains("[]"))
    }
  }

  @Test("A body can break off, come in drops, or not at all")
  func bodies() throws {
    try withDevShop { shop in
      let whole = try shop.get("/api/v1/sections").body
      let connection = try shop.connect()
      try connection.request("GET", "/api/v1/sections", ["Banchan-Fault: truncate=0.5"])
      let rest = try connection.readToEnd()
      let text = String(decoding: rest, as: UTF8.self)
      #expect(text.contains("Content-Length: \(whole.count)\r\n"))
      #expect(rest.suffix(whole.count / 2) == whole.prefix(whole.count / 2))

      let dropped = try shop.connect()
      try dropped.request("GET", "/api/v1/sections", ["Banchan-Fault: drop"])
      #expect(try dropped.readToEnd().isEmpty)

      #expect(try shop.get("/api/v1/sections", "Banchan-Fault: drip=100000").body == whole)
    }
  }

  @Test("A rule of the command line strikes below its path alone, the same way in each run with a seed")
  func rules() throws {
    let rule = ["--fault", "/api/v1/sections status=500 rate=0.5 seed=3"]
    var runs: [[Int]] = []
    for _ in 0..<2 {
      try withDevShop(rule) { shop in
        runs.append(try (0..<20).map { _ in try shop.get("/api/v1/sections").status })
        #expect(try shop.get("/api/v1/products/HBDEF").status == 200)
      }
    }
    #expect(runs[0] == runs[1] && Set(runs[0]) == [200, 500])
  }

  @Test("A browser's own faults leave the pages alone, with which they are turned off; a client's field spares nothing")
  func spared() throws {
    try Folder.withTemporary { folder in
      try folder.write(SampleShop().json, to: "seed/catalog.json")
      try folder.write("<!doctype html>", to: "public/index.html")
      try folder.write("1", to: "public/app/main.js")
      let process = try BanchanProcess(
        [
          "serve", "--dev", "--port", "0", "--data", "data", "--cache", "cache", "--seed", "seed", "--public", "public",
        ], in: folder.path)
      defer { process.endForCertain() }
      let port = try RunningShop.waitForPort(process)
      func status(_ target: String, _ field: String) throws -> Int {
        let connection = try RawConnection(port: port)
        try connection.request("GET", target, [field])
        return try connection.readReply().status
      }
      for target in ["/", "/app/main.js", "/products/HBDEF", "/livez"] {
        #expect(try status(target, "Cookie: banchan-fault=status%3D503") == 200)
        #expect(try status(target, "Banchan-Fault: status=503") == 503)
      }
      for target in ["/api/v1/catalog", "/onban/main", "/nothing"] {
        #expect(try status(target, "Cookie: banchan-fault=status%3D503") == 503)
      }
    }
  }

  @Test("Nobody keeps an answer that was made wrong: it would outlive its fault")
  func unkept() throws {
    try withShopAndOrigin(arguments: ["--dev"]) { shop, _ in
      let picture = try shop.picture(of: "HBDEF")
      for (target, fault) in [
        ("/api/v1/sections", "empty"), ("/api/v1/sections", "status=404"), (picture, "picture=broken"),
        (picture, "picture=stale"),
      ] {
        #expect(try shop.get(target, "Banchan-Fault: \(fault)")["Cache-Control"] == "no-store", "\(fault)")
        #expect(try shop.get(target)["Cache-Control"] != "no-store")
        #expect(try shop.get(target, "Banchan-Fault: latency=1ms")["Cache-Control"] != "no-store")
      }
    }
  }

  @Test("Requests are listed as they come: what was asked, what became of it, and the fault, the last sixty of them")
  func requests() throws {
    try withDevShop { shop in
      let listener = try EventListener(shop)
      let tag = try #require(try shop.get("/api/v1/sections")["ETag"])
      _ = try shop.get("/api/v1/sections", "If-None-Match: \(tag)")
      _ = try shop.get("/onban/detail/NONE?a=b", "Banchan-Fault: latency=2ms")
      let dropped = try shop.connect()
      try dropped.request("GET", "/api/v1/catalog", ["Banchan-Fault: drop"])
      #expect(try dropped.readToEnd().isEmpty)
      let truncated = try shop.connect()
      try truncated.request("GET", "/api/v1/catalog", ["Banchan-Fault: truncate=0.5"])
      _ = try truncated.readToEnd()
      var event = try listener.next("requests")
      while !event.data.contains("truncate=0.5") { event = try listener.next("requests") }
      for said in [
        #""method":"GET","target":"/api/v1/sections","status":200,"#, #""status":304,"bytes":0,"#,
        #""target":"/onban/detail/NONE?a=b","status":404,"#, #""fault":"latency=2ms (2 ms)""#,
        #""target":"/api/v1/catalog","status":null,"#, #""isWhole":false,"fault":"drop""#,
        #""isWhole":false,"fault":"truncate=0.5""#,
      ] {
        #expect(event.data.contains(said), "\(said) in \(event.data)")
      }
      for _ in 0..<100 { _ = try shop.get("/livez") }
      _ = try shop.get("/readyz")
      while !event.data.contains("/readyz") { event = try listener.next("requests") }
      #expect(event.data.ranges(of: "\"number\"").count == 60)
    }
    try withShop { shop in
      let listener = try EventListener(shop)
      _ = try shop.get("/api/v1/sections")
      try shop.folder.write(SampleShop().setting("price", of: 0, to: "81").json, to: "new.json")
      let imported = try BanchanProcess.run(["import", "new.json", "--data", "data"], in: shop.folder.path)
      #expect(imported.end == .exited(0))
      while let event = try listener.next(), event.id != "2" { #expect(event.name != "requests") }
    }
  }

  @Test("Faults without dev mode, and faults that are none, are usage errors")
  func usage() throws {
    try Folder.withTemporary { folder in
      for arguments in [
        ["--fault", "/api status=500"], ["--dev", "--fault", "/api bogus"], ["--dev", "--fault", "x"],
      ] {
        let result = try BanchanProcess.run(["serve"] + arguments, in: folder.path)
        #expect(result.end == .exited(2) && result.messages.contains("--fault"), "\(result)")
      }
    }
  }

  @Test("A public page may reach a developer's machine, in dev mode alone")
  func privateNetwork() throws {
    let fields = [
      "Origin: https://app.test", "Access-Control-Request-Method: GET", "Access-Control-Request-Private-Network: true",
    ]
    for (arguments, answer) in [(["--dev"], "true"), ([], nil)] as [([String], String?)] {
      try withShop(arguments: arguments) { shop in
        let reply = try shop.ask("OPTIONS", "/api/v1/catalog", fields[0], fields[1], fields[2])
        #expect(reply.status == 204 && reply["Access-Control-Allow-Private-Network"] == answer)
      }
    }
  }
}
