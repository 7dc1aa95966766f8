/// The first byte of a message.
enum WireKind: UInt8 {
  case job = 0x4A
  case ready = 0x52
  case derived = 0x44
  case refused = 0x58
}

/// Writes a message: its kind, then numbers with the least significant byte first.
struct WireWriter {
  var bytes: [UInt8]

  init(kind: WireKind) { bytes = [kind.rawValue] }

  mutating func write(_ flag: Bool) { bytes.append(flag ? 1 : 0) }

  mutating func write(_ number: some FixedWidthInteger & UnsignedInteger) {
    for shift in stride(from: 0, to: number.bitWidth, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }
}

/// Reads a message that may be anything.
struct WireReader {
  private let bytes: [UInt8]
  private var position = 1

  /// nil when the message is of another kind.
  init?(_ bytes: [UInt8], kind: WireKind) {
    guard bytes.first == kind.rawValue else { return nil }
    self.bytes = bytes
  }

  var isAtEnd: Bool { position == bytes.count }

  mutating func take(_ count: Int) -> [UInt8]? {
    guard count <= bytes.count - position else { return nil }
    defer { position += count }
    return Array(bytes[position..<(position + count)])
  }

  /// 0 or 1; nil for anything else, so that a message is written in one way only.
  mutating func flag() -> Bool? {
    guard let byte = uint8(), byte <= 1 else { return nil }
    return byte == 1
  }

  mutating func uint8() -> UInt8? { number() }
  mutating func uint16() -> UInt16? { number() }
  mutating func uint32() -> UInt32? { number() }
  mutating func uint64() -> UInt64? { number() }

  private mutating func number<Number: FixedWidthInteger & UnsignedInteger>() -> Number? {
    take(Number.bitWidth / 8)?.reversed().reduce(0) { $0 << 8 | Number($1) }
  }
}
