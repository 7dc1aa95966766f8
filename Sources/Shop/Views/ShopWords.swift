import Catalog
import Text

extension DeliveryType {
  /// The word that every client knows.
  var word: String {
    switch self {
    case .dawn: "새벽배송"
    case .parcel: "전국택배"
    }
  }
}

extension Badge {
  /// The native API's word. The compatible surfaces have tables of their own.
  var word: String {
    switch self {
    case .launch: "론칭특가"
    case .event: "이벤트특가"
    case .main: "메인특가"
    case .best: "베스트"
    }
  }
}

extension Won {
  /// The amount as a price tag shows it: `12,640원`.
  var tag: String { grouped + "원" }
}

extension Product {
  /// How much less than the list price is paid, in percent, rounded down.
  var discountPercent: Int64? {
    // A list price is above a price, and so never 0.
    listPrice.map { ($0.amount - price.amount) * 100 / $0.amount }
  }

  /// The points that a buyer gets: one percent of the price, rounded down.
  var points: Int64 { price.amount / 100 }

  /// The points as a tag: `126원`.
  var pointsTag: String { Grouping.thousands(points) + "원" }
}
