import JSON

/// Finds out which surface an upstream speaks, by what it answers.
enum UpstreamRecognition {
  /// What is asked, in this order, until an answer is known.
  static let questions = ["main", "categories", "soup", "side"]

  /// The surface that an answer to one of the questions belongs to.
  static func surface(of answer: JSONValue, to question: String) throws(UpstreamFault) -> CompatibleSurface {
    if question == "categories" {
      _ = try UpstreamAnswers(surface: .team2020).categories(answer)
      return .team2020
    }
    guard case .object = answer else {
      _ = try UpstreamAnswers(surface: .woowa2018).list(answer)
      return .woowa2018
    }
    let entries = try UpstreamAnswers(surface: .onban2022).list(answer).entries
    return isOf2020(entries) ? .baminchan2020 : .onban2022
  }

  /// The envelopes of 2020 and 2022 hold the same keys. What tells them apart is how a list price is written, and what the
  /// badge for a new product says; where neither is there, it makes no difference.
  private static func isOf2020(_ entries: [JSONValue]) -> Bool {
    var votes = 0
    for case .object(let members) in entries {
      if case .string(let price)? = members["n_price"] { votes += price.hasSuffix("원") ? -1 : 1 }
      guard case .array(let badges)? = members["badge"] else { continue }
      if badges.contains(.string("론칭특가")) { votes += 1 }
      if badges.contains(.string("런칭특가")) || badges.contains(.string("메인특가")) { votes -= 1 }
    }
    return votes > 0
  }
}

extension CompatibleSurface {
  /// The surface of a name.
  static func named(_ name: String) -> CompatibleSurface? { all.first { $0.name == name } }

  /// The sections of a surface that cannot list them, as its clients know them (wire-contracts.md, section 5).
  static let fixedSections: [(id: String, name: String, title: String)] = [
    ("main", "메인반찬", "한그릇 뚝딱 메인 요리"),
    ("soup", "국・찌개", "김이 모락모락 국・찌개"),
    ("side", "밑반찬", "언제 먹어도 든든한 밑반찬"),
  ]
}
