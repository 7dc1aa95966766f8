import Glibc
import Testing

@Suite("Looking after pictures", .blocking)
struct ImagesCommandTests {
  @Test(
    "warm fetches what is missing, says what failed, and has nothing to do the next time; with a server and without")
  func warm() throws {
    for isRunning in [false, true] {
      try withShopAndOrigin { shop, origin in
        if !isRunning { try shop.stop() }
        origin["/images/HDF73.jpg"] = .status(500)
        let first = try images(shop, "warm")
        #expect(first.end == .exited(3), "\(first)")
        #expect(first.output.contains("7 fetched, 0 stored before, 5 failed"), "\(first)")
        #expect(first.messages.contains("images/HDF73.jpg: ") && first.messages.contains("status 500"), "\(first)")
        origin["/images/HDF73.jpg"] = .picture(Picture.jpeg("HDF73"))
        for name in ["HBDEF-2", "HBDEF-3", "HBDEF-d1", "HBDEF-d2"] {
          origin["/images/\(name).jpg"] = .picture(Picture.jpeg(name))
        }
        let second = try images(shop, "warm")
        #expect(second.end == .exited(0) && second.output.contains("5 fetched, 7 stored before, 0 failed"), "\(second)")
        let asked = origin.count
        let third = try images(shop, "warm", "--json")
        #expect(third.end == .exited(0))
        #expect(try StrictJSON(Array(third.output.utf8))["fetched"].integer == 0)
        #expect(origin.count == asked)
      }
    }
  }

  @Test("status counts what is stored, missing, failed and why, and orphans; with a server and without")
  func status() throws {
    for isRunning in [false, true] {
      try withShopAndOrigin { shop, origin in
        origin["/images/HDF73.jpg"] = .status(404)
        _ = try shop.get(try shop.picture(of: "HBDEF"))
        if isRunning {
          _ = try images(shop, "warm")
        } else {
          try shop.stop()
        }
        let status = try StrictJSON(Array(images(shop, "status", "--json").output.utf8))
        #expect(try status["shown"].integer == 12)
        let (stored, missing) = (try status["stored"]["count"].integer, try status["missing"].integer)
        let failed = try status["failed"].items
        #expect(stored == (isRunning ? 7 : 1) && missing == (isRunning ? 0 : 11))
        #expect(failed.count == (isRunning ? 5 : 0))
        if isRunning {
          let one = try #require(try failed.first { try $0["reference"].text == "images/HDF73.jpg" })
          #expect(try one["reason"].text == "the origin has no such picture" && one["isForGood"] == .bool(true))
        }
        #expect(try status["orphans"]["count"].integer == 0)

        // What no product shows any more stays until room is needed, and is counted apart.
        let other = SampleShop().setting("image", of: 0, to: quoted("images/other.jpg")).setting(
          "images", of: 0, to: nil)
        try shop.folder.write(other.json, to: "other.json")
        let imported = try BanchanProcess.run(["import", "other.json", "--data", "data"], in: shop.folder.path)
        #expect(imported.end == .exited(0))
        let words = try images(shop, "status")
        #expect(words.end == .exited(0) && words.output.contains("orphans         1 ("), "\(words)")
      }
    }
  }

  @Test("status knows without a server, too, why a picture failed for good")
  func reasons() throws {
    try withShopAndOrigin { shop, origin in
      origin["/images/HDF73.jpg"] = .status(404)
      origin["/images/HF778.jpg"] = .picture(Array("<!doctype html>".utf8))
      _ = try images(shop, "warm")
      try shop.stop()
      let failed = try StrictJSON(Array(images(shop, "status", "--json").output.utf8))["failed"].items
      func reason(_ reference: String) throws -> String? {
        try failed.first { try $0["reference"].text == reference }?["reason"].text
      }
      #expect(try reason("images/HDF73.jpg") == "the origin has no such picture")
      #expect(try reason("images/HF778.jpg")?.contains("HTML") == true)
    }
  }

