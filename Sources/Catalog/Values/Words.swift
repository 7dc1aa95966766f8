/// What a product is praised with. Each surface has its own words for these.
public enum Badge: String, CaseIterable, Sendable {
  /// New in the shop: 론칭특가.
  case launch
  /// Part of an event: 이벤트특가.
  case event
  /// A special price among the mains: 메인특가.
  case main
  /// Much bought: 베스트.
  case best
}

/// How a product can be sent. The order is that of every answer: dawn first.
public enum DeliveryType: String, CaseIterable, Sendable {
  /// At the door before breakfast: 새벽배송.
  case dawn
  /// By parcel, everywhere: 전국택배.
  case parcel
}

/// Whether a product can be bought.
public enum ProductStatus: String, CaseIterable, Sendable {
  /// It can.
  case onSale
  /// It is shown, and cannot: 품절.
  case soldOut
  /// It is in no answer.
  case hidden
}
