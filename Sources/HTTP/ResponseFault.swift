/// Why an answer's head is not believed. A client that guesses where a body ends can be made to take one answer for
/// another, so everything that is not exactly HTTP/1.1 ends the connection.
public enum ResponseFault: Error, Equatable, Sendable {
  /// The status line is not `HTTP/1.x NNN reason`.
  case statusLine
  /// A line does not end in CR LF, or CR stands alone.
  case lineEnding
  /// A field line without a name, with a space before its colon, continued from the line before, or with a control
  /// character in it.
  case field
  /// More bytes than ``ResponseParser/maximumLength``, interim answers included.
  case tooLong
  /// The length of the body is stated twice, not as a number, or along with chunks.
  case length
  /// A transfer coding other than `chunked` alone.
  case transferCoding
  /// 101: another protocol would follow.
  case switchedProtocol
}

extension ResponseFault: CustomStringConvertible {
  /// One clause for a log line.
  public var description: String {
    switch self {
    case .statusLine: "the status line is not HTTP/1.1"
    case .lineEnding: "a line of the head does not end in CR LF"
    case .field: "a field line is malformed"
    case .tooLong: "the head is longer than \(ResponseParser.maximumLength) bytes"
    case .length: "the body's length is stated twice or is no number"
    case .transferCoding: "the transfer coding is not just \"chunked\""
    case .switchedProtocol: "the answer switches to another protocol unasked"
    }
  }
}
