import HTTP

/// A text in both languages that the shop speaks.
public struct Bilingual: Sendable, Equatable {
  let korean: String
  let english: String

  /// The text in a language.
  public func text(in language: Language) -> String {
    language == .korean ? korean : english
  }
}

extension ProblemCode {
  /// The short name of the problem, the same each time.
  public var title: String {
    switch self {
    case .notFound: "Not found"
    case .methodNotAllowed: "Method not allowed"
    case .unknownParameter: "Unknown query parameter"
    case .invalidParameter: "Invalid query parameter"
    case .invalidRequest: "Malformed request"
    case .uriTooLong: "URL too long"
    case .headersTooLarge: "Header fields too large"
    case .bodyTooLarge: "Body too large"
    case .unsupportedMediaType: "Unsupported media type"
    case .notAcceptable: "Not acceptable"
    case .requestTimeout: "Request took too long"
    case .preconditionFailed: "Precondition failed"
    case .preconditionRequired: "Precondition required"
    case .rangeNotSatisfiable: "Range not satisfiable"
    case .expectationFailed: "Expectation failed"
    case .notImplemented: "Not implemented"
    case .versionNotSupported: "HTTP version not supported"
    case .validationFailed: "Validation failed"
    case .misdirectedRequest: "Misdirected request"
    case .unauthorized: "Authentication required"
    case .forbidden: "Forbidden"
    case .tooManyRequests: "Too many requests"
    case .pictureNotFound: "Picture not found"
    case .pictureGone: "Picture gone"
    case .pictureUnsupported: "Picture format not supported"
    case .pictureTooLarge: "Picture too large"
    case .pictureUndecodable: "Picture cannot be decoded"
    case .originUnreachable: "Picture origin unreachable"
    case .originTimeout: "Picture origin too slow"
    case .originError: "Picture origin failed"
    case .originBusy: "Picture origin busy"
    case .overloaded: "Server overloaded"
    case .shuttingDown: "Server shutting down"
    case .internal: "Internal error"
    }
  }

