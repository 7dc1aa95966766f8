import JSON

// The shop's own rules, each one sentence that says what would be right.

extension JSONRule {
  static let identifier = JSONRule(
    "invalid-id", english: "An id has 1 to 32 characters out of A-Z, a-z, 0-9, - and _.",
    korean: "아이디는 영문자, 숫자, -, _ 가운데 1자 이상 32자 이하여야 합니다.")

  static let controlCharacter = JSONRule(
    "control-character", english: "Text must not hold control characters, line breaks and tabs included.",
    korean: "글에는 줄바꿈과 탭을 비롯한 제어 문자를 쓸 수 없습니다.")

  static func textLength(_ length: ClosedRange<Int>, found: Int) -> JSONRule {
    JSONRule(
      "text-length",
      english: "This must have \(length.lowerBound) to \(length.upperBound) characters; it has \(found).",
      korean: "\(length.lowerBound)자 이상 \(length.upperBound)자 이하여야 합니다. 지금은 \(found)자입니다.")
  }

  static let repeated = JSONRule(
    "repeated", english: "Each entry may stand here only once.", korean: "같은 항목을 두 번 쓸 수 없습니다.")

  static func word(oneOf words: [String]) -> JSONRule {
    let list = words.joined(separator: ", ")
    return JSONRule(
      "unknown-word", english: "This must be one of \(list).", korean: "다음 가운데 하나여야 합니다: \(list).")
  }

  static func listPrice(_ price: Won) -> JSONRule {
    JSONRule(
      "list-price",
      english: "The list price must be above the price, \(price.amount); leave it out without a discount.",
      korean: "정가는 판매가 \(price.grouped)원보다 높아야 합니다. 할인이 없으면 적지 마세요.")
  }

  static func duplicateID(first: String) -> JSONRule {
    JSONRule(
      "duplicate-id", english: "This id is taken already by \(first).", korean: "\(first)에서 이미 쓴 아이디입니다.")
  }

  static let unknownSection = JSONRule(
    "unknown-section", english: "There is no section with this id in the file.",
    korean: "이 아이디의 섹션이 파일에 없습니다.")

  static let unknownProduct = JSONRule(
    "unknown-product", english: "There is no product with this id in the file.",
    korean: "이 아이디의 상품이 파일에 없습니다.")
}

// Rules for picture references.
extension JSONRule {
  private static func reference(_ english: String, _ korean: String) -> JSONRule {
    JSONRule("picture-reference", english: english, korean: korean)
  }

  static let referenceLength = reference(
    "A picture reference has 1 to 2048 bytes.", "사진 주소는 1바이트 이상 2048바이트 이하여야 합니다.")

  static let referenceCharacter = reference(
    "A picture reference must not hold control characters or backslashes.",
    "사진 주소에는 제어 문자와 역슬래시를 쓸 수 없습니다.")

  static let referenceScheme = reference(
    "A picture is an http or https URL, or a path such as images/galbi.jpg; no other scheme is fetched.",
    "사진은 http나 https 주소, 또는 images/galbi.jpg 같은 경로여야 합니다.")

  static let referenceHost = reference(
    "A picture's URL must name a host.", "사진 주소에 호스트 이름이 있어야 합니다.")

  static let referenceCredentials = reference(
    "A picture's URL must not hold a name or password.", "사진 주소에 이름이나 비밀번호를 쓸 수 없습니다.")

  static let referenceSlash = reference(
    "A picture's path stands below the picture origin, so it must not begin with a slash.",
    "사진 경로는 사진 서버 아래의 경로이므로 /로 시작할 수 없습니다.")

  static let referenceDots = reference(
    "A picture's path must not hold the segments . and .. .", "사진 경로에 . 이나 .. 을 쓸 수 없습니다.")
}
