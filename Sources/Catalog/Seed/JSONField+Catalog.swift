import JSON

// What the shop's values look like in a document: each reading gives the value, or nil and a fault.
extension JSONField {
  /// What a checked initialiser makes, or nil and the rule that it found broken.
  func checked<Value>(_ make: () throws(JSONRule) -> Value) -> Value? {
    do {
      return try make()
    } catch {
      report(error)
      return nil
    }
  }

  /// An id of some kind.
  func identifier<ID>(_ make: (String) throws(JSONRule) -> ID) -> ID? {
    guard let text = string() else { return nil }
    return checked { () throws(JSONRule) in try make(text) }
  }

  /// Text that people read, made NFC.
  func text(_ length: ClosedRange<Int>) -> String? {
    guard let text = string() else { return nil }
    return checked { () throws(JSONRule) in try ShopText.checked(text, length: length) }
  }

  /// An amount of won.
  func won() -> Won? {
    guard let amount = integer(in: Won.range) else { return nil }
    return checked { () throws(JSONRule) in try Won(amount) }
  }

  /// A picture.
  func reference() -> PictureReference? {
    guard let text = string() else { return nil }
    return checked { () throws(JSONRule) in try PictureReference(text) }
  }

  /// A list of pictures, or nil when one cannot be read or there are too many or too few.
  func references(count: ClosedRange<Int>) -> [PictureReference]? {
    guard let fields = elements(count: count) else { return nil }
    let references = fields.compactMap { $0.reference() }
    return references.count == fields.count && count.contains(references.count) ? references : nil
  }

  /// One of a closed set of words.
  func word<Word: CaseIterable & RawRepresentable<String>>(_ type: Word.Type) -> Word? {
    guard let text = string() else { return nil }
    guard let word = Word(rawValue: text) else {
      report(.word(oneOf: Word.allCases.map(\.rawValue)))
      return nil
    }
    return word
  }

  /// A list of words of a closed set, none twice.
  func words<Word: CaseIterable & RawRepresentable<String> & Hashable>(
    _ type: Word.Type, count: ClosedRange<Int>
  ) -> [Word]? {
    guard let fields = elements(count: count) else { return nil }
    var seen: Set<Word> = []
    return fields.compactMap { field in
      guard let word = field.word(type) else { return nil }
      guard seen.insert(word).inserted else {
        field.report(.repeated)
        return nil
      }
      return word
    }
  }

  /// Ways of sending, at least one.
  func deliveryTypes() -> [DeliveryType]? {
    let words = words(DeliveryType.self, count: 1...DeliveryType.allCases.count) ?? []
    // An empty list has been reported, by its count or word by word.
    return words.isEmpty ? nil : DeliveryType.allCases.filter(words.contains)
  }
}
