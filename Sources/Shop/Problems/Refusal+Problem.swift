import HTTP
import Server

extension Refusal {
  /// The problem that a refusal of the server itself is answered with.
  var problem: Problem {
    switch self {
    case .preconditionFailed: return Problem(.preconditionFailed)
    case .rangeNotSatisfiable(let length):
      var problem = Problem(.rangeNotSatisfiable)
      problem.length = length
      return problem
    case .fault(let fault): return fault.problem
    }
  }
}

extension RequestFault {
  fileprivate var problem: Problem {
    switch self {
    case .malformed:
      let reason = reason ?? ""
      return Problem(
        .invalidRequest,
        detail: Bilingual(
          korean: "HTTP 요청의 형식이 올바르지 않습니다 (\(reason)).",
          english: "This is not a well-formed HTTP request: \(reason)."))
    case .lineTooLong: return Problem(.uriTooLong)
    case .fieldsTooLarge: return Problem(.headersTooLarge)
    case .bodyTooLarge: return Problem(.bodyTooLarge)
    case .versionNotSupported: return Problem(.versionNotSupported)
    case .notImplemented: return Problem(.notImplemented)
    case .expectationFailed: return Problem(.expectationFailed)
    case .misdirected:
      return Problem(
        .misdirectedRequest,
        detail: Bilingual(
          korean: "요청의 주소가 이 연결의 방식(http 또는 https)과 다릅니다.",
          english: "The target's scheme is not that of this connection."))
    case .timedOut: return Problem(.requestTimeout)
    case .overloaded: return Problem(.overloaded)
    }
  }
}
