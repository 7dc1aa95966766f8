import Glibc

/// A server with folders of its own, on a port of its own.
final class RunningShop {
  /// Where its pictures come from.
  enum Pictures {
    /// A port where nobody listens: the test asks for none.
    case nowhere
    case origin(ScriptedOrigin)
    /// Another process, at this URL.
    case base(String)
    /// `banchan origin` on the seed folder, which the server starts itself.
    case seedFolder
  }

  let folder: Folder
  private let arguments: [String]
  private(set) var process: BanchanProcess
  private(set) var port: UInt16

  fileprivate init(
    _ folder: Folder, _ pictures: Pictures, _ arguments: [String], descriptorLimit: Int?, limits: String? = nil
  ) throws {
    self.folder = folder
    var all = ["serve", "--port", "0", "--data", "data", "--cache", "cache"] + arguments
    // Who counts an origin's requests wants none that nobody made.
    if !arguments.contains("--warm") { all += ["--warm", "off"] }
    if !arguments.contains("--seed") { all += ["--seed", "seed"] }
    switch pictures {
    case .nowhere: all += ["--origin-base", "http://127.0.0.1:1/"]
    case .origin(let origin): all += ["--origin-base", origin.base]
    case .base(let base): all += ["--origin-base", base]
    case .seedFolder: break
    }
    self.arguments = all
    process = try BanchanProcess(
      all, in: folder.path, descriptorLimit: descriptorLimit,
      environment: limits.map { ["BANCHAN_TEST_LIMITS=\($0)"] } ?? [])
    port = try Self.waitForPort(process)
  }

  /// What it was told of its origin.
  var originBase: String? {
    arguments.firstIndex(of: "--origin-base").map { arguments[$0 + 1] }
  }

  /// Ends the server.
  func stop() throws {
    process.send(SIGTERM)
    guard try process.waitForEnd() == .exited(0) else { throw Failure("It did not end in peace") }
  }

  /// Ends the server if it runs, and starts it again on the same folders, perhaps with more flags; warming only if they say so.
  func restart(_ more: String...) throws {
    try stop()
    var arguments = arguments
    if more.contains("--warm"), let index = arguments.firstIndex(of: "--warm") {
      arguments.removeSubrange(index...index + 1)
    }
    process = try BanchanProcess(arguments + more, in: folder.path)
    port = try Self.waitForPort(process)
  }

  /// Starts it on the same folders after it was killed.
  func startAgain() throws {
    process = try BanchanProcess(arguments, in: folder.path)
    port = try Self.waitForPort(process)
  }

  /// The port that the server says it listens on.
  static func waitForPort(_ process: BanchanProcess, scheme: String = "http") throws -> UInt16 {
    do {
      let line = try process.waitForLine(containing: "listening on \(scheme)://")
      guard let port = line.firstMatch(of: /https?:\/\/127\.0\.0\.1:(\d+)/).flatMap({ UInt16($0.1) }) else {
        throw Failure("No port in “\(line)”")
      }
      return port
    } catch {
      process.endForCertain()
      throw error
    }
  }

  /// Its address, as a client writes it.
  var url: String { "http://127.0.0.1:\(port)" }

  /// The port for HTTPS, when it was started with one.
  func securePort() throws -> UInt16 { try Self.waitForPort(process, scheme: "https") }

  // MARK: Asking it

  func connect() throws -> RawConnection { try RawConnection(port: port) }

  /// One request on a connection of its own.
  func ask(_ method: String, _ target: String, _ fields: String...) throws -> Reply {
    let connection = try connect()
    try connection.request(method, target, fields)
    return try connection.readReply(to: method)
  }

  func get(_ target: String, _ fields: String...) throws -> Reply {
    let connection = try connect()
    try connection.request("GET", target, fields)
    return try connection.readReply()
  }

  /// The JSON of an answer that must be a success.
  func json(_ target: String) throws -> StrictJSON {
    let reply = try get(target)
    guard reply.status == 200 else { throw Failure("\(target) answered \(reply.status): \(reply.text)") }
    return try reply.json
  }

  /// The path under which the shop shows a product's list picture in a size.
  func picture(of product: String, _ size: String = "original") throws -> String {
    let url = try json("/api/v1/products/\(product)")["product"]["image"]["urls"][size].text
    return try path(of: url)
  }

  /// The path of an absolute URL of this shop.
  func path(of url: String) throws -> String {
    guard url.hasPrefix("http://shop.test/") else { throw Failure("Not a URL of the asked host: \(url)") }
    return String(url.dropFirst("http://shop.test".count))
  }
}

/// Runs a shop for the length of a test, and leaves nothing of it. `limits` are other limits than its own, such as
/// `idleTime=500`, for tests that cannot wait for those.
func withShop(
  _ shop: SampleShop = SampleShop(), pictures: RunningShop.Pictures = .nowhere, arguments: [String] = [],
  descriptorLimit: Int? = nil, seedPictures: [String: [UInt8]] = [:], limits: String? = nil,
  _ body: (RunningShop) throws -> Void
) throws {
  try Folder.withTemporary { folder in
    try folder.write(shop.json, to: "seed/catalog.json")
    for (name, bytes) in seedPictures { try folder.write(bytes, to: "seed/\(name)") }
    let running = try RunningShop(folder, pictures, arguments, descriptorLimit: descriptorLimit, limits: limits)
    defer { running.process.endForCertain() }
    try body(running)
  }
}

/// A shop whose pictures come from an origin that has one for every product.
func withShopAndOrigin(
  _ shop: SampleShop = SampleShop(), arguments: [String] = [], _ body: (RunningShop, ScriptedOrigin) throws -> Void
) throws {
  let origin = try ScriptedOrigin()
  defer { origin.stop() }
  for id in ["HBDEF", "HDF73", "HF778", "HFB53", "H72C3", "HBBCC", "kimchi_01-A", "placeholder"] {
    origin["/images/\(id).jpg"] = .picture(Picture.jpeg(id))
  }
  try Folder.withTemporary { folder in
    try folder.write(shop.json, to: "seed/catalog.json")
    let running = try RunningShop(folder, .origin(origin), arguments, descriptorLimit: nil)
    defer { running.process.endForCertain() }
    try body(running, origin)
  }
}

/// The folder this checkout is in.
func checkout() -> String {
  // This file is at Tests/AcceptanceTests/Support in it.
  #filePath.split(separator: "/").dropLast(4).map { "/\($0)" }.joined()
}

/// The checkout's own seed, with its own pictures, as a newcomer gets it.
func withDemoShop(arguments: [String] = [], _ body: (RunningShop) throws -> Void) throws {
  let seed = checkout() + "/seed"
  try Folder.withTemporary { folder in
    let running = try RunningShop(folder, .seedFolder, ["--seed", seed] + arguments, descriptorLimit: nil)
    defer { running.process.endForCertain() }
    try body(running)
  }
}
