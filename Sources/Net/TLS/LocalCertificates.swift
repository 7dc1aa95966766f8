import CLinux
import COpenSSL
import Glibc

/// A certificate for this machine, from an authority of its own, for development on phones and other machines.
///
/// Four PEM files in one folder: `authority.pem`, which a device is told to trust once, `certificate.pem` for the names
/// and addresses of the moment, and their keys, which only this user may read. What is there and still holds is used
/// again, so that a device stays trusting while the machine's address changes.
public struct LocalCertificates: Sendable {
  /// What a server shows.
  public let identity: TLSIdentity
  /// What a device is told to trust.
  public let authorityFile: String
  /// Whether devices have yet to be told.
  public let isNewAuthority: Bool

  private static let authorityDays = 3_650
  /// The most that Apple's systems take of a certificate from a private authority is 825.
  private static let certificateDays = 365

  /// Finds or makes the files in `folder`, which is made when it is missing.
  /// - Parameters:
  ///   - names: DNS names besides `localhost`.
  ///   - addresses: addresses besides those of loopback.
  public init(in folder: String, names: [String], addresses: [IPAddress]) throws(LocalCertificateFault) {
    guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
      throw .file(folder, reason: systemMessage(errno))
    }
    let names = ["localhost"] + names.filter { $0 != "localhost" }
    let loopback = [IPAddress("127.0.0.1"), IPAddress("::1")].compactMap { $0 }
    let addresses = (loopback + addresses.filter { !loopback.contains($0) }).map { "\($0)" }

    authorityFile = "\(folder)/authority.pem"
    identity = TLSIdentity(certificateFile: "\(folder)/certificate.pem", keyFile: "\(folder)/key.pem")
    let authority: SignedCertificate
    if let known = SignedCertificate(certificateFile: authorityFile, keyFile: "\(folder)/authority-key.pem"),
      known.holds(forDays: Self.certificateDays)
    {
      authority = known
      isNewAuthority = false
    } else {
      authority = try SignedCertificate(authority: "Banchan on \(names.last ?? "localhost")", days: Self.authorityDays)
      try authority.write(certificateFile: authorityFile, keyFile: "\(folder)/authority-key.pem")
      isNewAuthority = true
    }
    if let known = SignedCertificate(certificateFile: identity.certificateFile, keyFile: identity.keyFile),
      known.holds(forDays: 7), known.isSigned(by: authority), known.covers(names: names, addresses: addresses)
    {
      return
    }
    let alternatives = names.map { "DNS:\($0)" } + addresses.map { "IP:\($0)" }
    let certificate = try SignedCertificate(
      server: names.last ?? "localhost", alternatives: alternatives.joined(separator: ","), by: authority,
      days: Self.certificateDays)
    try certificate.write(certificateFile: identity.certificateFile, keyFile: identity.keyFile)
  }
}

/// Why no certificate could be made.
public enum LocalCertificateFault: Error, Equatable, Sendable {
  /// OpenSSL refused a step; the text is its own.
  case making(reason: String)
  /// A file or folder cannot be written.
  case file(String, reason: String)
}

extension LocalCertificateFault: CustomStringConvertible {
  /// What is wrong where, and what to do.
  public var description: String {
    switch self {
    case .making(let reason): "a certificate cannot be made (\(reason)); name one with --tls-cert and --tls-key"
    case .file(let path, let reason): "\(path) cannot be written: \(reason)"
    }
  }
}
