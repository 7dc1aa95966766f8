import Net

extension ServeCommand.Plan {
  /// What the flags ask for beside the plain port.
  struct TLS {
    enum Certificates {
      case files([TLSIdentity])
      /// For this machine, made in the data folder.
      case selfSigned
    }

    let certificates: Certificates
    let address: SocketAddress
    /// Whether plain requests are sent here.
    let redirects: Bool
    /// Seconds for browsers to stay with HTTPS.
    let strictSeconds: Int?

    static let flags = [
      Flag(name: "tls-port", value: "N", help: "the port for HTTPS; 0 takes any free one (8443)"),
      Flag(
        name: "tls-cert", value: "FILE",
        help: "a certificate chain (PEM); repeatable, one per name; the first is default",
        isRepeatable: true),
      Flag(name: "tls-key", value: "FILE", help: "the key of each --tls-cert, in the same order", isRepeatable: true),
      Flag(
        name: "tls-self-signed", value: "", help: "HTTPS with a certificate for this machine, made in the data folder"),
      Flag(name: "tls-redirect", value: "", help: "sends plain requests to HTTPS, but for health"),
      Flag(name: "hsts", value: "SECONDS", help: "tells browsers to use HTTPS only for so long"),
    ]

    /// Nil when no flag asks for TLS.
    init?(_ flags: Flags, host: IPAddress) throws(CommandFailure) {
      let certificates = flags.all("tls-cert")
      let keys = flags.all("tls-key")
      guard certificates.count == keys.count else {
        throw .usage("each --tls-cert needs its --tls-key: there are \(certificates.count) and \(keys.count)")
      }
      let isSelfSigned = flags["tls-self-signed"] != nil
      guard isSelfSigned || !certificates.isEmpty else {
        for name in ["tls-port", "tls-redirect", "hsts"] where flags[name] != nil {
          throw .usage("--\(name) needs a certificate: --tls-cert FILE --tls-key FILE, or --tls-self-signed")
        }
        return nil
      }
      guard !isSelfSigned || certificates.isEmpty else {
        throw .usage("--tls-self-signed and --tls-cert exclude each other")
      }
      self.certificates =
        isSelfSigned
        ? .selfSigned : .files(zip(certificates, keys).map { TLSIdentity(certificateFile: $0, keyFile: $1) })
      address = SocketAddress(host, port: UInt16(try flags.number("tls-port", in: 0...65_535, default: 8443)))
      redirects = flags["tls-redirect"] != nil
      strictSeconds =
        flags["hsts"] == nil ? nil : try flags.number("hsts", in: 0...2_147_483_647, default: 0)
    }
  }
}
