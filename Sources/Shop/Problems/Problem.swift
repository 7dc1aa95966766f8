import HTTP
import JSON

/// What an endpoint throws instead of answering: a problem of RFC 9457, with a code that clients can rely on.
public struct Problem: Error, Sendable {
  /// Which problem.
  public let code: ProblemCode
  /// More than the code's own text says.
  public var detail: Bilingual?
  /// For validation: each fault with its place.
  public var faults: [JSONFault] = []
  /// For 405: what is allowed.
  public var allowed: [HTTP.Method] = []
  /// Seconds after which it may be different.
  public var retryAfter: Int?
  /// For 416: the length of what was asked for.
  public var length: Int?
  /// Another status than the code's, for a fault that was asked for.
  var status: Status?

  /// A problem, with a more precise text where there is one.
  public init(_ code: ProblemCode, detail: Bilingual? = nil) {
    self.code = code
    self.detail = detail
  }

  /// The answer, in the language that the request prefers.
  /// - Parameter head: nil for a request that could not be parsed.
  public func response(to head: RequestHead?) -> Response {
    let language = head?.acceptedLanguage ?? .english
    var writer = JSONWriter(capacity: 512)
    writer.object { writer in
      writer.member("type", "/problems/\(code.rawValue)")
      writer.member("title", code.title)
      writer.member("status", Int64((status ?? code.status).code))
      writer.member("detail", (detail ?? code.detail).text(in: language))
      writer.member("code", code.rawValue)
      writer.member("instance", head.map { String(decoding: $0.path, as: UTF8.self) } ?? "")
      if !faults.isEmpty { write(faults, to: &writer) }
    }
    var response = Response(status ?? code.status, body: .bytes(writer.bytes))
    response.add(.contentType, "application/problem+json")
    response.add(.contentLanguage, language == .korean ? "ko" : "en")
    response.add(.cacheControl, code.cacheControl)
    response.add(.xContentTypeOptions, "nosniff")
    if !allowed.isEmpty {
      response.add(.allow, allowed.map(\.name.description).joined(separator: ", "))
    }
    if let retryAfter = retryAfter ?? (code.status == .serviceUnavailable ? 1 : nil) {
      response.add(.retryAfter, "\(retryAfter)")
    }
    if let length { response.add(.contentRange, "bytes */\(length)") }
    response.varies = .acceptLanguage
    return response
  }

  private func write(_ faults: [JSONFault], to writer: inout JSONWriter) {
    writer.key("errors")
    writer.array { writer in
      for fault in faults {
        writer.object { writer in
          writer.member("pointer", "\(fault.pointer)")
          writer.member("code", fault.rule.code)
          writer.member("detail", fault.rule.english)
        }
      }
    }
  }
}
