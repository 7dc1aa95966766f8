import FoundationEssentials
import Testing

@Suite("Sizes of pictures, from the running shop")
struct SizeTests {
  @Test("Asked for once, a size brings width, height, colour and placeholder into the API, under the same name")
  func facts() throws {
    try withShopAndOrigin { shop, _ in
      let image = try shop.json("/api/v1/products/HBDEF")["product"]["image"]
      #expect(try image["width"] == .null && image["placeholder"] == .null)
      let path = try shop.picture(of: "HBDEF", "thumb")
      #expect(try shop.get(path).status == 200)
      let known = try #require(
        try Patience.until {
          let image = try shop.json("/api/v1/products/HBDEF")["product"]["image"]
          return try image["placeholder"] == .null ? nil : image
        })
      #expect(try known["width"].integer == 8 && known["height"].integer == 8)
      #expect(try known["color"].text.wholeMatch(of: /#[0-9a-f]{6}/) != nil)
      #expect(try shop.picture(of: "HBDEF", "thumb") == path)
    }
  }

  @Test("Where memory runs out, a worker is to go before the server")
  func memory() throws {
    try withShopAndOrigin { shop, _ in
      #expect(try shop.get(shop.picture(of: "HBDEF", "thumb")).status == 200)
      func text(_ path: String) -> String {
        String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
      }
      let server = "/proc/\(shop.process.identifier)"
      let children = try FileManager.default.contentsOfDirectory(atPath: "\(server)/task").flatMap { thread in
        text("\(server)/task/\(thread)/children").split(separator: " ")
      }
      let workers = children.filter { text("/proc/\($0)/comm") == "banchan-derive\n" }
      #expect(!workers.isEmpty)
      for worker in workers { #expect(text("/proc/\(worker)/oom_score_adj") == "1000\n") }
      #expect(text("\(server)/oom_score_adj") != "1000\n")
    }
  }

  @Test("Each size answers as WebP to whoever asks by that name, and as PNG only for transparent pictures")
  func formats() throws {
    try withShopAndOrigin { shop, origin in
      origin["/images/HDF73.jpg"] = .picture(Picture.webp)
      let path = try shop.picture(of: "HBDEF", "medium")
      #expect(try shop.get(path.dropLast(3) + "webp")["Content-Type"] == "image/webp")
      expectProblem(try shop.get(path.dropLast(3) + "png"), 415, "picture-unsupported")
      #expect(try shop.get(shop.picture(of: "HDF73", "medium"))["Content-Type"] == "image/jpeg")
    }
  }

  @Test("After warming every size is there although the origin is gone, and the API knows all about each picture")
  func warmed() throws {
    try withShopAndOrigin { shop, origin in
      let warmed = try BanchanProcess.run(
        ["images", "warm", "--data", "data", "--cache", "cache"], in: shop.folder.path)
      #expect(warmed.output.contains("8 fetched"), "\(warmed)")
      origin.stop()
      for size in ["thumb", "medium", "large"] {
        let reply = try shop.get(try shop.picture(of: "HBDEF", size))
        #expect(reply.status == 200 && reply["Cache-Status"]?.contains("hit") == true, "\(size)")
      }
      let image = try shop.json("/api/v1/products/HBDEF")["product"]["image"]
      #expect(try image["placeholder"] != .null && image["width"].integer == 8)
      let status = try BanchanProcess.run(
        ["images", "status", "--json", "--data", "data", "--cache", "cache"], in: shop.folder.path)
      let derived = try StrictJSON(Array(status.output.utf8))["derived"]["count"].integer
      #expect(derived >= 1, "\(status.output)")
    }
  }

  @Test("A picture that cannot be decoded is 422 in every size, and gives way to the placeholder in the lists")
  func undecodable() throws {
    try withShopAndOrigin { shop, origin in
      origin["/images/HBDEF.jpg"] = .picture(Array(Picture.jpeg("HBDEF").dropLast(20)))
      let path = try shop.picture(of: "HBDEF", "thumb")
      expectProblem(try shop.get(path), 422, "picture-undecodable")
      let shown = try #require(
        try Patience.until {
          let shown = try shop.picture(of: "HBDEF", "thumb")
          return shown == path ? nil : shown
        })
      #expect(try shop.get(shown).status == 200)
    }
  }

  @Test("Without the worker beside it, a shop shows originals that nobody may keep, and says that it is degraded")
  func noWorker() throws {
    try Folder.withTemporary { folder in
      // By a process of its own: a file that this one has open for writing could not be run.
      let copy = try BanchanProcess.run([BanchanProcess.binary(), "banchan"], in: folder.path, program: "cp")
      try #require(copy.end == .exited(0), "\(copy.messages)")
      let origin = try ScriptedOrigin()
      defer { origin.stop() }
      origin["/images/HBDEF.jpg"] = .picture(Picture.jpeg("HBDEF"))
      try folder.write(SampleShop().json, to: "seed/catalog.json")
      let process = try BanchanProcess(
        [
          "serve", "--port", "0", "--data", "data", "--cache", "cache", "--seed", "seed", "--warm", "off",
          "--origin-base", origin.base,
        ], in: folder.path, program: folder["banchan"])
      defer { process.endForCertain() }
      let port = try RunningShop.waitForPort(process)
      func get(_ target: String) throws -> Reply {
        let connection = try RawConnection(port: port)
        try connection.request("GET", target)
        return try connection.readReply()
      }
      let url = try get("/api/v1/products/HBDEF").json["product"]["image"]["urls"]["thumb"].text
      let reply = try get(String(url.dropFirst("http://shop.test".count)))
      #expect(reply.body == Picture.jpeg("HBDEF") && reply["Cache-Control"] == "no-store")
      #expect(try get("/readyz").json["status"].text == "degraded")
    }
  }
}
