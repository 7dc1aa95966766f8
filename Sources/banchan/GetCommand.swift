import Catalog
import HTTP
import Images
import Net
import Server
import Shop

/// `banchan get`: one request through the router, without a server.
enum GetCommand: Command {
  static let name = "get"
  static let summary = "Answers one path as the server would, without a server."
  static let operand: String? = "PATH"
  static let settings = Setting.named("data", "cache", "public-url", "origin-base", "origin-allow", "surface", "public")
  static let flags = [Flag(name: "include", value: "", help: "write the answer's status and fields too")]

  static func run(_ flags: Flags) throws(CommandFailure) {
    guard let path = flags.operands.first else { throw .usage("`banchan get` needs a path such as /api/v1/catalog") }
    let head = try requestHead(path)
    let plan = try ServeCommand.Plan(flags.settings)
    let store = CatalogStore(frozen: try ShopFiles.readSnapshot(plan.data))
    let loop = try Running.makeLoops(1)[0]
    let service = try ServeCommand.makeService(
      plan, store, plan.originBase, SocketAddress(.loopback, port: 80), loop,
      withPictures: ["/images/", "/api/v1/images"].contains { path.hasPrefix($0) }
    ) { Messages.write("banchan: \($0)") }
    let answer: (head: [UInt8], body: [UInt8], status: Status) = Waiting.wait(on: loop) {
      let peer = SocketAddress(.loopback, port: 0)
      return await bytes(of: service.respond(to: Request(head: head, body: [], isEncrypted: false, peer: peer)))
    }
    try Output.write((flags.has("include") ? answer.head : []) + answer.body)
    if answer.status.isError { throw .failed("the answer is \(answer.status.code) \(answer.status.reason)") }
  }

  /// The head of a GET request for a path; what a URL must escape is escaped.
  private static func requestHead(_ path: String) throws(CommandFailure) -> RequestHead {
    let text = "GET \(escaped(path)) HTTP/1.1\r\nHost: localhost\r\n\r\n"
    do throws(RequestFault) {
      guard let head = try RequestHead(parsing: Array(text.utf8)) else {
        throw RequestFault.malformed("an unfinished request")
      }
      return head
    } catch {
      throw .usage("'\(path)' is not a path that can be asked for: \(error.reason ?? "it is too long")")
    }
  }

  private static func escaped(_ path: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    let bytes = path.utf8.flatMap { byte in
      byte > 0x20 && byte < 0x7f ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func bytes(of response: Response) async -> (head: [UInt8], body: [UInt8], status: Status) {
    var head: [UInt8] = []
    PreparedResponse(response).appendHead(of: .full, to: &head, now: CatalogStore.now)
    head += Array("\r\n".utf8)
    switch response.body {
    case .empty: return (head, [], response.status)
    case .bytes(let body): return (head, body, response.status)
    case .source(let source): return (head, await source.bytes(0..<source.count), response.status)
    // It would never end.
    case .stream(let stream): return (head, await stream.next() ?? [], response.status)
    }
  }
}
