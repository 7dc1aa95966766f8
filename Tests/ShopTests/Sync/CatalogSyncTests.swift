import Catalog
import Client
import JSON
import OriginScripts
import Synchronization
import Testing

@testable import Shop

@Suite("Asking an upstream")
struct CatalogSyncTests {
  private func with(
    _ answers: [String: String] = UpstreamSample.answers, _ body: (ScriptedUpstream, String) async throws -> Void
  ) async throws {
    let upstream = try ScriptedUpstream(answers)
    defer { upstream.stop() }
    let folder = try TemporaryFolder()
    try await body(upstream, "\(folder.path)/sync")
  }

  private func lists(_ harvest: Harvest) -> [[String]?] {
    harvest.sections.map { $0.listings?.map(\.id.text) }
  }

  // MARK: Recognising

  @Test(
    "Lists tell which surface they belong to",
    arguments: [
      ("main", "[]", "woowa2018"), ("main", #"[{"detail_hash":"H1","n_price":"7,000"}]"#, "woowa2018"),
      ("main", #"{"statusCode":200,"body":[]}"#, "onban2022"),
      ("main", #"{"statusCode":200,"body":[{"detail_hash":"H1","n_price":"7,000원"}]}"#, "onban2022"),
      ("main", #"{"statusCode":200,"body":[{"detail_hash":"H1","badge":["런칭특가"]}]}"#, "onban2022"),
      ("main", #"{"statusCode":200,"body":[{"detail_hash":"H1","n_price":"7,000"}]}"#, "baminchan2020"),
      ("soup", #"{"statusCode":200,"body":[{"detail_hash":"H1","badge":["론칭특가"]}]}"#, "baminchan2020"),
      ("categories", #"[{"name":"메인","description":"","path":"main"}]"#, "team2020"),
    ])
  func recognises(question: String, answer: String, surface: String) throws {
    let value = try JSONValue(parsing: Array(answer.utf8))
    #expect(try UpstreamRecognition.surface(of: value, to: question).name == surface)
  }

  @Test(
    "What is no list of ours is not recognised",
    arguments: [
      ("main", #"{"message":"hello"}"#), ("main", #"[{"id":1}]"#), ("main", "5"), ("categories", "[]"),
      ("main", #"{"statusCode":500,"body":[]}"#), ("main", #"{"statusCode":200}"#), ("categories", #"[{"name":"x"}]"#),
    ])
  func doesNotRecognise(question: String, answer: String) throws {
    let value = try JSONValue(parsing: Array(answer.utf8))
    #expect(throws: UpstreamFault.self) { try UpstreamRecognition.surface(of: value, to: question) }
  }

  @Test("An upstream whose first list fails is recognised by another")
  func recognisesLater() async throws {
    try await with { upstream, journals in
      upstream["/onban/main"] = .json("<html>")
      let harvest = try await harvest(upstream.url, journals: journals).harvest
      #expect(harvest.surfaceName == "onban2022")
      #expect(lists(harvest) == [nil, ["H72C3", "HA6EE"], ["HBBCC", "H1939"]])
      #expect(harvest.failures.map(\.subject) == ["main"])
    }
  }

  @Test("Nobody there, nothing known, and an unknown name are told apart")
  func cannotBegin() async throws {
    let gone = try ScriptedUpstream([:])
    gone.stop()
    let folder = try TemporaryFolder()
    let unreachable = await syncError { try await harvest(gone.url, journals: folder.path) }
    expect(unreachable) { if case .unreachable = $0 { true } else { false } }
    try await with(["/onban/main": #"{"hello":1}"#]) { upstream, journals in
      let unknown = await syncError { try await harvest(upstream.url, journals: journals) }
      expect(unknown) { if case .unknownSurface(_, let reasons) = $0 { reasons.count == 4 } else { false } }
      let name = await syncError { try await harvest(upstream.url, journals: journals, surface: "onban2021") }
      expect(name) { if case .noSuchSurface = $0 { true } else { false } }
      let nothing = await syncError { try await harvest(upstream.url, journals: journals, surface: "team2020") }
      expect(nothing) { if case .nothingListed = $0 { true } else { false } }
    }
  }

  private func syncError(_ work: () async throws -> (Harvest, SyncJournal)) async -> SyncError? {
    do {
      _ = try await work()
      return nil
    } catch {
      return error as? SyncError
    }
  }

  private func expect(
    _ error: SyncError?, sourceLocation: SourceLocation = #_sourceLocation, _ isRight: (SyncError) -> Bool
  ) {
    #expect(error.map(isRight) == true, "\(String(describing: error))", sourceLocation: sourceLocation)
  }

  // MARK: Asking

  @Test("Everything is asked for once, over one connection, and as JSON")
  func once() async throws {
    try await with { upstream, journals in
      let events = Mutex<[SyncProgress]>([])
      let harvest = try await harvest(upstream.url, journals: journals) { event in events.withLock { $0.append(event) }
      }
      .harvest
      #expect(lists(harvest) == [["HBDEF", "HDF73"], ["H72C3", "HA6EE"], ["HBBCC", "H1939"]])
      #expect(harvest.details.count == 6 && harvest.failures.isEmpty && harvest.requests == 10)
      #expect(
        upstream.targets == [
          "/onban/main", "/onban/soup", "/onban/side", "/onban/best", "/onban/detail/HBDEF", "/onban/detail/HDF73",
          "/onban/detail/H72C3", "/onban/detail/HA6EE", "/onban/detail/HBBCC", "/onban/detail/H1939",
        ])
      #expect(upstream.connections == 1)
      #expect(upstream.heads.allSatisfy { $0.contains("Accept: application/json\r\n") })
      #expect(events.withLock { $0.first } == .recognised(surface: "onban2022", found: 0))
      #expect(events.withLock { $0.last } == .details(done: 6, of: 6))
    }
  }

  @Test("A sync that was stopped takes up at the item where it stopped, and asks nothing twice")
  func resumes() async throws {
    try await with { upstream, journals in
      upstream["/onban/detail/HBBCC"] = .status(404)
      do {
        let (first, _) = try await harvest(upstream.url, journals: journals)
        #expect(first.failures.map(\.subject) == ["HBBCC"])
      }
      upstream["/onban/detail/HBBCC"] = .json(UpstreamSample.detail("HBBCC"))
      let second = try await harvest(upstream.url, journals: journals).harvest
      #expect(second.requests == 1 && second.recalled == 9 && second.failures.isEmpty)
      for path in Set(upstream.targets) {
        #expect(upstream.count(path) == (path.hasSuffix("HBBCC") ? 2 : 1), "\(path)")
      }
    }
  }

  @Test(
    "What passes is tried three times, what does not once",
    arguments: [
      (.status(503), 3), (.status(429), 3), (.reset, 3), (.json("{\"hash\":"), 3), (.status(404), 1), (.status(403), 1),
      (.json("[]"), 1), (.json(UpstreamSample.detail("HDF73")), 1), (.json(#"{"hash":"HBDEF","data":"?"}"#), 1),
      (.json(#"{"statusCode":500,"body":{}}"#), 3), (.json(#"{"hash":"HBDEF","data":{"point":"1원"}}"#), 1),
    ] as [(ScriptedUpstream.Answer, Int)])
  func patience(answer: ScriptedUpstream.Answer, attempts: Int) async throws {
    try await with { upstream, journals in
      upstream["/onban/detail/HBDEF"] = answer
      let harvest = try await harvest(upstream.url, journals: journals).harvest
      #expect(harvest.failures.map(\.subject) == ["HBDEF"] && harvest.details.count == 5)
      // On a connection that waited, the client asks again by itself before it calls that a failure.
      let extra = if case .reset = answer { 1 } else { 0 }
      #expect((attempts...attempts + extra).contains(upstream.count("/onban/detail/HBDEF")))
      #expect(!harvest.isCutShort)
    }
  }

  @Test("A failure that passes is none")
  func passes() async throws {
    try await with { upstream, journals in
      upstream.failOnce("/onban/detail/HDF73", with: .reset)
      upstream.failOnce("/onban/soup", with: .status(500))
      let harvest = try await harvest(upstream.url, journals: journals).harvest
      #expect(harvest.failures.isEmpty && harvest.details.count == 6)
    }
  }

  @Test("An upstream that goes away is not asked for everything else, and what it said is kept for the next time")
  func goesAway() async throws {
    var answers = UpstreamSample.answers
    let hashes = (0..<30).map { "H\(1000 + $0)" }
    answers["/onban/main"] = UpstreamSample.list(hashes.map(UpstreamSample.item))
    for hash in hashes { answers["/onban/detail/\(hash)"] = UpstreamSample.detail(hash) }
    try await with(answers) { upstream, journals in
      for hash in hashes.dropFirst(3) { upstream["/onban/detail/\(hash)"] = .reset }
      do {
        let (first, _) = try await harvest(upstream.url, journals: journals)
        #expect(first.isCutShort && first.details.count == 3)
        #expect(upstream.targets.count < 20)
        #expect(first.failedDetails == 32)
      }
      for hash in hashes { upstream["/onban/detail/\(hash)"] = .json(UpstreamSample.detail(hash)) }
      let second = try await harvest(upstream.url, journals: journals).harvest
      #expect(!second.isCutShort && second.failures.isEmpty && second.recalled == 7 && second.requests == 32)
    }
  }

  @Test("An upstream without collections has none, and that is no failure")
  func noBest() async throws {
    try await with { upstream, journals in
      upstream["/onban/best"] = nil
      let harvest = try await harvest(upstream.url, journals: journals).harvest
      #expect(harvest.failures.isEmpty)
      if case .unknown = harvest.best {} else { Issue.record("\(harvest.best)") }
    }
  }

  // MARK: Oddities of lists

  @Test("A hash that is listed twice keeps its first place")
  func repeated() async throws {
    try await with { upstream, journals in
      upstream["/onban/soup"] = .json(UpstreamSample.list(["HBDEF", "H72C3", "H72C3"].map(UpstreamSample.item)))
      let harvest = try await harvest(upstream.url, journals: journals).harvest
      #expect(lists(harvest)[1] == ["H72C3"] && harvest.details.count == 5)
      #expect(
        harvest.notes.oddities.map(\.description) == [
          "HBDEF: stands in main and again in soup: the first place is kept",
          "H72C3: stands in soup and again in soup: the first place is kept",
        ])
    }
  }

  @Test("An entry without a usable hash is named by its place")
  func nameless() async throws {
    try await with { upstream, journals in
      let odd = UpstreamSample.item("HDF73").with(["detail_hash": "\"../etc\""])
      upstream["/onban/main"] = .json(UpstreamSample.list([UpstreamSample.item("HBDEF"), odd]))
      let harvest = try await harvest(upstream.url, journals: journals).harvest
      #expect(lists(harvest)[0] == ["HBDEF"])
      #expect(Harvest.Failure.lines(harvest.failures) == [#"product main[1]: its hash "../etc" is none"#])
    }
  }

  @Test("Collections take a number as their id, and their loose products with them")
  func collections() async throws {
    try await with { upstream, journals in
      upstream["/onban/best"] = .json(
        UpstreamSample.best([
          ("17011200", [UpstreamSample.item("HBDEF"), UpstreamSample.item("HLOOS")]), ("\"17011200\"", []),
          ("null", [UpstreamSample.item("HBDEF")]), ("\"17010200\"", [UpstreamSample.item("HLOOS")]),
        ]))
      upstream["/onban/detail/HLOOS"] = .json(UpstreamSample.detail("HLOOS"))
      let harvest = try await harvest(upstream.url, journals: journals).harvest
      guard case .collections(let found) = harvest.best else {
        Issue.record("\(harvest.best)")
        return
      }
      #expect(found.map(\.id.text) == ["17011200", "17010200"])
      #expect(Harvest.Failure.lines(harvest.failures) == ["collections best null: its category_id is none"])
      #expect(found.map { $0.products.map(\.text) } == [["HBDEF", "HLOOS"], ["HLOOS"]])
      #expect(harvest.loose.map(\.id.text) == ["HLOOS"] && harvest.details.count == 7)
      #expect(
        harvest.notes.oddities.map(\.description) == [
          "best 17011200: category_id is 17011200: taken as a text",
          #"best "17011200": the collection comes twice: the first is kept"#,
        ])
    }
  }

  @Test("The seed team's categories are its sections, with their own words")
  func categories() async throws {
    let item = SampleObject([
      ("id", "\"HBDEF\""), ("image", "\"http://cdn.test/1.jpg\""), ("alt", "\"갈비\""), ("deliveryTypes", "[\"전국택배\"]"),
      ("title", "\"갈비찜\""), ("description", "\"\""), ("originalPrice", "\"15,800\""), ("finalPrice", "\"12,640원\""),
    ])
    let detail = SampleObject([
      ("id", "\"HBDEF\""), ("topImage", "\"http://cdn.test/1.jpg\""), ("thumbImages", "[\"http://cdn.test/1.jpg\"]"),
      ("detailImages", "[]"), ("deliveryInfo", "\"이틀\""), ("deliveryFee", "\"무료\""), ("title", "\"갈비찜\""),
      ("description", "\"\""), ("originalPrice", "\"15,800원\""), ("finalPrice", "\"12,640원\""),
    ])
    let answers = [
      "/onban/categories": """
      [{"name":"메인반찬","description":"뚝딱","path":"main"},{"name":"나쁜","description":"","path":"a/b"},
       {"name":"김치","description":"","path":"kimchi"}]
      """,
      "/onban/categories/main": "{\"name\":\"메인반찬\",\"description\":\"뚝딱\",\"banchan\":[\(item.json)]}",
      "/onban/categories/kimchi": #"{"name":"김치","description":"","banchan":[]}"#,
      "/onban/banchan/HBDEF": detail.json,
    ]
    try await with(answers) { upstream, journals in
      let harvest = try await harvest(upstream.url, journals: journals).harvest
      let mirror = try CatalogMirror(harvest, over: nil)
      #expect(harvest.surfaceName == "team2020")
      #expect(mirror.catalog.sections.map(\.name) == ["메인반찬", "김치"])
      #expect(mirror.catalog.sections.map(\.title) == ["뚝딱", ""])
      #expect(mirror.catalog.products.map(\.title) == ["갈비찜"])
      #expect(mirror.catalog.products[0].listPrice?.amount == 15_800)
      #expect(mirror.failures.map(\.subject) == ["나쁜"])
      #expect(mirror.oddities.isEmpty)
    }
  }
}
