import Client
import HTTP
import OriginScripts
import Testing

@testable import Images

/// One row of images.md, section 4: an origin that fails in just this way, and what its failing comes to.
struct FailureRow: Sendable, CustomTestStringConvertible {
  let name: String
  let status: UInt16
  let code: String
  var retryAfter: Int?
  let script: ScriptedOrigin.Script

  var testDescription: String { name }

  static func answer(
    _ name: String, _ status: UInt16, _ code: String, retryAfter: Int? = nil, _ text: String
  ) -> FailureRow {
    FailureRow(name: name, status: status, code: code, retryAfter: retryAfter) { request in
      request.send(text)
      request.close()
    }
  }

  static func body(_ name: String, _ status: UInt16, _ code: String, type: String, _ body: String) -> FailureRow {
    FailureRow(name: name, status: status, code: code) { $0.answer(200, type: type, Array(body.utf8)) }
  }

  // Made before anybody waits for it.
  private static let large = jpeg(2_000_001)

  static let rows: [FailureRow] = [
    FailureRow(name: "silence", status: 504, code: "origin-timeout") { $0.waitForClose() },
    FailureRow(name: "a trickle", status: 504, code: "origin-timeout") { request in
      request.send("HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n")
      while request.send([0xFF]) { request.sleep(milliseconds: 30) }
    },
    answer("closed without an answer", 502, "origin-unreachable", ""),
    answer("500", 502, "origin-error", "HTTP/1.1 500 X\r\nContent-Length: 0\r\n\r\n"),
    answer("503 alone", 502, "origin-error", "HTTP/1.1 503 X\r\nContent-Length: 0\r\n\r\n"),
    answer(
      "503 with Retry-After", 503, "origin-busy", retryAfter: 7,
      "HTTP/1.1 503 X\r\nRetry-After: 7\r\nContent-Length: 0\r\n\r\n"),
    answer(
      "429 with a long Retry-After", 503, "origin-busy", retryAfter: 300,
      "HTTP/1.1 429 X\r\nRetry-After: 86400\r\nContent-Length: 0\r\n\r\n"),
    answer(
      "503 until a date that is past", 503, "origin-busy", retryAfter: 1,
      "HTTP/1.1 503 X\r\nRetry-After: Sun, 06 Nov 1994 08:49:37 GMT\r\nContent-Length: 0\r\n\r\n"),
    answer("502 with a picture in it", 502, "origin-error", "HTTP/1.1 502 X\r\nContent-Length: 4\r\n\r\n\u{7F}PNG"),
    answer("504", 502, "origin-error", "HTTP/1.1 504 X\r\nContent-Length: 0\r\n\r\n"),
    answer("599", 502, "origin-error", "HTTP/1.1 599 X\r\nContent-Length: 0\r\n\r\n"),
    answer("429 alone", 502, "origin-error", "HTTP/1.1 429 X\r\nContent-Length: 0\r\n\r\n"),
    answer("404", 404, "picture-not-found", "HTTP/1.1 404 X\r\nContent-Length: 2\r\n\r\nno"),
    answer("410", 410, "picture-gone", "HTTP/1.1 410 X\r\nContent-Length: 0\r\n\r\n"),
    answer("401", 502, "origin-error", "HTTP/1.1 401 X\r\nContent-Length: 0\r\n\r\n"),
    answer("403", 502, "origin-error", "HTTP/1.1 403 X\r\nContent-Length: 0\r\n\r\n"),
    answer("400", 502, "origin-error", "HTTP/1.1 400 X\r\nContent-Length: 0\r\n\r\n"),
    answer("418", 502, "origin-error", "HTTP/1.1 418 X\r\nContent-Length: 0\r\n\r\n"),
    answer("451", 502, "origin-error", "HTTP/1.1 451 X\r\nContent-Length: 0\r\n\r\n"),
    answer("304 unasked", 502, "origin-error", "HTTP/1.1 304 X\r\n\r\n"),
    answer("a redirect to a file", 502, "origin-error", "HTTP/1.1 302 X\r\nLocation: file:///etc/passwd\r\n\r\n"),
    answer(
      "a redirect to itself", 502, "origin-error", "HTTP/1.1 302 X\r\nLocation: /a.jpg\r\nContent-Length: 0\r\n\r\n"),
    answer(
      "a redirect to an inner address", 502, "origin-unreachable",
      "HTTP/1.1 302 X\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n"),
    answer(
      "a redirect to a name that is this machine's", 502, "origin-unreachable",
      "HTTP/1.1 302 X\r\nLocation: http://localhost:1/\r\nContent-Length: 0\r\n\r\n"),
    FailureRow(name: "redirects without end", status: 502, code: "origin-error") { request in
      request.answer(302, fields: ["Location: \(request.target)x"], [])
    },
    FailureRow(name: "redirects in a circle", status: 502, code: "origin-error") { request in
      request.answer(302, fields: ["Location: \(request.target == "/a.jpg" ? "/b.jpg" : "/a.jpg")"], [])
    },
    body("HTML", 502, "origin-error", type: "image/jpeg", "<!doctype html><p>No"),
    body("JSON", 502, "origin-error", type: "image/jpeg", "{\"error\":\"no\"}"),
    body("nothing", 502, "origin-error", type: "image/jpeg", ""),
    body("unknown bytes", 502, "origin-error", type: "image/jpeg", "\u{1}\u{2}\u{3}"),
    body("SVG", 415, "picture-unsupported", type: "image/svg+xml", "<svg xmlns='http://www.w3.org/2000/svg'/>"),
    answer("204", 502, "origin-error", "HTTP/1.1 204 X\r\n\r\n"),
    FailureRow(name: "a body that ends early", status: 502, code: "origin-error") { request in
      request.send(Array("HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n".utf8) + jpeg(3_000))
      request.close()
    },
    FailureRow(name: "a length that is too short", status: 502, code: "origin-error") { request in
      request.send(Array("HTTP/1.1 200 OK\r\nContent-Length: 2000\r\n\r\n".utf8) + jpeg(3_000))
    },
    FailureRow(name: "two pictures for one", status: 502, code: "origin-error") { request in
      let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n".utf8) + jpeg(100)
      request.send(answer + answer)
    },
    FailureRow(name: "a bad chunk", status: 502, code: "origin-error") { request in
      request.send(Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nbb8\r\n".utf8) + jpeg(3_000))
      request.send("\r\n-1\r\n")
    },
    FailureRow(name: "two lengths", status: 502, code: "origin-error") { request in
      request.send(Array("HTTP/1.1 200 OK\r\nContent-Length: 9\r\nContent-Length: 8\r\n\r\n".utf8) + jpeg(9))
    },
    FailureRow(name: "too large", status: 502, code: "picture-too-large") { [large] in $0.answer(200, large) },
    FailureRow(name: "too large, found out on the way", status: 502, code: "picture-too-large") { [large] request in
      request.send(Array("HTTP/1.1 200 OK\r\n\r\n".utf8) + large)
      request.close()
    },
    FailureRow(name: "a part", status: 502, code: "origin-error") { request in
      request.answer(206, fields: ["Content-Range: bytes 0-99/200"], jpeg(100))
    },
    FailureRow(name: "gzip that is none", status: 502, code: "origin-error") { request in
      request.answer(200, fields: ["Content-Encoding: gzip"], jpeg(100))
    },
    FailureRow(name: "gzip that ends early", status: 502, code: "origin-error") { request in
      request.answer(200, fields: ["Content-Encoding: gzip"], Array(Coded.gzip(jpeg(3_000)).dropLast(9)))
    },
    FailureRow(name: "a gzip bomb", status: 502, code: "picture-too-large") { request in
      let zeros = Coded.gzip([0xFF, 0xD8, 0xFF] + [UInt8](repeating: 0, count: 2_000_000))
      request.answer(200, fields: ["Content-Encoding: gzip"], zeros)
    },
    FailureRow(name: "a coding that is not known", status: 502, code: "origin-error") { request in
      request.answer(200, fields: ["Content-Encoding: br"], jpeg(100))
    },
    FailureRow(name: "a length and chunks", status: 502, code: "origin-error") { request in
      request.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")
    },
    FailureRow(name: "a length that is no number", status: 502, code: "origin-error") { request in
      request.send("HTTP/1.1 200 OK\r\nContent-Length: +9\r\n\r\n")
    },
    FailureRow(name: "chunks without an end", status: 504, code: "origin-timeout") { request in
      request.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n")
      request.send([0xFF, 0xD8, 0xFF, 0xE0])
      request.send("\r\n")
      request.waitForClose()
    },
    FailureRow(name: "a chunked body without its last chunk", status: 502, code: "origin-error") { request in
      request.send(Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nbb8\r\n".utf8) + jpeg(3_000))
      request.send("\r\n")
      request.close()
    },
    FailureRow(name: "chunks that go on for ever", status: 502, code: "picture-too-large") { request in
      let chunk = Array("c350\r\n".utf8) + [0xFF, 0xD8, 0xFF] + [UInt8](repeating: 1, count: 49_997) + [13, 10]
      request.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
      while request.send(chunk) {}
    },
    FailureRow(name: "a reset in the middle", status: 502, code: "origin-error") { request in
      request.send(Array("HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n".utf8) + jpeg(3_000))
      request.sleep(milliseconds: 20)
      request.reset()
    },
    FailureRow(name: "interim answers without end", status: 502, code: "origin-error") { request in
      while request.send("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n") {}
    },
    FailureRow(name: "another protocol", status: 502, code: "origin-error") { request in
      request.send("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n")
    },
    FailureRow(name: "a head without end", status: 502, code: "origin-error") { request in
      request.send("HTTP/1.1 200 OK\r\n")
      while request.send("X: \(String(repeating: "x", count: 1_000))\r\n") {}
    },
    FailureRow(name: "HTTP/0.9", status: 502, code: "origin-error") { request in
      request.send(jpeg(5_000))
      request.close()
    },
    answer(
      "a redirect to itself with a query", 502, "origin-error",
      "HTTP/1.1 302 X\r\nLocation: /a.jpg?\r\nContent-Length: 0\r\n\r\n"),
    answer(
      "a redirect to an IPv4 address within IPv6", 502, "origin-unreachable",
      "HTTP/1.1 302 X\r\nLocation: http://[::ffff:127.0.0.1]:1/\r\nContent-Length: 0\r\n\r\n"),
    answer(
      "a redirect to a number", 502, "origin-error",
      "HTTP/1.1 302 X\r\nLocation: http://2130706433/\r\nContent-Length: 0\r\n\r\n"),
    answer("a redirect to nowhere", 502, "origin-error", "HTTP/1.1 302 X\r\nContent-Length: 0\r\n\r\n"),
    answer(
      "a part of a part", 502, "origin-error",
      "HTTP/1.1 206 X\r\nContent-Range: bytes */3\r\nContent-Length: 3\r\n\r\n\u{7F}"),
  ]

  /// The limits under which the rows are run: a body's, and where slowness is the fault, the times.
  func narrow(_ limits: inout FetchLimits) {
    limits.bodyBytes = 2_000_000
    guard status == 504 else { return }
    limits.firstByteMilliseconds = 200
    limits.rateMilliseconds = 200
  }
}
