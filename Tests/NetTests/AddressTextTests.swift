import Testing

@testable import Net

@Suite("The text of an address")
struct AddressTextTests {
  private func written(_ address: IPAddress) -> String {
    var bytes: [UInt8] = []
    address.append(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test(
    "is what the C library writes",
    arguments: [
      "0.0.0.0", "127.0.0.1", "255.255.255.255", "10.200.3.40", "::", "::1", "1::", "2001:db8::1", "1:2:3:4:5:6:7:8",
      "1:0:3:4:5:6:7:8", "1:0:0:4:0:0:7:8", "1:0:0:4:0:0:0:8", "fe80::a:b", "0:2:3:4:5:6:7:0", "1:2:3:4:5:6::",
      "::3:4:5:6:7:8",
    ])
  func known(_ text: String) throws {
    let address = try #require(IPAddress(text))
    #expect(written(address) == address.description)
  }

  @Test("is what the C library writes, whatever groups are zero")
  func random() throws {
    for zeros in UInt8.min...UInt8.max {
      var bytes: [UInt8] = []
      for place in 0..<8 {
        let group = zeros >> UInt8(place) & 1 == 1 ? 0 : UInt16.random(in: 1 ... .max)
        bytes += [UInt8(group >> 8), UInt8(group & 255)]
      }
      let address = try #require(IPAddress(v6: bytes))
      // It writes some addresses with an IPv4 address at their end, which is as good.
      if !address.description.contains(".") { #expect(written(address) == address.description) }
    }
  }

  @Test(
    "of a shortened one is that of its network",
    arguments: zip(["203.0.113.77", "2001:db8:1:2:3::9", "::1"], ["203.0.113.0", "2001:db8:1::", "::"]))
  func shortened(_ address: String, _ network: String) throws {
    #expect(written(try #require(IPAddress(address)).shortened) == network)
  }
}
