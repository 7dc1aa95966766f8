import Net

extension ServeCommand.Plan {
  /// What is asked for beside the plain port.
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

    /// Nil when no flag asks for TLS.
    init?(_ settings: Settings, host: IPAddress) throws(CommandFailure) {
      let certificates = settings.all("tls-cert")
      let keys = settings.all("tls-key")
      guard certificates.count == keys.count else {
        throw .usage("each --tls-cert needs its --tls-key: there are \(certificates.count) and \(keys.count)")
      }
      let isSelfSigned = settings.isOn("tls-self-signed")
      guard isSelfSigned || !certificates.isEmpty else {
        for name in ["tls-port", "tls-redirect", "hsts"] where settings.isSet(name) {
          throw .usage(
            "\(settings.entry(name).place) needs a certificate: --tls-cert FILE --tls-key FILE, or --tls-self-signed")
        }
        return nil
      }
      guard !isSelfSigned || certificates.isEmpty else {
        throw .usage("--tls-self-signed and --tls-cert exclude each other")
      }
      self.certificates =
        isSelfSigned
        ? .selfSigned : .files(zip(certificates, keys).map { TLSIdentity(certificateFile: $0, keyFile: $1) })
      address = SocketAddress(host, port: UInt16(clamping: settings.number("tls-port") ?? 0))
      redirects = settings.isOn("tls-redirect")
      strictSeconds = settings.number("hsts").map { Int(clamping: $0 / 1_000) }
    }
  }
}
