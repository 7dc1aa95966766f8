import Glibc
import Testing

@Suite("A shop in a folder", .blocking)
struct PullTests {
  @Test("Killed ten times in the middle, then finished: all is there and right, and the shop may go")
  func killed() throws {
    try withDemoShop(arguments: ["--warm", "on"]) { shop in
      let folder = shop.folder
      try EventListener(shop).waitUntilWarm()
      for round in 1...10 {
        let pull = try BanchanProcess(["pull", shop.url, "copy"], in: folder.path)
        // At another point of the work each time: some files further than before.
        let isFurther: Bool? = Patience.soon { filesOfPictures(in: folder).count >= round * 10 ? true : nil }
        #expect(isFurther == true)
        pull.send(SIGKILL)
        #expect(try pull.waitForEnd() == .signalled(SIGKILL))
        // What is there is whole at any time.
        _ = try checkedPictures(in: folder)
      }
      let last = try pull(from: shop)
      #expect(last.end == .exited(0), "\(last.messages)")
      #expect(try last.report["isComplete"] == .bool(true))
      shop.process.endForCertain()

      let (pictures, stored) = try checkedPictures(in: folder)
      #expect(pictures == stored)
      #expect(try last.report["pictures"].integer == stored && last.report["stored"].integer == stored)
      let products = try StrictJSON(folder.read("copy/catalog.json"))["sections"].items.flatMap {
        try $0["products"].items
      }
      #expect(products.count == 51)
      for product in products {
        let own = try StrictJSON(folder.read("copy/products/\(product["id"].text).json"))
        #expect(try own["product"]["title"] == product["title"])
        let urls = try product["image"]["urls"]
        let names = try urls.keys.map { try urls[$0].text.split(separator: "/").last ?? "" }
        #expect(names.contains { (try? folder.read("copy/pictures/\($0)"))?.isEmpty == false })
      }
      #expect(try folder.names(in: "copy/.partial").isEmpty)
    }
  }

