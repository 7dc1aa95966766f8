import FoundationEssentials
import Glibc
import OriginScripts
import Testing

@Suite("HTTPS", .blocking)
struct HTTPSTests {
  private let selfSigned = ["--tls-self-signed", "--tls-port", "0"]

  @Test("Answers stand beside the plain ones, with URLs of their own scheme")
  func besidePlain() throws {
    try withShop(arguments: selfSigned) { shop in
      let port = try shop.securePort()
      let wire = try SecureWire(port)
      #expect(wire.certificateIs(for: "localhost"))
      wire.send("GET /api/v1/catalog HTTP/1.1\r\nHost: shop.test\r\nConnection: close\r\n\r\n")
      let answer = String(decoding: wire.readToEnd(), as: UTF8.self)
      #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
      #expect(answer.contains("\"https://shop.test/"))
      #expect(!answer.contains("\"http://shop.test/"))
      #expect(!answer.contains("Strict-Transport-Security"))
      #expect(try shop.get("/api/v1/catalog").text.contains("\"http://shop.test/"))
    }
  }

  @Test("Plain requests are sent there when the operator wants it, but for health, and browsers told to stay")
  func redirect() throws {
    try withShop(arguments: selfSigned + ["--tls-redirect", "--hsts", "3600"]) { shop in
      let port = try shop.securePort()
      let reply = try shop.get("/onban/main?x=1")
      #expect(reply.status == 308)
      #expect(reply["Location"] == "https://shop.test:\(port)/onban/main?x=1")
      #expect(reply["Strict-Transport-Security"] == nil)
      #expect(try shop.get("/livez").status == 200)
      #expect(try shop.get("/readyz").status == 200)
      let wire = try SecureWire(port)
      wire.send("GET /onban/main HTTP/1.1\r\nHost: shop.test\r\nConnection: close\r\n\r\n")
      let answer = String(decoding: wire.readToEnd(), as: UTF8.self)
      #expect(answer.contains("\r\nStrict-Transport-Security: max-age=3600\r\n"))
    }
  }

  @Test(
    "Flags that say half of it are refused with a sentence",
    arguments: [
      ["--tls-cert", "a.pem"], ["--hsts", "1"], ["--tls-redirect"], ["--tls-port", "1"],
      ["--tls-self-signed", "--tls-cert", "a", "--tls-key", "b"],
    ])
  func halfSaid(_ flags: [String]) throws {
    try Folder.withTemporary { folder in
      let (end, _, messages) = try BanchanProcess.run(["serve"] + flags, in: folder.path)
      #expect(end == .exited(2))
      #expect(messages.contains("--tls-"))
    }
  }

  @Test("A hundred reloads under load disturb nobody and cost no memory")
  func reloads() throws {
    try withShop(arguments: selfSigned + ["--log", "off"]) { shop in
      let port = try shop.securePort()
      let request = "GET /onban/main HTTP/1.1\r\nHost: shop.test\r\n\r\n"
      let standing = try SecureWire(port)
      let isDone = Monitor(false)
      let answered = Monitor(0)
      startThread {
        // New connections all the time, while the certificates change under them.
        while !isDone.with({ $0 }), let wire = try? SecureWire(port) {
          wire.send(request)
          guard wire.read(until: "]}").hasPrefix("HTTP/1.1 200 ") else { break }
          answered.with { $0 += 1 }
        }
        isDone.with { $0 = true }
      }
      func reload(upTo count: Int) throws {
        while shop.process.lines.filter({ $0.contains("certificates reloaded") }).count < count {
          let before = shop.process.lines.count
          shop.process.send(SIGHUP)
          guard Patience.soon({ shop.process.lines.count > before ? true : nil }) != nil else {
            throw Failure("no reload")
          }
        }
      }
      try reload(upTo: 50)
      let settled = try residentKilobytes(shop.process.identifier)
      try reload(upTo: 150)
      let after = try residentKilobytes(shop.process.identifier)
      #expect(after < settled + 4_096, "\(settled) kB before a hundred reloads, \(after) kB after")
      // The load went on to the end, and the connection from before the first reload still stands.
      #expect(!isDone.with { $0 })
      isDone.with { $0 = true }
      #expect(answered.with { $0 } > 10)
      standing.send(request)
      #expect(standing.read(until: "]}").hasPrefix("HTTP/1.1 200 "))
    }
  }
}

/// The memory that a process holds.
func residentKilobytes(_ process: pid_t) throws -> Int {
  let status = FileManager.default.contents(atPath: "/proc/\(process)/status").map { Array($0) } ?? []
  let line = String(decoding: status, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
  guard let line, let kilobytes = Int(line.filter { $0.isASCII && $0.isNumber }) else { throw Failure("No VmRSS") }
  return kilobytes
}
