import JSON

/// What an object of an upstream says about a product, sorted by what it means: the surface's own table, read backwards.
///
/// Keys that the table lacks are passed over, and so is `null`: the strictest upstream is still read when it grows.
struct UpstreamParts {
  /// What a value can be about.
  enum Topic: Hashable {
    case id, title, description, alt, picture, gallery, details, deliveryTypes, price, listPrice, prices, deliveryInfo
    case deliveryFee, badges
  }

  /// A value under its key, and the form that the surface writes it in where there are several.
  struct Part {
    let key: String
    let value: JSONValue
    let form: CompatibleSurface.PriceForm?
  }

  private var parts: [Topic: Part] = [:]

  /// Reads an object by a table.
  init(_ members: JSONObject, by fields: [CompatibleSurface.Field]) {
    for field in fields {
      let key = field.key.description
      guard let value = members[key], value != .null else { continue }
      if case .object(let inner) = field.value {
        guard case .object(let members) = value else { continue }
        parts.merge(UpstreamParts(members, by: inner).parts) { first, _ in first }
      } else if let topic = field.value.topic {
        parts[topic] = Part(key: key, value: value, form: field.value.form)
      }
    }
  }

  /// What was said about a topic.
  subscript(topic: Topic) -> Part? { parts[topic] }
}

extension CompatibleSurface.Value {
  fileprivate var topic: UpstreamParts.Topic? {
    switch self {
    case .id: .id
    case .title: .title
    case .description: .description
    case .alt: .alt
    case .picture: .picture
    case .gallery: .gallery
    case .details: .details
    case .deliveryTypes: .deliveryTypes
    case .price: .price
    case .listPrice: .listPrice
    case .prices: .prices
    case .deliveryInfo: .deliveryInfo
    case .deliveryFee: .deliveryFee
    case .badges: .badges
    // The shop counts points itself.
    case .points, .object: nil
    }
  }

  fileprivate var form: CompatibleSurface.PriceForm? {
    switch self {
    case .price(let form), .listPrice(let form): form
    default: nil
    }
  }
}
