import Net

/// Which addresses are spoken to. A catalog's URLs come from whoever wrote it, and a redirect from whoever runs the
/// origin: neither may make this server reach into the network that it stands in.
///
/// Asked with the address that is about to be connected to, at every hop: a check of the name alone would be undone by
/// a name server that answers differently the second time.
public struct AddressRules: Sendable {
  /// Origins that may stand at any address, because the operator named them.
  public let allowed: Set<Origin>

  /// Rules that allow public addresses, and `allowed` origins wherever they are.
  public init(allowing allowed: Set<Origin> = []) { self.allowed = allowed }

  /// Why `origin` is not fetched from `address`; nil when it may be.
  public func refusal(of address: IPAddress, for origin: Origin) -> AddressKind? {
    if allowed.contains(origin) { return nil }
    let kind = AddressKind(address)
    return kind == .public ? nil : kind
  }
}
