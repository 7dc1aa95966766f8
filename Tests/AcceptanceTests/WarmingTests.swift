import Testing

@Suite("Pictures before anybody asks", .blocking)
struct WarmingTests {
  @Test("The catalog is served at once, its pictures follow, and one that nobody asked for outlives its origin")
  func warming() throws {
    try withShopAndOrigin(arguments: ["--warm", "on"]) { shop, origin in
      let listener = try EventListener(shop)
      try listener.waitUntilWarm(#""total":12,"stored":8,"failed":4"#)
      // Each once, those that failed included.
      #expect(origin.count == 12)
      origin.stop()
      for product in ["HBDEF", "kimchi_01-A"] {
        let reply = try shop.get(try shop.picture(of: product))
        #expect(reply.status == 200)
        #expect(reply["Cache-Status"]?.contains("hit") == true)
      }
    }
  }

  @Test("What is stored is not fetched again after a restart")
  func restarting() throws {
    try withShopAndOrigin(arguments: ["--warm", "on"]) { shop, origin in
      try EventListener(shop).waitUntilWarm()
      try shop.restart()
      try EventListener(shop).waitUntilWarm(#""stored":8,"failed":4"#)
      #expect(origin.count("/images/HBDEF.jpg") == 1 && origin.count("/images/HBDEF-2.jpg") == 2)
    }
  }

  @Test(
    "A picture that its origin does not have gives way to the placeholder; an import brings it back once it is there")
  func recovery() throws {
    try withShopAndOrigin { shop, origin in
      origin["/images/HDF73.jpg"] = .status(404)
      try shop.restart("--warm", "on")
      try shop.waitUntilShown(Picture.jpeg("placeholder"), for: "HDF73")
      origin["/images/HDF73.jpg"] = .picture(Picture.jpeg("HDF73"))
      let again = try BanchanProcess.run(["import", "seed", "--data", "data"], in: shop.folder.path)
      #expect(again.output.contains("nothing to do"), "\(again)")
      try shop.waitUntilShown(Picture.jpeg("HDF73"), for: "HDF73")
    }
  }

  @Test("Offline, no origin is ever contacted: what is stored is served, and what is not says so")
  func offline() throws {
    try withShopAndOrigin { shop, origin in
      let (stored, missing) = (try shop.picture(of: "HBDEF"), try shop.picture(of: "HDF73"))
      let first = try shop.get(stored)
      #expect(first.status == 200)
      let heard = origin.count
      try shop.restart("--offline", "--warm", "on")
      let again = try shop.get(stored)
      #expect(again.status == 200 && again.body == Picture.jpeg("HBDEF"))
      let none = try shop.get(missing)
      #expect(none.status == 502 && none["Content-Type"] == "application/problem+json")
      #expect(try none.json["code"].text == "origin-unreachable")
      #expect(try none.json["detail"].text.contains("offline"))
      // Nor was there a connection without a request.
      #expect(origin.count == heard && origin.connectionCount == 1)
    }
  }
}

extension RunningShop {
  /// Waits until the list's picture of a product has these bytes.
  fileprivate func waitUntilShown(_ bytes: [UInt8], for product: String) throws {
    let shown: Bool? = try Patience.until { try get(try picture(of: product)).body == bytes ? true : nil }
    if shown == nil { throw Failure("The list's picture of \(product) never became what it should be") }
  }
}

extension EventListener {
  /// Waits until all pictures were gone through; what was said last must have `text` in it.
  func waitUntilWarm(_ text: String = "") throws {
    while true {
      let event = try next("pictures")
      guard !event.data.contains(#""isWarming":true"#) else { continue }
      guard event.data.contains(text) || text.isEmpty else { throw Failure("Warmed to \(event.data)") }
      return
    }
  }
}
