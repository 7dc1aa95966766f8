import Images
import Text

/// Where the next page of a manifest begins. Opaque to clients: 64 URL-safe characters or less, to be given back as they are.
///
/// It carries the version of the first page and what that page was asked since, so that the pages of one walk belong
/// together although the catalog goes on: what changes meanwhile is told to who asks what changed since that version.
struct ManifestCursor: Equatable {
  /// The version of the first page.
  let version: Int64
  /// What the walk was asked since; nil for everything.
  let since: Int64?
  /// The last id of the page before.
  let last: PictureID

  init(version: Int64, since: Int64?, last: PictureID) {
    self.version = version
    self.since = since
    self.last = last
  }

  /// Reads what `text` wrote; nil for anything else.
  init?(_ text: String) {
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 3, let version = try? Decimal.parse(parts[0], as: Int64.self),
      let last = PictureID(digits: parts[2])
    else { return nil }
    if parts[1].isEmpty {
      since = nil
    } else {
      guard let number = try? Decimal.parse(parts[1], as: Int64.self) else { return nil }
      since = number
    }
    self.version = version
    self.last = last
  }

  /// The address of the page.
  var path: String { "/api/v1/images?cursor=\(text)" }

  var text: String { "\(version).\(since.map(String.init) ?? "").\(last)" }
}
