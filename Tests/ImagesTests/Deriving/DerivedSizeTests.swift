import DeriveWire
import HTTP
import OriginScripts
import Testing

@testable import Images

extension PictureLibrary {
  /// A size of a picture of which the catalog knows nothing.
  fileprivate func size(
    _ reference: String = "a.jpg", _ size: PictureSize = .thumb, _ format: PictureFormat = .jpeg, known: Digest? = nil,
    isMeasured: Bool = false
  ) async -> Result<StoredPicture, PictureFailure> {
    await picture(for: Array(reference.utf8), known: known, size: size, format: format, isMeasured: isMeasured)
  }
}

@Suite("A size of a picture")
struct DerivedSizeTests {
  private func withLibrary(
    _ bytes: [UInt8], _ deriving: DerivingConfiguration?,
    _ body: (PictureLibrary, Fixture, ScriptedOrigin) async throws -> Void
  ) async throws {
    try await withFixture { fixture in
      let origin = try ScriptedOrigin { $0.answer(200, bytes) }
      try await fixture.withLibrary(origin.base, { $0.deriving = deriving }) { library in
        try await body(library, fixture, origin)
      }
    }
  }

  @Test("is made once for a thousand clients on one cold picture, of one request to the origin")
  func herd() async throws {
    try await withLibrary(Workers.picture(), try Workers.real()) { library, fixture, origin in
      let pictures = await withTaskGroup { group in
        for number in 0..<1_000 {
          group.addTask(executorPreference: number.isMultiple(of: 2) ? fixture.loop : nil) {
            try? await library.size().get()
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(pictures.compactMap { $0 }.count == 1_000)
      #expect(Set(pictures.compactMap { $0?.digest }).count == 1)
      #expect(origin.targets.count == 1)
      #expect(fixture.findings.count { if case .measured = $0.outcome { true } else { false } } == 1)
    }
  }

  @Test("is kept, says what it was made of, and outlives the worker and the origin")
  func kept() async throws {
    let bytes = Workers.picture()
    try await withFixture { fixture in
      let origin = try ScriptedOrigin { $0.answer(200, bytes) }
      let real = try Workers.real()
      let made = try await fixture.withLibrary(origin.base, { $0.deriving = real }) { library in
        let made = try await library.size().get()
        #expect(made.source == Digest.of(bytes) && made.digest != made.source)
        let madeBytes = await made.bytes
        #expect(Digest.of(madeBytes) == made.digest)
        #expect(made.format == .jpeg && !made.isStandIn)
        let webp = try await library.size("a.jpg", .thumb, .webp).get()
        let webpBytes = await webp.bytes
        #expect(webp.format == .webp && BodyKind(prefix: webpBytes) == .picture(.webp))
        return made
      }
      origin.stop()
      let none = DerivingConfiguration(executable: "/nowhere", workers: 1)
      try await fixture.withLibrary(origin.base, { $0.deriving = none }) { library in
        let found = try await library.size(known: Digest.of(bytes), isMeasured: true).get()
        #expect(found.digest == made.digest)
        let (foundBytes, madeBytes) = (await found.bytes, await made.bytes)
        #expect(foundBytes == madeBytes)
        #expect(found.cacheStatus == .hit)
      }
    }
  }

  @Test("is made, and the catalog is told what the picture is like, after a restart once more if it forgot")
  func measured() async throws {
    try await withFixture { fixture in
      @Sendable func measures() -> [PictureMeasure] {
        fixture.findings.compactMap { if case .measured(_, .jpeg, let measure) = $0.outcome { measure } else { nil } }
      }
      let origin = try ScriptedOrigin { $0.answer(200, Workers.picture()) }
      let real = try Workers.real()
      let source = try await fixture.withLibrary(origin.base, { $0.deriving = real }) { library in
        let made = try await library.size().get()
        #expect(measures().map { [$0.width, $0.height] } == [[8, 8]])
        #expect(measures().allSatisfy { $0.thumbHash.count > 5 })
        _ = try await library.size(known: made.source, isMeasured: true).get()
        #expect(measures().count == 1)
        return made.source
      }
      try await fixture.withLibrary(origin.base, { $0.deriving = real }) { library in
        // The size is there; what is known of the picture is found out behind the answer.
        for _ in 0..<3 { _ = try await library.size(known: source, isMeasured: false).get() }
        #expect(await eventually { measures().count >= 2 })
        for _ in 0..<3 { _ = try await library.size(known: source, isMeasured: false).get() }
        #expect(measures().count == 2 && Set(measures()).count == 1)
      }
    }
  }

  @Test("that cannot be decoded is 422 for ever, and the catalog is told once")
  func undecodable() async throws {
    try await withLibrary(Workers.order("no picture at all"), try Workers.real()) { library, fixture, _ in
      for _ in 0..<3 {
        let failure = await library.size().failure
        #expect(failure?.status == .unprocessableContent && failure?.code == "picture-undecodable")
      }
      #expect(fixture.findings.count { if case .failedForGood = $0.outcome { true } else { false } } == 1)
      // The original is what the origin has, and is given as it is.
      #expect(await library.picture("a.jpg").success != nil)
    }
  }

  @Test("that breaks its worker is 422 and remembered, and the catalog is told nothing: it may pass")
  func broken() async throws {
    try await withLibrary(Workers.order("crash"), try Workers.bad()) { library, fixture, _ in
      for _ in 0..<3 { #expect(await library.size().failure?.code == "picture-undecodable") }
      #expect(fixture.findings.allSatisfy { if case .failedForGood = $0.outcome { false } else { true } })
      #expect(fixture.lines.count { $0.contains("is not derived") } == 1)
    }
  }

  @Test("of a kind that none are made of is the original as it is, unless that is too large")
  func otherKinds() async throws {
    let gif = Array("GIF89a".utf8) + [UInt8](repeating: 7, count: 1_000)
    try await withLibrary(gif, try Workers.real()) { library, _, _ in
      let picture = try await library.size().get()
      #expect(picture.format == .gif && picture.digest == picture.source && !picture.isStandIn)
      #expect(await picture.bytes == gif)
    }
    let large = gif + [UInt8](repeating: 7, count: PictureDeriver.standInLimit)
    try await withLibrary(large, try Workers.real()) { library, _, _ in
      let failure = await library.size().failure
      #expect(failure?.status == .unsupportedMediaType && failure?.code == "picture-unsupported")
      #expect(await library.picture("a.jpg").success != nil)
    }
  }

  @Test("is 503 for a second where too many wait for theirs, and is not remembered as failed")
  func queueFull() async throws {
    var deriving = try Workers.bad()
    deriving.waiting = 0
    deriving.jobMilliseconds = 15_000
    try await withFixture { fixture in
      let origin = try ScriptedOrigin { request in
        request.answer(200, request.target == "/slow.jpg" ? Workers.order("hang") : Workers.picture())
      }
      try await fixture.withLibrary(origin.base, { [deriving] in $0.deriving = deriving }) { library in
        // Fetched before: how long that takes must not matter.
        for name in ["slow.jpg", "b.jpg"] { _ = try await library.picture(name).get() }
        let slow = Task { await library.size("slow.jpg") }
        #expect(await eventually { library.statistics.deriving?.working == 1 })
        let failure = await library.size("b.jpg").failure
        #expect(failure?.status.code == 503 && failure?.retryAfter == 1)
        #expect(await slow.value.failure?.status.code == 422)
        #expect(await library.size("b.jpg").success != nil)
      }
    }
  }

  @Test("as PNG is for transparent pictures")
  func opaque() async throws {
    try await withLibrary(Workers.picture(), try Workers.real()) { library, _, _ in
      let failure = await library.size("a.jpg", .thumb, .png).failure
      #expect(failure?.status == .unsupportedMediaType)
      #expect(await library.size().success != nil)
    }
  }

  @Test("is the original under a name that nobody may keep, where there is no worker", arguments: [true, false])
  func standIn(_ isConfigured: Bool) async throws {
    let bytes = Workers.picture()
    let none = isConfigured ? DerivingConfiguration(executable: "/nowhere", workers: 1) : nil
    try await withLibrary(bytes, none) { library, _, _ in
      let picture = try await library.size().get()
      #expect(picture.isStandIn && picture.digest == Digest.of(bytes))
      #expect(library.derivingTrouble != nil)
    }
  }
}
