/// Writes JSON into bytes, as fast as they can be appended, in exactly the order in which it is told.
///
/// The writer trusts its caller to open, fill and close objects and arrays properly (the closure forms do), and never checks.
/// Strings are escaped no more than RFC 8259 demands: `"`, `\` and control characters; everything else is raw UTF-8.
///
/// ```swift
/// var writer = JSONWriter()
/// writer.object { json in
///   json.key("amount")
///   json.write(12_640)
///   json.key("currency")
///   json.write("KRW")
/// }
/// // {"amount":12640,"currency":"KRW"}
/// ```
public struct JSONWriter: Sendable {
  /// How the text is laid out.
  public enum Style: Sendable {
    /// Without any white space.
    case compact
    /// Two spaces a level and a space behind each colon, exactly as Python's `json.dumps(value, indent=2,
    /// ensure_ascii=False)` does. The newline at the end of a file is `finishFile()`.
    case pretty
  }

  /// What was written so far.
  public private(set) var bytes: [UInt8] = []
  private let style: Style
  private var depth = 0
  /// Whether something stands before the next value in its array or object.
  private var hasPredecessor = false
  private var isAfterKey = false

  /// A writer with nothing written.
  ///
  /// - Parameter capacity: bytes to make room for.
  public init(_ style: Style = .compact, capacity: Int = 0) {
    self.style = style
    bytes.reserveCapacity(capacity)
  }

  // MARK: Structure

  /// Writes an object whose members `content` writes.
  public mutating func object<Failure: Error>(
    _ content: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) {
    open(UInt8(ascii: "{"))
    try content(&self)
    close(UInt8(ascii: "}"))
  }

  /// Writes an array whose elements `content` writes.
  public mutating func array<Failure: Error>(
    _ content: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) {
    open(UInt8(ascii: "["))
    try content(&self)
    close(UInt8(ascii: "]"))
  }

  /// Writes the key of the next value. It must need no escaping, as every key of the shop's own schemas does.
  public mutating func key(_ key: StaticString) {
    beginElement()
    bytes.append(UInt8(ascii: "\""))
    key.withUTF8Buffer { bytes.append(contentsOf: $0) }
    bytes.append(UInt8(ascii: "\""))
    endKey()
  }

  /// Writes a key that comes from data, escaped where it must be.
  public mutating func key(escaping key: String) {
    beginElement()
    appendQuoted(key)
    endKey()
  }

  // MARK: Values

  /// Writes a string.
  public mutating func write(_ text: String) {
    beginElement()
    appendQuoted(text)
    hasPredecessor = true
  }

  /// Writes an integer.
  public mutating func write(_ number: Int64) {
    beginElement()
    appendDecimal(number)
    hasPredecessor = true
  }

  /// Writes an integer.
  public mutating func write(_ number: Int) {
    write(Int64(number))
  }

  /// Writes a number; what JSON has no number for (infinity, not a number) becomes `null`.
  public mutating func write(_ number: Double) {
    guard number.isFinite else { return writeNull() }
    beginElement()
    bytes.append(contentsOf: number.description.utf8)
    hasPredecessor = true
  }

  /// Writes `true` or `false`.
  public mutating func write(_ flag: Bool) {
    beginElement()
    bytes.append(contentsOf: flag ? "true".utf8 : "false".utf8)
    hasPredecessor = true
  }

  /// Writes `null`.
  public mutating func writeNull() {
    beginElement()
    bytes.append(contentsOf: "null".utf8)
    hasPredecessor = true
  }

  /// Writes a value that was rendered before and that `append` appends. In pretty style it is not laid out again.
  public mutating func writeRendered(_ append: (inout [UInt8]) -> Void) {
    beginElement()
    append(&bytes)
    hasPredecessor = true
  }

  /// Writes a string of ASCII bytes that need no escaping, such as a URL, in pieces that `append` appends.
  public mutating func writePlain(_ append: (inout [UInt8]) -> Void) {
    beginElement()
    bytes.append(UInt8(ascii: "\""))
    append(&bytes)
    bytes.append(UInt8(ascii: "\""))
    hasPredecessor = true
  }

  /// Ends a file with one newline.
  public mutating func finishFile() {
    bytes.append(UInt8(ascii: "\n"))
  }

  // MARK: Layout

  private mutating func open(_ bracket: UInt8) {
    beginElement()
    bytes.append(bracket)
    depth += 1
    hasPredecessor = false
  }

  private mutating func close(_ bracket: UInt8) {
    depth -= 1
    if hasPredecessor { breakLine() }
    bytes.append(bracket)
    hasPredecessor = true
  }

  private mutating func beginElement() {
    guard !isAfterKey else {
      isAfterKey = false
      return
    }
    if hasPredecessor { bytes.append(UInt8(ascii: ",")) }
    if depth > 0 { breakLine() }
  }

  private mutating func endKey() {
    bytes.append(UInt8(ascii: ":"))
    if style == .pretty { bytes.append(UInt8(ascii: " ")) }
    isAfterKey = true
  }

  private mutating func breakLine() {
    guard style == .pretty else { return }
    bytes.append(UInt8(ascii: "\n"))
    for _ in 0..<max(0, depth * 2) { bytes.append(UInt8(ascii: " ")) }
  }

  private mutating func appendDecimal(_ number: Int64) {
    if number < 0 { bytes.append(UInt8(ascii: "-")) }
    let start = bytes.count
    var rest = number.magnitude
    repeat {
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    } while rest > 0
    bytes[start...].reverse()
  }

  private mutating func appendQuoted(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { utf8 in JSONEscaping.append(utf8, to: &bytes) }
    bytes.append(UInt8(ascii: "\""))
  }
}

extension JSONWriter {
  /// Writes a key and a string.
  public mutating func member(_ key: StaticString, _ text: String) {
    self.key(key)
    write(text)
  }

  /// Writes a key and an integer.
  public mutating func member(_ key: StaticString, _ number: Int64) {
    self.key(key)
    write(number)
  }

  /// Writes a key and an array of strings.
  public mutating func member(_ key: StaticString, _ texts: [String]) {
    self.key(key)
    array { json in
      for text in texts { json.write(text) }
    }
  }
}
