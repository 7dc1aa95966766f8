import OriginScripts
import Testing

@testable import Images

/// One row of images.md, section 4, in which there is no origin to speak to.
struct UnreachableRow: Sendable, CustomTestStringConvertible {
  /// Where pictures are to come from, and what keeps that place as it is.
  struct Place {
    let base: String
    var authority: String?
    var keeper: AnyObject?
  }

  let name: String
  var status: UInt16 = 502
  var code = "origin-unreachable"
  /// Makes the place; it is given an origin that works, on 127.0.0.1.
  let open: @Sendable (ScriptedOrigin) throws -> Place

  var testDescription: String { name }

  private static func secure(
    _ name: String, names: String = "DNS:localhost", isExpired: Bool = false, isTrusted: Bool = true
  ) -> UnreachableRow {
    UnreachableRow(name: name) { _ in
      let origin = try SecureOrigin(names: names, answers: [:], isExpired: isExpired)
      return Place(
        base: "https://localhost:\(origin.port)", authority: isTrusted ? origin.authority : nil, keeper: origin)
    }
  }

  static let rows: [UnreachableRow] = [
    UnreachableRow(name: "a host without an address") { _ in Place(base: "http://no-such-host.invalid") },
    UnreachableRow(name: "nobody at the port") { origin in
      origin.stop()
      return Place(base: origin.base)
    },
    UnreachableRow(name: "nobody takes the connection", status: 504, code: "origin-timeout") { _ in
      let silent = try SilentPort()
      return Place(base: "http://127.0.0.1:\(silent.port)", keeper: silent)
    },
    UnreachableRow(name: "no word of TLS where https is wanted", status: 504, code: "origin-timeout") { origin in
      Place(base: "https://127.0.0.1:\(origin.port)", keeper: origin)
    },
    secure("a certificate of its own making", isTrusted: false),
    secure("a certificate of another name", names: "DNS:other.example"),
    secure("a certificate whose time is over", isExpired: true),
    UnreachableRow(name: "a redirect from https to http", code: "origin-error") { origin in
      let answer = Array("HTTP/1.1 302 X\r\nLocation: \(origin.base)/a.jpg\r\nContent-Length: 0\r\n\r\n".utf8)
      let secure = try SecureOrigin(names: "DNS:localhost", answers: ["a.jpg": answer, "b.jpg": answer])
      return Place(base: "https://localhost:\(secure.port)", authority: secure.authority, keeper: secure)
    },
  ]
}
