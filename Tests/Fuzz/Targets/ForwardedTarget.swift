import HTTP
import Shop

extension FuzzTarget {
  /// What proxies say of the client's address: Forwarded, X-Forwarded-Host and X-Forwarded-Proto, a line each.
  static let forwarded = FuzzTarget("forwarded") { bytes throws(Violation) in
    let lines = Octets.lines(bytes, atMost: 3)
    let names = ["Forwarded", "X-Forwarded-Host", "X-Forwarded-Proto"]
    let fields = zip(names, lines).map { (name: $0, value: $1) }
    if let head = request(fields) {
      let origin = ForwardedOrigin(head)
      if let authority = origin.authority {
        try expect(RequestHead.isAuthority(authority.span), "A forwarded host is one")
        let base = PublicBase(isEncrypted: origin.isEncrypted ?? false, authority: authority).bytes
        try expect(Octets.isVisible(base) && !base.contains { [34, 60, 92].contains($0) }, "A base can stand in JSON")
      }
    }
    // Whatever a client writes into a field, the element that the proxy appends to it counts.
    if let head = request([(names[0], lines[0] + Array(", for=192.0.2.1;host=\"shop.test:1\";proto=https".utf8))]) {
      let origin = ForwardedOrigin(head)
      try expectEqual(origin.authority, Array("shop.test:1".utf8), "The proxy's word counts on the host")
      try expectEqual(origin.isEncrypted, true, "The proxy's word counts on the scheme")
    }
    let older = [(names[1], lines[0] + Array(", shop.test".utf8)), (names[2], lines[0] + Array(",https".utf8))]
    if let head = request(older) {
      let origin = ForwardedOrigin(head)
      try expectEqual(origin.authority, Array("shop.test".utf8), "The proxy's word counts on the older host field")
      try expectEqual(origin.isEncrypted, true, "The proxy's word counts on the older scheme field")
    }
  }

  private static func request(_ fields: [(name: String, value: [UInt8])]) -> RequestHead? {
    var text = Array("GET / HTTP/1.1\r\nHost: a\r\n".utf8)
    for field in fields { text += Array("\(field.name): ".utf8) + field.value + [13, 10] }
    return (try? RequestHead(parsing: text + [13, 10])) ?? nil
  }
}
