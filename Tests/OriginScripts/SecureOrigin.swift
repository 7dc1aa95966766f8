/// An https origin with a certificate of its own making: `openssl s_server`, which sends files as whole answers.
public final class SecureOrigin {
  /// The port on 127.0.0.1.
  public let port: UInt16
  /// The PEM file to trust.
  public let authority: String
  private let server: ChildProcess
  private let folder: TemporaryFolder

  /// Serves `answers`, whole HTTP answers by path without its slash, under a self-signed certificate.
  ///
  /// - Parameters:
  ///   - names: what the certificate is for, as OpenSSL writes it: `DNS:localhost`, `IP:127.0.0.1`.
  ///   - isExpired: whether it held until yesterday.
  public init(names: String, answers: [String: [UInt8]], isExpired: Bool = false) throws {
    folder = try TemporaryFolder()
    let steps = [
      [
        "req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", "key.pem",
        "-out", "request.pem", "-subj", "/CN=origin", "-addext", "subjectAltName=\(names)",
      ],
      [
        "x509", "-req", "-in", "request.pem", "-signkey", "key.pem", "-copy_extensions", "copy",
        "-out", "certificate.pem", "-days", isExpired ? "-1" : "2",
      ],
    ]
    for step in steps {
      let process = try ChildProcess(["openssl"] + step, in: folder)
      guard process.wait() == 0 else { throw OpenSSLFault(words: process.output) }
    }
    for (path, answer) in answers { try folder.write(path, answer) }
    server = try ChildProcess(
      ["openssl", "s_server", "-accept", "127.0.0.1:0", "-cert", "certificate.pem", "-key", "key.pem", "-HTTP"],
      in: folder)
    let digits = server.line(startingWith: "ACCEPT ")?.split(separator: ":").last
    guard let digits, let port = UInt16(digits) else {
      server.stop()
      throw OpenSSLFault(words: server.output)
    }
    self.port = port
    authority = "\(folder.path)/certificate.pem"
  }

  deinit { server.stop() }
}

/// What the openssl command said when it failed.
public struct OpenSSLFault: Error {
  /// Its output.
  public let words: String
}
