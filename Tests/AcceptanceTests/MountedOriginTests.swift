import Testing

@Suite("Mounted origins", .blocking)
struct MountedOriginTests {
  @Test("An origin's folder is served under its path: fetched once, with the fields that a shared cache goes by")
  func served() throws {
    let pictures = try ScriptedOrigin()
    defer { pictures.stop() }
    let name = "%EA%B0%88%EB%B9%84%201.jpg"
    pictures["/data/\(name)"] = .picture(Picture.jpeg("galbi"))
    let mount = "/jk/storeapp/data=http://127.0.0.1:\(pictures.port)/data"
    try withShopAndOrigin(arguments: ["--mount", mount]) { shop, _ in
      let path = "/jk/storeapp/data/\(name)"
      let first = try shop.get(path)
      let second = try shop.get(path)
      for reply in [first, second] {
        #expect(reply.status == 200 && reply.body == Picture.jpeg("galbi"))
        #expect(
          reply["Cache-Control"] == "public, max-age=86400, stale-while-revalidate=604800, stale-if-error=2592000")
        #expect(reply["Content-Type"] == "image/jpeg")
        #expect(reply["X-Content-Type-Options"] == "nosniff")
      }
      #expect(first["Cache-Status"]?.hasPrefix("banchan; fwd=miss; fwd-status=200; stored") == true)
      #expect(second["Cache-Status"]?.hasPrefix("banchan; hit; ttl=") == true)
      #expect(pictures.count == 1)
      // Pictures only, and nothing beside the folder.
      expectProblem(try shop.get("/jk/storeapp/data/none.jpg"), 404, "picture-not-found")
      expectProblem(try shop.get("/jk/storeapp/data/%2e%2e/secret.jpg"), 400, "invalid-request")
      #expect(try shop.get("/jk/storeapp/main.json").status == 200)
      // What is stored outlives its origin.
      pictures.stop()
      try shop.restart()
      #expect(try shop.get(path).body == Picture.jpeg("galbi"))
    }
  }
}
