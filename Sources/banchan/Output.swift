import CLinux
import Net

/// Data on standard output.
enum Output {
  /// Writes all bytes, or says why not.
  static func write(_ bytes: [UInt8]) throws(CommandFailure) {
    try write(bytes, to: 1, name: "standard output")
  }

  static func write(_ bytes: [UInt8], to descriptor: Int32, name: String) throws(CommandFailure) {
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes { rest in
        rest.baseAddress.map { clinux_write(descriptor, $0, rest.count) } ?? 0
      }
      guard count > 0 else { throw .failed("\(name) cannot be written: \(systemMessage(Int32(-count)))") }
      written += count
    }
  }
}
