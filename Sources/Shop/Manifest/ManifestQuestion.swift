import HTTP
import Text

/// What a request for the manifest asks for.
struct ManifestQuestion: Equatable {
  /// Only what is otherwise than in this version; nil for everything.
  let since: Int64?
  /// Where the page begins, if it is not the first.
  let cursor: ManifestCursor?

  init(_ query: [UInt8]?) throws(Problem) {
    var since: Int64?
    var cursor: ManifestCursor?
    for (name, value) in QueryString.parameters(query ?? []) ?? [] {
      if name == "since" {
        guard since == nil, let version = try? Decimal.parse(value.utf8, as: Int64.self) else {
          throw Self.fault(name, korean: "카탈로그 버전 번호 하나", english: "one version of the catalog, a whole number")
        }
        since = version
      } else if name == "cursor" {
        guard cursor == nil, let place = ManifestCursor(value) else {
          throw Self.fault(name, korean: "앞 페이지의 nextCursor", english: "the nextCursor of the page before")
        }
        cursor = place
      }
    }
    if let since, let cursor, cursor.since != since {
      throw Self.fault("since", korean: "cursor와 같은 버전", english: "the version that the cursor was asked since")
    }
    self.since = cursor.map(\.since) ?? since
    self.cursor = cursor
  }

  /// The cursor belongs to a walk that cannot be gone on with.
  static var outdated: Problem {
    Problem(
      .invalidParameter,
      detail: Bilingual(
        korean: "이 cursor는 더 이상 쓸 수 없습니다. 처음부터 다시 요청해 주세요.",
        english: "This cursor is outdated; begin again without it."))
  }

  private static func fault(_ name: String, korean: String, english: String) -> Problem {
    Problem(
      .invalidParameter,
      detail: Bilingual(korean: "'\(name)'에는 \(korean)이(가) 와야 합니다.", english: "'\(name)' takes \(english)."))
  }
}
