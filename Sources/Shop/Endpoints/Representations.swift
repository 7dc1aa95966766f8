import HTTP
import Images
import Synchronization

/// One sequence of bytes that an address can be answered with, and its name.
struct Representation: Sendable {
  let bytes: [UInt8]
  let coding: ContentCoding
  let entityTag: EntityTag

  /// A representation in the wanted coding, or as it is when that cannot be had.
  init(_ body: [UInt8], coding: ContentCoding) {
    let coded = coding == .gzip ? Gzip.compress(body) : nil
    bytes = coded ?? body
    self.coding = coded == nil ? .identity : coding
    entityTag = EntityTag(strong: Array(Digest.of(bytes).hex.utf8.prefix(32)))
  }
}

/// The representations of one catalog version, each made once for all loops. Bounded: when it is full it begins anew.
final class Representations: Sendable {
  struct Key: Hashable, Sendable {
    let path: [UInt8]
    let base: PublicBase
    let coding: ContentCoding
  }

  private struct State {
    var version: Int64 = -1
    var kept: [Key: Representation] = [:]
    var bytes = 0
  }

  private let state = Mutex(State())

  private static let entryLimit = 1_024
  private static let byteLimit = 24 << 20

  /// What was made for this version.
  func find(_ key: Key, version: Int64) -> Representation? {
    state.withLock { $0.version == version ? $0.kept[key] : nil }
  }

  /// Keeps what was made, unless the catalog has moved on or it would fill the room alone.
  func keep(_ representation: Representation, for key: Key, version: Int64) {
    let size = representation.bytes.count + key.path.count
    guard size <= Self.byteLimit / 2 else { return }
    state.withLock { state in
      guard version >= state.version else { return }
      if version > state.version || state.kept.count >= Self.entryLimit || state.bytes + size > Self.byteLimit {
        state = State(version: version)
      }
      if state.kept.updateValue(representation, forKey: key) == nil { state.bytes += size }
    }
  }
}
