import JSON

/// What is true of the whole shop.
public struct ShopProfile: Hashable, Sendable {
  /// The shop's name, 1 to 100 characters.
  public let name: String
  /// The picture that stands where another has failed for good.
  public let placeholder: PictureReference
  /// How products are sent unless they say otherwise: never empty, without repetition, in the order of `DeliveryType`.
  public let deliveryTypes: [DeliveryType]
  /// What is said about delivery unless a product says otherwise.
  public let delivery: DeliveryTerms
  /// The sum from which delivery is free, if it ever is.
  public let freeFrom: Won?

  /// A profile from its parts.
  public init(
    name: String, placeholder: PictureReference, deliveryTypes: [DeliveryType], delivery: DeliveryTerms, freeFrom: Won?
  ) throws(JSONRule) {
    self.name = try ShopText.checked(name, length: Self.nameLength)
    self.placeholder = placeholder
    self.deliveryTypes = try DeliveryType.checked(deliveryTypes)
    self.delivery = delivery
    self.freeFrom = freeFrom
  }

  init(
    storedName name: String, placeholder: PictureReference, deliveryTypes: [DeliveryType], delivery: DeliveryTerms,
    freeFrom: Won?
  ) {
    self.name = name
    self.placeholder = placeholder
    self.deliveryTypes = deliveryTypes
    self.delivery = delivery
    self.freeFrom = freeFrom
  }

  static let nameLength = 1...100

  /// What a shop is before anything was imported.
  static let unnamed = ShopProfile(
    storedName: "반찬", placeholder: PictureReference(stored: "images/placeholder.jpg"),
    deliveryTypes: DeliveryType.allCases, delivery: DeliveryTerms(storedInfo: "", fee: ""), freeFrom: nil)
}

extension DeliveryType {
  /// The types in their order, when there is at least one and none twice.
  static func checked(_ types: [DeliveryType]) throws(JSONRule) -> [DeliveryType] {
    guard !types.isEmpty else { throw .count(1...allCases.count) }
    guard Set(types).count == types.count else { throw .repeated }
    return allCases.filter(types.contains)
  }
}
