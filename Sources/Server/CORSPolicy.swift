import HTTP

/// Who may read answers from a page of another origin (the Fetch standard): everybody, and with credentials only the
/// origins that the operator named.
public struct CORSPolicy: Sendable {
  private let withCredentials: [[UInt8]]

  /// Origins (`https://shop.example`) that may send credentials.
  public init(credentialOrigins: [String] = []) {
    withCredentials = credentialOrigins.map { Array($0.utf8) }
  }

  /// Appends the fields for the origin that a request names, if it names one. Where the request could not be parsed its
  /// origin is not known, and anybody may read what was wrong with it.
  func append(for head: RequestHead?, to bytes: inout [UInt8]) {
    guard let head else { return bytes.append("Access-Control-Allow-Origin: *\r\n") }
    _ = head.withValue(of: .origin) { origin in
      guard Self.isOrigin(origin) else { return }
      bytes.append("Access-Control-Allow-Origin: ")
      origin.withUnsafeBytes { bytes.append(contentsOf: $0) }
      bytes.append("\r\nAccess-Control-Expose-Headers: ETag, Link, Location, Retry-After, X-Request-ID\r\n")
      if !withCredentials.isEmpty, withCredentials.contains(origin.array) {
        bytes.append("Access-Control-Allow-Credentials: true\r\n")
      }
    }
  }

  /// `null`, or `scheme://host[:port]` in visible ASCII; nothing else is worth an echo.
  private static func isOrigin(_ text: Span<UInt8>) -> Bool {
    guard (4...300).contains(text.count) else { return false }
    if text.count == 4 { return text.equalsIgnoringCase("null") }
    for index in 0..<text.count where text[index] <= 0x20 || text[index] >= 0x7f || text[index] == UInt8(ascii: ",") {
      return false
    }
    return true
  }
}
