import Client
import HTTP
import Testing

@testable import Shop

@Suite struct OriginMountTests {
  private func head(_ target: String) throws -> RequestHead {
    let storage = HeadStorage(limits: RequestLimits())
    let bytes = Array("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
    _ = try storage.fill { room in
      room.copyBytes(from: bytes)
      return bytes.count
    }
    var parser = RequestParser(limits: RequestLimits())
    guard case .head(let head) = try parser.parse(storage) else { throw Unparsed() }
    return head
  }

  private struct Unparsed: Error {}

  private func url(_ target: String) throws -> String? {
    let mount = try OriginMount("/jk/storeapp/data=https://pictures.example/shop/data")
    return try mount.url(of: try head(target))?.description
  }

  @Test(
    "What stands below the mount is fetched below the origin's folder, with its query and as it is written",
    arguments: [
      ("/jk/storeapp/data/main/a.jpg", "https://pictures.example/shop/data/main/a.jpg"),
      ("/jk/storeapp/data/a.jpg?w=1&b=%2f", "https://pictures.example/shop/data/a.jpg?w=1&b=%2F"),
      ("/jk/storeapp/data/a+b%20c.jpg?", "https://pictures.example/shop/data/a+b%20c.jpg?"),
      ("/jk/storeapp/data//a//b.jpg", "https://pictures.example/shop/data//a//b.jpg"),
      ("/jk/storeapp/data/%ea%b0%88.jpg", "https://pictures.example/shop/data/%EA%B0%88.jpg"),
      ("/jk/storeapp/data/...a..b./c..jpg", "https://pictures.example/shop/data/...a..b./c..jpg"),
    ])
  func urls(_ target: String, _ expected: String) throws {
    let url = try url(target)
    #expect(url == expected)
  }

  @Test(
    "What stands beside it is not the mount's",
    arguments: ["/jk/storeapp/data", "/jk/storeapp/data/", "/jk/storeapp/datax/a.jpg", "/jk/storeapp/DATA/a.jpg", "/"])
  func others(_ target: String) throws {
    let url = try url(target)
    #expect(url == nil)
  }

  @Test(
    "No path leads out of the folder, however it is written",
    arguments: [
      "../a", "a/../../b", "..", ".", "./a", "%2e%2e/a", "%2E./a", ".%2e", "a/..%2f..%2fb", "..%5c..%5ca",
      "%252e%252e/a",
      "%25252e%25252e/a", "..;/a", "..;x=1/a", "%2e%2e%3b/a", "a/%2e",
    ])
  func traversal(_ rest: String) {
    #expect(throws: MountPathFault.leavesFolder) { try url("/jk/storeapp/data/\(rest)") }
  }

  @Test(
    "What is no mount is refused with a sentence",
    arguments: [
      "/a", "a=http://b.example", "=http://b.example", "/=http://b.example", "/a//b=http://b.example",
      "/../a=http://b.example", "/{x}=http://b.example", "/a=ftp://b.example", "/a=b", "/a=http://b.example/?x=1",
      "/반찬=http://b",
    ])
  func refusals(_ text: String) {
    let error = #expect(throws: OriginMountError.self) { try OriginMount(text) }
    #expect(error?.description.hasSuffix(".") == true)
  }

  @Test("Mounts and routes do not stand in each other's way")
  func clashes() throws {
    func route(_ pattern: String) -> Route { Route(.get, pattern) { (_) throws(Problem) in throw Problem(.notFound) } }
    func check(_ mounts: [String], _ patterns: [String]) throws {
      try OriginMount.check(
        try mounts.map { (text) throws(OriginMountError) in try OriginMount("\(text)=http://o.example") },
        beside: patterns.map(route))
    }
    try check(["/jk/storeapp/data", "/jk/storeapp/data2"], ["/jk/storeapp/main.json", "/onban/{section}", "/"])
    #expect(throws: OriginMountError.nested("/a", "/a")) { try check(["/a", "/a"], []) }
    #expect(throws: OriginMountError.nested("/a/b", "/a")) { try check(["/a/b", "/a"], []) }
    let clashes = [("/images", "/images/{name}"), ("/images/x", "/images/{name}"), ("/api", "/api/v1/products")]
    for (mount, pattern) in clashes {
      #expect(throws: OriginMountError.route(prefix: mount, pattern: pattern)) { try check([mount], [pattern]) }
    }
  }
}