  @Test("verify finds damage that nobody asked for yet, drops it, and it is fetched again; with a server and without")
  func verify() throws {
    for isRunning in [false, true] {
      try withShopAndOrigin { shop, _ in
        for product in ["HBDEF", "HDF73", "HF778"] { _ = try shop.get(try shop.picture(of: product)) }
        if !isRunning { try shop.stop() }
        let sound = try images(shop, "verify")
        #expect(sound.end == .exited(0) && sound.output.hasPrefix("checked 3 ("), "\(sound)")
        let files = try shop.folder.files(in: "cache/objects").keys.sorted()
        var bytes = try shop.folder.read("cache/objects/\(files[0])")
        bytes[bytes.count / 2] ^= 0x10
        try shop.folder.write(bytes, to: "cache/objects/\(files[0])")
        // Who opens the cache anew looks for files that are gone anyway.
        if isRunning { unlink(shop.folder["cache/objects/\(files[1])"]) }
        let found = try images(shop, "verify")
        #expect(
          found.end == .exited(3) && found.output.contains("1 damaged, \(isRunning ? 1 : 0) not there"), "\(found)")
        #expect(try !shop.folder.files(in: "cache/objects").keys.contains(files[0]))
        let again = try images(shop, "verify")
        #expect(again.end == .exited(0) && again.output.hasPrefix("checked \(isRunning ? 1 : 2) ("), "\(again)")
        if !isRunning { try shop.restart() }
        for product in ["HBDEF", "HDF73", "HF778"] {
          let reply = try shop.get(try shop.picture(of: product))
          #expect(reply.body == Picture.jpeg(product))
        }
      }
    }
  }

  @Test("purge removes everything, one picture, or the memory of failures, and says first what it would do")
  func purge() throws {
    for isRunning in [false, true] {
      try withShopAndOrigin { shop, origin in
        origin["/images/HDF73.jpg"] = .status(404)
        if !isRunning { try shop.stop() }
        _ = try images(shop, "warm")
        let dry = try images(shop, "purge", "--all", "--dry-run")
        #expect(dry.end == .exited(0) && dry.output.contains(/^would have removed \d+ \(/), "\(dry)")
        let one = try images(shop, "purge", "images/HBDEF.jpg")
        #expect(one.end == .exited(0) && one.output.hasPrefix("removed 1 ("), "\(one)")
        let none = try images(shop, "purge", "images/HBDEF.jpg")
        #expect(none.end == .exited(1) && none.messages.contains("nothing is stored"), "\(none)")
        let failed = try images(shop, "purge", "--failed")
        #expect(failed.end == .exited(0) && failed.output.hasPrefix("forgotten that 5 pictures failed"), "\(failed)")
        let all = try images(shop, "purge", "--all")
        #expect(all.end == .exited(0) && all.output.contains(/^removed \d+ \(/), "\(all)")
        #expect(try shop.folder.files(in: "cache/objects").isEmpty)
        if !isRunning { try shop.restart() }
        let asked = origin.count("/images/HBDEF.jpg")
        let reply = try shop.get(try shop.picture(of: "HBDEF"))
        #expect(reply.body == Picture.jpeg("HBDEF") && origin.count("/images/HBDEF.jpg") == asked + 1)
      }
    }
  }

  @Test("A server that was started offline refuses to warm", .timeLimit(.minutes(2)))
  func offline() throws {
    try withShopAndOrigin(arguments: ["--offline"]) { shop, origin in
      let result = try images(shop, "warm")
      #expect(result.end == .exited(1) && result.messages.contains("--offline"), "\(result)")
      #expect(origin.count == 0)
    }
  }

  @Test(
    "Wrong words are refused",
    arguments: [[], ["cook"], ["warm", "x"], ["purge"], ["purge", "--all", "--failed"], ["purge", "a", "--all"]])
  func usage(words: [String]) throws {
    try withShop { shop in
      let result = try BanchanProcess.run(["images"] + words + ["--data", "data"], in: shop.folder.path)
      #expect(result.end == .exited(2), "\(result)")
    }
  }

  private func images(
    _ shop: RunningShop, _ words: String...
  ) throws -> (end: BanchanProcess.End, output: String, messages: String) {
    let origin = shop.originBase.map { ["--origin-base", $0] } ?? []
    return try BanchanProcess.run(
      ["images"] + words + ["--data", "data", "--cache", "cache"] + origin, in: shop.folder.path)
  }
}
