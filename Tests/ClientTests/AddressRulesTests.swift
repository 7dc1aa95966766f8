import Net
import Testing

@testable import Client

@Suite struct AddressRulesTests {
  @Test(
    "Each address is known for what it is",
    arguments: [
      ("8.8.8.8", AddressKind.public), ("1.1.1.1", .public), ("100.63.255.255", .public), ("172.15.0.1", .public),
      ("172.32.0.1", .public), ("223.255.255.255", .public), ("192.0.1.1", .public), ("198.20.0.1", .public),
      ("0.0.0.0", .unspecified), ("0.1.2.3", .unspecified), ("10.0.0.1", .private), ("100.64.0.1", .shared),
      ("100.127.255.255", .shared), ("127.0.0.1", .loopback), ("127.255.255.254", .loopback),
      ("169.254.169.254", .linkLocal), ("172.16.0.1", .private), ("172.31.255.255", .private), ("192.0.0.8", .reserved),
      ("192.0.2.1", .documentation), ("192.88.99.1", .reserved), ("192.168.1.1", .private),
      ("198.18.0.1", .documentation),
      ("198.19.255.255", .documentation), ("198.51.100.7", .documentation), ("203.0.113.9", .documentation),
      ("224.0.0.1", .multicast), ("239.255.255.255", .multicast), ("240.0.0.1", .reserved),
      ("255.255.255.255", .reserved),
      ("2606:4700:4700::1111", .public), ("2001:4860:4860::8888", .public), ("2400:cb00::1", .public),
      ("::", .unspecified), ("::1", .loopback), ("::7f00:1", .embedded), ("::127.0.0.1", .embedded), ("::2", .embedded),
      ("::ffff:127.0.0.1", .embedded), ("::ffff:8.8.8.8", .embedded), ("::ffff:0:127.0.0.1", .embedded),
      ("64:ff9b::7f00:1", .embedded), ("64:ff9b:1::7f00:1", .embedded), ("2002:7f00:1::", .embedded),
      ("2001:0:4136:e378::1", .embedded), ("2001:2::1", .reserved), ("2001:20::1", .reserved),
      ("2001:db8::1", .documentation), ("3fff:fff::1", .documentation), ("3fff:1000::1", .public),
      ("fc00::1", .private),
      ("fd12:3456::1", .private), ("fe80::1", .linkLocal), ("febf::1", .linkLocal), ("fec0::1", .private),
      ("ff02::1", .multicast), ("100::1", .reserved), ("4000::1", .reserved), ("5f00::1", .reserved),
      ("e000::1", .reserved),
      ("2606:4700::5efe:7f00:1", .embedded), ("2606:4700::200:5efe:7f00:1", .embedded),
    ])
  func kinds(_ text: String, _ kind: AddressKind) throws {
    let address = try #require(IPAddress(text))
    #expect(AddressKind(address) == kind)
  }

  @Test("An operator's word opens one origin, with its scheme and port, and no other")
  func allowing() throws {
    let origin = try Origin(Array("http://localhost:8081".utf8))
    let rules = AddressRules(allowing: [origin])
    let loopback = IPAddress(v4: 127, 0, 0, 1)
    #expect(rules.refusal(of: loopback, for: origin) == nil)
    for other in ["http://localhost", "https://localhost:8081", "http://localhost:8082", "http://127.0.0.1:8081"] {
      #expect(try rules.refusal(of: loopback, for: Origin(Array(other.utf8))) == .loopback)
    }
    #expect(try rules.refusal(of: IPAddress(v4: 8, 8, 8, 8), for: Origin(Array("http://x.example".utf8))) == nil)
  }
}
