import OriginScripts
import Testing

/// One row of images.md, section 4, in which an origin does what it should not, or need not, and the picture is had.
struct TakenRow: Sendable, CustomTestStringConvertible {
  let name: String
  /// Answers with a picture.
  let script: @Sendable (borrowing ScriptedRequest, [UInt8]) -> Void

  var testDescription: String { name }

  static let rows: [TakenRow] = [
    TakenRow(name: "three redirects") { request, picture in
      switch request.target {
      case "/a.jpg": request.answer(301, fields: ["Location: /b"], [])
      case "/b": request.answer(302, fields: ["Location: c?d"], Array("see there".utf8))
      case "/c?d": request.answer(308, fields: ["Location: //\(request.host)/e.png#f"], [])
      default: request.answer(200, picture)
      }
    },
    TakenRow(name: "another type than its own") { $0.answer(200, type: "text/html", $1) },
    TakenRow(name: "no type") { request, picture in
      request.send(Array("HTTP/1.1 200 OK\r\nContent-Length: \(picture.count)\r\n\r\n".utf8) + picture)
    },
    TakenRow(name: "gzip in spite of the request") { request, picture in
      request.answer(200, fields: ["Content-Encoding: gzip"], Coded.gzip(picture))
    },
    TakenRow(name: "deflate in spite of the request") { request, picture in
      request.answer(200, fields: ["Content-Encoding: deflate"], Coded.zlib(picture))
    },
    TakenRow(name: "a part that is the whole") { request, picture in
      request.answer(206, fields: ["Content-Range: bytes 0-\(picture.count - 1)/\(picture.count)"], picture)
    },
    TakenRow(name: "a body as long as its connection") { request, picture in
      request.send(Array("HTTP/1.0 200 OK\r\n\r\n".utf8) + picture)
      request.close()
    },
  ]
}
