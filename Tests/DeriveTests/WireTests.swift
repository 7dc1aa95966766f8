import DeriveWire
import Testing

@Suite("What server and worker say to each other")
struct WireTests {
  private static func answers() throws -> [DeriveAnswer] {
    let look = try #require(PictureLook(color: 0xC0FFEE, thumbHash: Array(1...25)))
    let derivation = try #require(
      Derivation(
        width: 1_600, height: 1_200, hasAlpha: true, look: look, byteCounts: [1, 2_000_000], cpuMicroseconds: 1 << 40))
    let plain = try #require(
      Derivation(width: 1, height: 16_383, hasAlpha: false, look: nil, byteCounts: [], cpuMicroseconds: 0))
    return [.ready(pipeline: Pipeline.letter), .derived(number: 7, derivation), .derived(number: .max, plain)]
      + DeriveRefusal.allCases.map { .refused(number: 3, $0) }
  }

  @Test("is read as it was written")
  func roundTrip() throws {
    for answer in try Self.answers() { #expect(DeriveAnswer(message: answer.message) == answer) }
    let targets = DerivedFormat.allCases.compactMap { DeriveTarget(width: 320, format: $0) }
    let job = try #require(DeriveJob(number: 9, byteCount: 77, wantsLook: true, targets: targets))
    #expect(DeriveJob(message: job.message) == job)
  }

  @Test("is nothing when it is shorter or longer by a byte")
  func otherLengths() throws {
    for message in try Self.answers().map(\.message) {
      for count in message.indices { #expect(DeriveAnswer(message: Array(message[..<count])) == nil) }
      #expect(DeriveAnswer(message: message + [0]) == nil)
    }
  }

  @Test("has one spelling, whatever came")
  func spelling() throws {
    for message in try Self.answers().map(\.message) {
      for place in message.indices {
        for byte in UInt8.min...UInt8.max {
          var changed = message
          changed[place] = byte
          if let answer = DeriveAnswer(message: changed) { #expect(answer.message == changed) }
        }
      }
    }
  }
}
