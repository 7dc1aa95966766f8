import JSON

/// What is said about delivery, as it is shown.
public struct DeliveryTerms: Hashable, Sendable {
  /// Where to and when, at most 500 characters.
  public let info: String
  /// What it costs, at most 500 characters, the free limit included: `2,500원 (40,000원 이상 구매 시 무료)`.
  public let fee: String

  /// Terms from their texts.
  public init(info: String, fee: String) throws(JSONRule) {
    self.info = try ShopText.checked(info, length: Self.length)
    self.fee = try ShopText.checked(fee, length: Self.length)
  }

  init(storedInfo info: String, fee: String) {
    self.info = info
    self.fee = fee
  }

  static let length = 0...500
}
