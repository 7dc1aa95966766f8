import Images

/// The wire contract of one family of existing clients, as a table: which paths there are, and which keys stand in an item
/// and in a detail, in which order and which form.
///
/// One renderer serves all of them. Exactly these keys are written: the strictest clients fail on any other.
struct CompatibleSurface: Sendable {
  /// What operators call it: `--surface NAME=PREFIX`.
  let name: String
  /// Where it stands unless moved: a prefix without a slash at its end, empty for the root.
  let defaultMount: String
  /// What surrounds a list.
  let envelope: Envelope
  /// The keys of an item in lists.
  let item: [Field]
  /// The keys of a detail.
  let detail: [Field]
  /// What is answered below the mount.
  let paths: [Path]
  /// What is answered at the root, wherever the surface is mounted.
  var rootPaths: [Path] = []
  /// Paths below the mount that are worth a look in the demo shop.
  let examples: [String]
  /// Under which number its items are kept with their entries.
  let memoKey: Int

  /// What surrounds a list.
  enum Envelope: Sendable {
    /// Nothing: `[…]`.
    case bare
    /// `{"statusCode":200,"body":[…]}`
    case statusCode
  }

  /// A path and what it answers.
  struct Path: Sendable {
    /// Below the mount or the root, with `{…}` for parameters.
    let pattern: String
    let answer: Answer

    init(_ pattern: String, _ answer: Answer) {
      self.pattern = pattern
      self.answer = answer
    }
  }

  /// What a path answers with. Parameters come in the order of the pattern.
  enum Answer: Sendable {
    /// The items of the section in the first parameter.
    case items
    /// The items of this section.
    case itemsOf(String)
    /// The bare item of a section and hash.
    case item
    /// The collections with their items.
    case best
    /// The bare collection of an id, with its items.
    case collection
    /// All details.
    case details
    /// The bare detail of a hash.
    case detail
    /// The bare list of sections.
    case categories
    /// A bare section with its items.
    case category
  }

  /// A key and what stands under it.
  struct Field: Sendable {
    let key: StaticString
    let value: Value

    init(_ key: StaticString, _ value: Value) {
      self.key = key
      self.value = value
    }
  }

  /// What stands under a key.
  enum Value: Sendable {
    /// The product's id.
    case id
    /// The title.
    case title
    /// The description.
    case description
    /// The picture in words.
    case alt
    /// The list's picture as a URL.
    case picture(PictureSize)
    /// The gallery as URLs, one to five.
    case gallery(PictureSize)
    /// The long pictures as URLs, perhaps none.
    case details(PictureSize)
    /// The ways of sending, as words.
    case deliveryTypes
    /// What is paid.
    case price(PriceForm)
    /// The list price; the key is absent without one.
    case listPrice(PriceForm)
    /// List price and price, or the price alone, as tags.
    case prices
    /// The points, as a tag.
    case points
    /// What is said about delivery.
    case deliveryInfo
    /// What delivery costs.
    case deliveryFee
    /// The badges, as the surface's words.
    case badges(BadgeRule)
    /// Further keys one level in.
    case object([Field])
  }

  /// How an amount is written.
  enum PriceForm: Sendable {
    /// `7,000`
    case number
    /// `7,000원`
    case tag
  }
}