  /// What it means and what to do, where nothing more precise is known.
  public var detail: Bilingual {
    switch self {
    case .notFound:
      Bilingual(korean: "이 주소에는 아무것도 없습니다.", english: "There is nothing at this address.")
    case .methodNotAllowed:
      Bilingual(
        korean: "이 주소에는 그 메서드를 쓸 수 없습니다. 쓸 수 있는 메서드는 Allow 헤더에 있습니다.",
        english: "This address does not take that method. The Allow field lists those it takes.")
    case .unknownParameter:
      Bilingual(korean: "알 수 없는 쿼리 매개변수가 있습니다.", english: "There is a query parameter that is not known here.")
    case .invalidParameter:
      Bilingual(korean: "쿼리 매개변수의 값이 올바르지 않습니다.", english: "The value of a query parameter is not valid.")
    case .invalidRequest:
      Bilingual(korean: "HTTP 요청의 형식이 올바르지 않습니다.", english: "This is not a well-formed HTTP request.")
    case .uriTooLong:
      Bilingual(korean: "주소가 너무 깁니다. 8 KiB까지 쓸 수 있습니다.", english: "The URL is too long; 8 KiB are taken.")
    case .headersTooLarge:
      Bilingual(
        korean: "요청 헤더가 너무 큽니다. 모두 합쳐 16 KiB, 100개까지 쓸 수 있습니다.",
        english: "The header fields are too large; 16 KiB and 100 fields are taken.")
    case .bodyTooLarge:
      Bilingual(korean: "요청 본문이 너무 큽니다.", english: "The body of the request is too large.")
    case .unsupportedMediaType:
      Bilingual(korean: "이 형식의 본문은 받지 않습니다.", english: "A body of this media type is not taken here.")
    case .notAcceptable:
      Bilingual(
        korean: "요청이 받아들이는 형식으로는 답할 수 없습니다.",
        english: "There is no answer in a form that the request accepts.")
    case .requestTimeout:
      Bilingual(korean: "요청이 제때 도착하지 않았습니다.", english: "The request did not arrive in time.")
    case .preconditionFailed:
      Bilingual(
        korean: "그사이 내용이 바뀌었습니다. 다시 받아 확인한 뒤 시도해 주세요.",
        english: "It has changed since. Fetch it again, look, and retry.")
    case .preconditionRequired:
      Bilingual(
        korean: "이 요청에는 If-Match 헤더가 필요합니다.", english: "This request needs an If-Match field.")
    case .rangeNotSatisfiable:
      Bilingual(
        korean: "요청한 범위에는 내용이 없습니다.", english: "There are no bytes in the range that was asked for.")
    case .expectationFailed:
      Bilingual(
        korean: "Expect 헤더는 100-continue만 지원합니다.", english: "The only expectation that is met is 100-continue.")
    case .notImplemented:
      Bilingual(
        korean: "이 서버가 모르는 메서드이거나 전송 방식입니다.",
        english: "This server does not know that method or transfer coding.")
    case .versionNotSupported:
      Bilingual(korean: "HTTP/1.1로 요청해 주세요.", english: "Please speak HTTP/1.1.")
    case .validationFailed:
      Bilingual(korean: "내용에 고칠 곳이 있습니다.", english: "There are faults in the content.")
    case .misdirectedRequest:
      Bilingual(
        korean: "이 서버가 답할 요청이 아닙니다.", english: "This server is not the one to answer that request.")
    case .unauthorized:
      Bilingual(korean: "토큰이 필요합니다.", english: "This needs a token.")
    case .forbidden:
      Bilingual(korean: "이 토큰으로는 할 수 없는 일입니다.", english: "This token does not allow that.")
    case .tooManyRequests:
      Bilingual(
        korean: "요청이 너무 잦습니다. 잠시 뒤에 다시 시도해 주세요.", english: "Too many requests; please wait a little.")
    case .pictureNotFound:
      Bilingual(korean: "그런 사진이 없습니다.", english: "There is no such picture.")
    case .pictureGone:
      Bilingual(
        korean: "원본 서버에서 사진이 삭제되었습니다.", english: "The origin has removed this picture.")
    case .pictureUnsupported:
      Bilingual(korean: "지원하지 않는 사진 형식입니다.", english: "Pictures of this format are not served.")
    case .pictureTooLarge:
      Bilingual(
        korean: "원본 사진이 너무 큽니다. 10 MiB까지 받습니다.",
        english: "The origin's picture is too large; 10 MiB are taken.")
    case .pictureUndecodable:
      Bilingual(korean: "사진 파일이 손상되어 열 수 없습니다.", english: "The picture is damaged and cannot be decoded.")
    case .originUnreachable:
      Bilingual(
        korean: "사진의 원본 서버에 연결할 수 없습니다.", english: "The picture's origin cannot be reached.")
    case .originTimeout:
      Bilingual(
        korean: "사진의 원본 서버가 제때 답하지 않았습니다.", english: "The picture's origin did not answer in time.")
    case .originError:
      Bilingual(
        korean: "사진의 원본 서버가 사진이 아닌 답을 보냈습니다.",
        english: "The picture's origin answered with something other than the picture.")
    case .originBusy:
      Bilingual(
        korean: "사진의 원본 서버가 바쁩니다. 잠시 뒤에 다시 시도해 주세요.",
        english: "The picture's origin is busy; please wait a little.")
    case .overloaded:
      Bilingual(
        korean: "서버가 바쁩니다. 잠시 뒤에 다시 시도해 주세요.", english: "The server is busy; please wait a little.")
    case .shuttingDown:
      Bilingual(korean: "서버를 끝내는 중입니다.", english: "The server is shutting down.")
    case .internal:
      Bilingual(
        korean: "서버에서 문제가 생겼습니다. 로그에 자세한 내용이 있습니다.",
        english: "Something went wrong in the server; its log has more.")
    }
  }
}