  @Test("Once all is there, a pull fetches what changed, removes what went, and asks for nothing else")
  func changes() throws {
    try withShopAndOrigin(SampleShop.ofOnePicture, arguments: ["--warm", "on"]) { shop, origin in
      try EventListener(shop).waitUntilWarm(#""failed":0"#)
      let first = try pull(from: shop, "--sizes", "original")
      #expect(first.end == .exited(0), "\(first.messages)")
      let before = try shop.folder.files(in: "copy")
      let again = try pull(from: shop, "--sizes", "original")
      #expect(try again.end == .exited(0) && again.report["fetched"].integer == 0)
      #expect(try shop.folder.files(in: "copy") == before)

      origin["/images/new.jpg"] = .picture(Picture.jpeg("new"))
      try shop.folder.write(
        SampleShop.ofOnePicture.setting("image", of: 1, to: quoted("images/new.jpg")).json, to: "new.json")
      let imported = try BanchanProcess.run(["import", "new.json", "--data", "data"], in: shop.folder.path)
      #expect(imported.end == .exited(0))
      try EventListener(shop).waitUntilWarm(#""failed":0"#)
      let next = try pull(from: shop, "--sizes", "original")
      #expect(next.end == .exited(0), "\(next.messages)")
      #expect(try next.report["fetched"].integer == 1 && next.report["removed"].integer == 1)
      let files = try shop.folder.files(in: "copy/pictures")
      #expect(files.values.contains(Picture.jpeg("new")) && !files.values.contains(Picture.jpeg("HDF73")))
    }
  }

  @Test("A file that was damaged is fetched again when the digests are checked, a short one always")
  func damage() throws {
    try withShopAndOrigin(SampleShop.ofOnePicture, arguments: ["--warm", "on"]) { shop, _ in
      try EventListener(shop).waitUntilWarm()
      _ = try pull(from: shop, "--sizes", "original")
      let files = try shop.folder.files(in: "copy/pictures")
      for (place, name) in files.keys.sorted().prefix(2).enumerated() {
        var bytes = files[name] ?? []
        if place == 0 { bytes.removeLast() } else { bytes[bytes.count - 3] ^= 1 }
        try shop.folder.write(bytes, to: "copy/pictures/\(name)")
      }
      let usual = try pull(from: shop, "--sizes", "original")
      #expect(try usual.report["fetched"].integer == 1)
      let careful = try pull(from: shop, "--sizes", "original", "--check")
      #expect(try careful.report["fetched"].integer == 1)
      #expect(try shop.folder.files(in: "copy/pictures") == files)
    }
  }

  @Test("A picture that cannot be had stops nothing, is named, and is asked for again the next time")
  func failures() throws {
    try withShopAndOrigin(SampleShop.ofOnePicture) { shop, origin in
      origin["/images/HDF73.jpg"] = .status(500)
      let first = try pull(from: shop, "--sizes", "original")
      #expect(first.end == .exited(3))
      #expect(try first.report["isComplete"] == .bool(false))
      #expect(try first.report["failures"].items.count == 1)
      #expect(first.messages.contains("1 thing"), "\(first.messages)")
      let stored = try first.report["stored"].integer
      #expect(try first.report["pictures"].integer == stored + 1)
      origin["/images/HDF73.jpg"] = .picture(Picture.jpeg("HDF73"))
      // The shop remembers for a few seconds that its origin failed.
      let done: Bool? = try Patience.until {
        try pull(from: shop, "--sizes", "original").end == .exited(0) ? true : nil
      }
      #expect(done == true)
    }
  }

  @Test("Without a shop the folder stays as it was, and the exit code is 1; another shop's folder is refused")
  func nobody() throws {
    try withShopAndOrigin(SampleShop.ofOnePicture, arguments: ["--warm", "on"]) { shop, _ in
      try EventListener(shop).waitUntilWarm()
      _ = try pull(from: shop)
      let before = try shop.folder.files(in: "copy")
      shop.process.endForCertain()
      let gone = try pull(from: shop)
      #expect(gone.end == .exited(1) && gone.messages.contains("what was pulled before stays"), "\(gone.messages)")
      let other = try BanchanProcess.run(["pull", "http://127.0.0.1:1/other", "copy"], in: shop.folder.path)
      #expect(other.end == .exited(1) && other.messages.contains("was pulled from"), "\(other.messages)")
      #expect(try shop.folder.files(in: "copy") == before)
    }
  }

  @Test(
    "Wrong words are refused",
    arguments: [[], ["http://127.0.0.1:1/"], ["x", "y"], ["http://h/", "d", "--sizes", "huge"]])
  func usage(words: [String]) throws {
    try Folder.withTemporary { folder in
      let result = try BanchanProcess.run(["pull"] + words, in: folder.path)
      #expect(result.end == .exited(2))
    }
  }

  // MARK: Helpers

  private func pull(
    from shop: RunningShop, _ more: String...
  ) throws -> (end: BanchanProcess.End, report: StrictJSON, messages: String) {
    let result = try BanchanProcess.run(["pull", shop.url, "copy", "--json"] + more, in: shop.folder.path)
    let report = result.output.isEmpty ? .null : try StrictJSON(Array(result.output.utf8))
    return (result.end, report, result.messages)
  }

  private func filesOfPictures(in folder: Folder) -> [String] { (try? folder.names(in: "copy/pictures")) ?? [] }

  /// Checks every file whose digest is known; how many pictures there are to be, and how many have a file.
  private func checkedPictures(in folder: Folder) throws -> (total: Int, stored: Int) {
    guard let list = try? folder.read("copy/pictures.json") else { return (0, 0) }
    let sums = try BanchanProcess.run(
      ["-c", "cd copy/pictures && for file in *; do sha256sum -- \"$file\"; done"], in: folder.path, program: "/bin/sh")
    var digests: [Substring: Substring] = [:]
    for line in sums.output.split(separator: "\n") {
      let words = line.split(separator: " ")
      digests[words[1]] = words[0]
    }
    let pictures = try StrictJSON(list)["pictures"].items
    let stored = try pictures.count { picture in
      let files = try picture["files"]
      let present = try files.keys.filter { size in
        guard let digest = digests[try files[size]["name"].text[...]] else { return false }
        if case .string(let known) = try files[size]["digest"] { #expect(digest == known[...]) }
        return true
      }
      return !present.isEmpty
    }
    return (pictures.count, stored)
  }
}

extension SampleShop {
  /// The sample shop with one picture for each product, all of which the origin has.
  fileprivate static var ofOnePicture: SampleShop {
    SampleShop().setting("images", of: 0, to: nil).setting("details", of: 0, to: nil)
  }
}
