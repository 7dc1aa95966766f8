import Testing

@testable import Shop

@Suite("Faults on demand")
struct FaultPlanTests {
  @Test(
    "Every fault can be asked for, and reads as it was written",
    arguments: [
      ("latency=300", FaultPlan.Latency.fixed(300)), ("latency=300ms", .fixed(300)), ("latency=1.5s", .fixed(1_500)),
      ("latency=200ms..2s", .uniform(200...2_000)),
      ("latency=lognormal:300ms:0.6", .logNormal(median: 300, sigma: 0.6)),
    ])
  func latencies(_ text: String, _ latency: FaultPlan.Latency) throws {
    #expect(try FaultPlan(text).latency == latency)
  }

  @Test("Words may stand between spaces, semicolons, commas or ampersands", arguments: [" ", ";", "; ", ", ", "&"])
  func separators(_ separator: String) throws {
    let words = ["status=503", "empty", "missing=price", "null=title", "rate=0.25", "seed=42", "drip=100", "drop"]
    let plan = try FaultPlan(words.joined(separator: separator))
    #expect(
      plan.status == 503 && plan.isEmpty && plan.drops && plan.rate == 0.25 && plan.seed == 42 && plan.drip == 100)
    #expect(plan.missing == [Array("price".utf8)] && plan.null == [Array("title".utf8)])
  }

  @Test("An origin's faults: a wish to be left alone, a redirect, silence, another type, answers to nothing")
  func origins() throws {
    let plan = try FaultPlan("status=503:30 redirect=/a?b=c type=text/plain unasked=206 silence picture=html")
    #expect(plan.status == 503 && plan.retryAfter == 30 && plan.redirect == Array("/a?b=c".utf8))
    #expect(plan.mediaType == Array("text/plain".utf8) && plan.unasked == .part && plan.isSilent)
    #expect(plan.picture == .html)
  }

  @Test(
    "What is no fault is refused in a sentence that names the word",
    arguments: [
      "", "rate=0.5", "seed=1", "bogus", "latency", "latency=", "latency=-1", "latency=2h", "latency=61s",
      "latency=1e3",
      "latency=5..1", "latency=..", "latency=lognormal:1", "latency=nan", "latency=inf", "status=200", "status=99999",
      "status=x", "status=503:", "status=503:-1", "status=503:99999", "redirect", "redirect=\u{7F}", "redirect=/김치",
      "type=", "type=jpeg", "unasked", "unasked=200", "silence=1",
      "empty=1", "missing=", "null", "truncate=1", "truncate=2", "drip=0", "drip=-1", "picture=ugly", "rate=2 drop",
      "rate=0x1 drop", "seed=-1 drop", "seed=99999999999999999999 drop",
    ])
  func refusals(_ text: String) {
    let fault = #expect(throws: FaultPlan.Fault.self) { try FaultPlan(text) }
    #expect(fault?.description.isEmpty == false)
  }

  @Test("A rule covers its path and what is below, and no other that begins alike")
  func rules() throws {
    let rule = try FaultRule("/api/v1/products/ status=500")
    for (path, isCovered) in [
      ("/api/v1/products", true), ("/api/v1/products/HBDEF", true), ("/api/v1/productsx", false), ("/api/v1", false),
    ] {
      #expect(rule.covers(Array(path.utf8)) == isCovered, "\(path)")
    }
    #expect(throws: FaultPlan.Fault.self) { try FaultRule("api status=500") }
    #expect(throws: FaultPlan.Fault.self) { try FaultRule("/api") }
    let everything = try FaultRule("/ drop")
    #expect(everything.covers(Array("/images/x".utf8)))
  }

  @Test("With a seed a run can be repeated; as often as the rate says, and within the range")
  func dice() throws {
    let text = "latency=100..200 rate=0.3 seed=9"
    let (first, second) = (FaultDice(), FaultDice())
    let plan = try FaultPlan(text)
    let draws = (0..<2_000).map { _ in first.draw(for: plan) }
    #expect(draws == (0..<2_000).map { _ in second.draw(for: plan) })
    let struck = draws.filter(\.strikes)
    #expect((500...700).contains(struck.count))
    #expect(struck.allSatisfy { (100...200).contains($0.latency) } && Set(struck.map(\.latency)).count > 50)
    let other = try FaultPlan("latency=100..200 rate=0.3 seed=10")
    #expect(draws != (0..<2_000).map { _ in first.draw(for: other) })
  }

  @Test("A log-normal latency has its median, and never a minute past")
  func logNormal() throws {
    let dice = FaultDice()
    let plan = try FaultPlan("latency=lognormal:300ms:0.5 seed=1")
    let times = (0..<2_001).map { _ in dice.draw(for: plan).latency }.sorted()
    #expect((270...330).contains(times[1_000]) && times[2_000] <= 60_000)
  }

  @Test(
    "Members are cut out of JSON, and all else stays as it is",
    arguments: [
      (
        #"{"a":1,"b":[{"a":2,"c":"x\"y,}"},{"a":3}],"d":{"a":{"z":1}}}"#, ["a"], [], false,
        #"{"b":[{"c":"x\"y,}"},{}],"d":{}}"#
      ),
      (#"{"a":1,"b":[{"a":2}]}"#, [], ["a"], false, #"{"a":null,"b":[{"a":null}]}"#),
      (#"{"a":[1,[2],{"x":[3]}],"b":{"c":[4]}}"#, [], [], true, #"{"a":[],"b":{"c":[]}}"#),
      (#"[{"a":[1]}]"#, [], [], true, "[]"),
      (#"{"a":"[]{}","b":true}"#, ["b"], [], true, #"{"a":"[]{}"}"#),
      (#"{"a":1}"#, ["a"], ["a"], false, "{}"), ("12", ["a"], [], true, "12"),
    ])
  func cuts(_ json: String, _ missing: [String], _ null: [String], _ empties: Bool, _ expected: String) {
    let cut = JSONCut(missing: missing.map { Array($0.utf8) }, null: null.map { Array($0.utf8) }, emptiesLists: empties)
    #expect(String(decoding: cut.applied(to: Array(json.utf8)), as: UTF8.self) == expected)
  }

  @Test(
    "Text that is no JSON ends all the same", arguments: ["{", "[", "{\"a", "{\"a\":", "]", "\"\\", "{,}", "[1,,2", ""])
  func noJSON(_ text: String) {
    let cut = JSONCut(missing: [Array("a".utf8)], null: [], emptiesLists: true)
    #expect(cut.applied(to: Array(text.utf8)).count <= 2 * text.utf8.count + 16)
  }
}
