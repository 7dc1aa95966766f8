/// Why a text is no URL that pictures are fetched from.
public enum URLFault: Error, Equatable, Sendable {
  /// More than ``OriginURL/maximumLength`` bytes once written canonically.
  case tooLong
  /// A control character, at this offset in bytes.
  case controlCharacter(offset: Int)
  /// No `scheme://` in front, and nothing that it could be resolved against.
  case relative
  /// A scheme other than http and https.
  case scheme(String)
  /// A user name or password in front of the host.
  case userInformation
  /// A host that is empty, not ASCII, or no name and no address.
  case host(String)
  /// A port that is no number from 1 to 65535.
  case port(String)
  /// More than an origin where only an origin may stand (`--origin-allow`).
  case notAnOrigin
}

extension URLFault: CustomStringConvertible {
  /// One sentence: what is wrong, and what to write instead.
  public var description: String {
    switch self {
    case .tooLong: "the URL is longer than \(OriginURL.maximumLength) bytes; use a shorter one"
    case .controlCharacter(let offset): "there is a control character at byte \(offset); write it as a %-escape"
    case .relative: "this is a relative path without an --origin-base to resolve it; write an http or https URL"
    case .scheme(let scheme): "the scheme \"\(scheme)\" is not fetched; use http or https"
    case .userInformation: "a user name or password stands before the host; leave it out"
    case .host(let host):
      "\"\(host)\" is no host; write a name in ASCII (punycode where it is not), an IPv4 address, or [IPv6]"
    case .port(let port): "\"\(port)\" is no port; write a number from 1 to 65535"
    case .notAnOrigin: "only SCHEME://HOST[:PORT] may stand here; leave out the path"
    }
  }
}
