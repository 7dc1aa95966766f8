extension ProblemCode {
  /// What whoever gets the problem can do about it, for its page.
  var advice: Bilingual {
    switch self {
    case .notFound:
      Bilingual(
        korean: "주소의 철자를 확인하세요. 상품이라면 팔지 않게 되었거나 숨겨졌을 수 있으니, 목록을 다시 받아 보세요.",
        english: "Check the spelling. A product may have been hidden or removed: fetch the list again.")
    case .methodNotAllowed:
      Bilingual(korean: "Allow 헤더에 있는 메서드로 다시 보내세요.", english: "Send it with one of the methods in the Allow field.")
    case .unknownParameter:
      Bilingual(
        korean: "detail에 이 주소가 아는 매개변수가 있습니다. 나머지는 빼고 보내세요.",
        english: "The detail lists the parameters that this address knows. Leave out all others.")
    case .invalidParameter:
      Bilingual(
        korean: "detail이 받는 값을 알려 줍니다. 커서는 만들지 말고 답에 있던 것을 그대로 쓰세요.",
        english: "The detail says which values are taken. Never make a cursor: use the one from the answer before.")
    case .invalidRequest:
      Bilingual(
        korean: "직접 만든 요청이라면 줄 끝, Host, Content-Length를 확인하세요. 브라우저는 이런 요청을 보내지 않습니다.",
        english: "If you wrote it yourself, check line ends, Host and Content-Length. Browsers send no such requests.")
    case .uriTooLong:
      Bilingual(korean: "쿼리를 줄이세요.", english: "Shorten the query.")
    case .headersTooLarge:
      Bilingual(
        korean: "대개 쿠키 때문입니다. 필요 없는 쿠키를 지우세요.",
        english: "Most often it is cookies: remove those that nobody needs.")
    case .bodyTooLarge:
      Bilingual(korean: "나누어 보내거나, 서버의 명령으로 가져오세요.", english: "Send it in parts, or use the command on the server.")
    case .unsupportedMediaType:
      Bilingual(korean: "Content-Type 헤더를 문서에 있는 값으로 보내세요.", english: "Send the Content-Type that the reference names.")
    case .notAcceptable:
      Bilingual(
        korean: "Accept 헤더를 빼거나 */*를 더하세요.", english: "Leave out the Accept field, or add */* to it.")
    case .requestTimeout:
      Bilingual(
        korean: "연결이 느리거나 끊겼습니다. 다시 보내세요.", english: "The connection was slow, or broke. Send it again.")
    case .preconditionFailed:
      Bilingual(
        korean: "지금 내용을 새 ETag와 함께 받아, 바꾸려던 것을 다시 적용해 보내세요.",
        english: "Fetch it with its new ETag, make your change to that, and send it again.")
    case .preconditionRequired:
      Bilingual(
        korean: "먼저 받아서, 그 답의 ETag를 If-Match로 보내세요.", english: "Fetch it first, and send its ETag as If-Match.")
    case .rangeNotSatisfiable:
      Bilingual(
        korean: "Content-Range에 전체 길이가 있습니다. 범위 없이 처음부터 받아도 됩니다.",
        english: "Content-Range has the whole length. Without a range you get all of it.")
    case .expectationFailed:
      Bilingual(korean: "Expect 헤더를 빼세요.", english: "Leave out the Expect field.")
    case .notImplemented:
      Bilingual(
        korean: "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS 가운데 하나를 쓰세요.",
        english: "Use GET, HEAD, POST, PUT, PATCH, DELETE or OPTIONS.")
    case .versionNotSupported:
      Bilingual(
        korean: "클라이언트를 HTTP/1.1로 맞추세요. HTTP/2는 앞에 둔 프록시가 맡습니다.",
        english: "Have the client speak HTTP/1.1. A proxy in front can speak HTTP/2.")
    case .validationFailed:
      Bilingual(
        korean: "errors에 잘못된 곳이 모두 있습니다. pointer가 자리를, detail이 규칙을 알려 줍니다.",
        english: "All faults are in errors: the pointer says where, the detail what is wanted.")
    case .misdirectedRequest:
      Bilingual(
        korean: "http와 https를 바꿔 쓰지 않았는지 확인하세요.", english: "Check that http and https were not mixed up.")
    case .unauthorized:
      Bilingual(
        korean: "Authorization: Bearer 뒤에 토큰을 보내세요. 읽기에는 토큰이 필요 없습니다.",
        english: "Send a token behind Authorization: Bearer. Reading needs none.")
    case .forbidden:
      Bilingual(korean: "그 일을 할 수 있는 토큰을 쓰세요.", english: "Use a token that may do this.")
    case .tooManyRequests:
      Bilingual(
        korean: "Retry-After에 적힌 초만큼 기다렸다가 다시 보내세요.",
        english: "Wait as many seconds as Retry-After says, then send it again.")
    case .pictureNotFound:
      Bilingual(
        korean: "사진 이름은 만들지 말고 답에 있는 URL을 그대로 쓰세요. 파일이 원본에 있는지도 확인하세요.",
        english: "Never make up names: use the URLs of the answers. Check that the file is at the origin.")
    case .pictureGone:
      Bilingual(
        korean: "목록을 다시 받으세요. 그 자리에는 자리표시 사진이 있습니다.",
        english: "Fetch the list again: the placeholder stands in its place.")
    case .pictureUnsupported:
      Bilingual(
        korean: "JPEG, PNG, WebP 사진을 쓰세요.", english: "Use JPEG, PNG or WebP pictures.")
    case .pictureTooLarge:
      Bilingual(korean: "원본 사진을 줄이세요.", english: "Make the picture at the origin smaller.")
    case .pictureUndecodable:
      Bilingual(
        korean: "사진을 다시 저장해 원본에 올리세요.", english: "Save the picture anew, and put it to the origin again.")
    case .originUnreachable, .originTimeout:
      Bilingual(
        korean: "잠시 뒤 다시 시도하세요. 계속되면 원본 서버의 주소와 상태를 확인하세요. 한 번 받은 사진은 원본이 꺼져 있어도 나옵니다.",
        english:
          "Try again in a moment. If it lasts, check the origin's address and state. What was fetched once is served without it."
      )
    case .originError:
      Bilingual(
        korean: "원본 URL을 브라우저에서 열어 사진이 나오는지 확인하세요.",
        english: "Open the origin's URL in a browser, and see whether it is a picture.")
    case .originBusy, .overloaded:
      Bilingual(
        korean: "Retry-After에 적힌 초만큼 기다렸다가 다시 보내세요.",
        english: "Wait as many seconds as Retry-After says, then send it again.")
    case .shuttingDown:
      Bilingual(korean: "다시 켜진 뒤에 보내세요.", english: "Send it again when the server is back.")
    case .internal:
      Bilingual(
        korean: "같은 요청이 계속 실패하면 서버 로그와 함께 알려 주세요.",
        english: "If the same request keeps failing, report it with the server's log.")
    }
  }
}
