import FoundationEssentials
import Testing

@Suite("The manifest of pictures", .blocking)
struct ManifestTests {
  @Test("It has every picture that answers show, with its names, and what is known of its bytes")
  func entries() throws {
    try withShopAndOrigin { shop, _ in
      let bytes = try shop.get(try shop.picture(of: "HBDEF")).body
      let id = try shop.json("/api/v1/products/HBDEF")["product"]["image"]["id"].text
      // What was learnt is published a little later.
      let found: StrictJSON? = try Patience.until {
        let manifest = try shop.json("/api/v1/images")
        let entry = try manifest["pictures"].items.first { try $0["id"].text == id }
        return try entry?["files"]["original"]["digest"] == .null ? nil : manifest
      }
      let manifest = try #require(found)
      #expect(manifest.keys == ["version", "since", "placeholderPicture", "pictures", "removed", "nextCursor", "next"])
      #expect(try manifest["since"] == .null && manifest["nextCursor"] == .null && manifest["next"] == .null)
      let pictures = try manifest["pictures"].items
      #expect(pictures.count == 12)
      let placeholder = try manifest["placeholderPicture"].text
      #expect(try pictures.contains { try $0["id"].text == placeholder })
      for picture in pictures {
        #expect(picture.keys == ["id", "width", "height", "color", "placeholder", "files"])
        let files = try picture["files"]
        #expect(files.keys == ["thumb", "medium", "large", "original"])
        for size in files.keys {
          #expect(try files[size].keys == ["url", "bytes", "digest"])
          let name = try "/images/\(picture["id"].text)-1a-\(size)."
          #expect(try shop.path(of: files[size]["url"].text).hasPrefix(name))
        }
      }
      let original = try #require(try pictures.first { try $0["id"].text == id })["files"]["original"]
      #expect(try original["bytes"].integer == bytes.count)
      #expect(try original["digest"].text == sha256(of: bytes, in: shop.folder))
    }
  }

  @Test("Many pictures come in pages, each once, in whatever coding; an unchanged page is 304")
  func pages() throws {
    try withShop(Self.largeShop) { shop in
      var ids: [String] = []
      var next = "/api/v1/images"
      var sizes: [Int] = []
      while true {
        let reply = try shop.get(next)
        #expect(reply.status == 200)
        let page = try reply.json
        ids += try page["pictures"].items.map { try $0["id"].text }
        sizes.append(try page["pictures"].items.count)
        #expect(try page["version"].integer == 1)
        guard case .string(let following) = try page["next"] else {
          #expect(reply["Link"] == nil)
          break
        }
        #expect(reply["Link"] == "<\(following)>; rel=\"next\"")
        #expect(try following == "/api/v1/images?cursor=\(page["nextCursor"].text)")
        next = following
      }
      #expect(sizes == [200, 200, 101])
      #expect(Set(ids).count == 501 && ids == ids.sorted())

      let plain = try shop.get("/api/v1/images")
      let tag = try #require(plain["ETag"])
      let same = try shop.get("/api/v1/images", "If-None-Match: \(tag)")
      #expect(same.status == 304 && same.body.isEmpty)
      let coded = try shop.get("/api/v1/images", "Accept-Encoding: gzip")
      #expect(coded["Content-Encoding"] == "gzip" && coded["ETag"] != tag && coded.body.count < plain.body.count / 4)
      #expect(coded["Vary"]?.contains("Accept-Encoding") == true)
    }
  }

  @Test("Who says which version is at hand is told what changed since, also what is no longer shown")
  func since() throws {
    try withShop { shop in
      let first = try shop.json("/api/v1/images")
      let nothing = try shop.json("/api/v1/images?since=1")
      #expect(
        try nothing["since"].integer == 1 && nothing["pictures"].items.isEmpty && nothing["removed"].items.isEmpty)

      let old = try shop.json("/api/v1/products/HDF73")["product"]["image"]["id"].text
      try shop.folder.write(SampleShop().setting("image", of: 1, to: quoted("images/new.jpg")).json, to: "new.json")
      _ = try BanchanProcess.run(["import", "new.json", "--data", "data"], in: shop.folder.path)
      let new = try shop.json("/api/v1/products/HDF73")["product"]["image"]["id"].text
      let changes = try shop.json("/api/v1/images?since=1")
      #expect(try changes["version"].integer == 2 && changes["since"].integer == 1)
      #expect(try changes["pictures"].items.map { try $0["id"].text } == [new])
      #expect(try changes["removed"].texts == [old])

      // A server that was started anew knows nothing of before, and says so by telling everything.
      try shop.restart()
      let whole = try shop.json("/api/v1/images?since=1")
      #expect(try whole["since"] == .null)
      #expect(try whole["pictures"].items.count == first["pictures"].items.count)
      let now = try shop.json("/api/v1/images?since=2")
      #expect(try now["since"].integer == 2 && now["pictures"].items.isEmpty)
    }
  }

  @Test(
    "What is no version and no cursor is refused with its name",
    arguments: ["since=", "since=x", "since=-1", "since=1.5", "since=1&since=2", "cursor=", "cursor=abc", "limit=5"])
  func refused(query: String) throws {
    try withShop { shop in
      let reply = try shop.get("/api/v1/images?\(query)")
      #expect(reply.status == 400)
      let name = query.prefix { $0 != "=" }
      #expect(try reply.json["code"].text == (name == "limit" ? "unknown-parameter" : "invalid-parameter"))
      #expect(try reply.json["detail"].text.contains("'\(name)'"))
    }
  }

  // MARK: Helpers

  /// 500 pictures and the placeholder.
  private static var largeShop: SampleShop {
    var shop = SampleShop()
    shop.collections = []
    shop.products = (0..<100).map { number in
      let images = (0..<5).map { quoted("images/\(number)-\($0).jpg") }
      return Members([
        ("id", quoted("P\(number)")), ("section", quoted("main")), ("title", quoted("반찬")), ("description", quoted("")),
        ("price", "1"), ("image", images[0]), ("images", "[\(images.joined(separator: ", "))]"),
      ])
    }
    return shop
  }

  private func sha256(of bytes: [UInt8], in folder: Folder) throws -> String {
    try folder.write(bytes, to: "sum")
    let result = try BanchanProcess.run(["sum"], in: folder.path, program: "/usr/bin/sha256sum")
    return String(result.output.prefix { $0 != " " })
  }
}
