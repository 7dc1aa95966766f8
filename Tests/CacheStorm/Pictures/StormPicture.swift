/// A picture whose every byte follows from its number and its version, which stand in its first bytes: so whoever gets one
/// can tell whether it is whole and right.
public struct StormPicture: Equatable, Sendable {
  /// Which picture.
  public let number: UInt8
  /// Which bytes of it.
  public let version: UInt8

  /// A version of a picture.
  public init(number: UInt8, version: UInt8) {
    self.number = number
    self.version = version
  }

  /// Its bytes: a JPEG from the front. Most have some kilobytes, a few more than the cache hands around in memory.
  public var bytes: [UInt8] {
    var state = UInt64(number) << 8 | UInt64(version)
    func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state >> 33
    }
    let count = number % 32 == 0 ? 1_100_000 + Int(next() % 100_000) : 1_000 + Int(next() % 60_000)
    let block = (0..<1_021).map { _ in UInt8(truncatingIfNeeded: next()) }
    var bytes: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, number, version]
    bytes.reserveCapacity(count + block.count)
    while bytes.count < count { bytes += block }
    return bytes
  }

  /// The picture that these bytes are, all of them; nil when they are not.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count > 6 else { return nil }
    self.init(number: bytes[4], version: bytes[5])
    guard self.bytes == bytes else { return nil }
  }
}
