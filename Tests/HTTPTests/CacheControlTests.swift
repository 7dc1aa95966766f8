import HTTP
import Testing

@Suite struct CacheControlTests {
  private func control(_ lines: String...) -> CacheControl { CacheControl(lines.map { Array($0.utf8) }) }

  @Test(
    "A lifetime is read in each of its spellings, and the careful reading wins where there are two",
    arguments: [
      ("max-age=60", 60), ("MAX-AGE=60", 60), ("public, max-age=60", 60), ("max-age=\"60\"", 60), ("max-age=060", 60),
      ("max-age=60, max-age=5", 5), ("max-age=5,max-age=60", 5), ("a=\"x, max-age=1\", max-age=60", 60),
      ("a=\"x\\\", max-age=1\", max-age=60", 60), (",, max-age=60 ,", 60), ("max-age=99999999999", 2_147_483_648),
      ("max-age=99999999999999999999999999", 2_147_483_648), ("max-age=", 0), ("max-age", 0), ("max-age=-1", 0),
      ("max-age=+1", 0), ("max-age=1.5", 0), ("max-age=60s", 0), ("max-age='60'", 0), ("max-age=\"", 0),
    ])
  func lifetimes(_ text: String, _ seconds: Int64) { #expect(control(text).maxAge == seconds) }

  @Test(
    "Other names are not taken for a lifetime", arguments: ["max-agee=60", "x-max-age=60", "max-age =60", "=60", ""])
  func otherNames(_ text: String) { #expect(control(text) == control()) }

  @Test("Words that contradict each other all count")
  func contradictions() {
    let all = control("no-store, public", "private=\"set-cookie\", no-cache=\"a\", s-maxage=5", "proxy-revalidate")
    #expect(all.isNoStore && all.isPublic && all.isPrivate && all.isNoCache && all.mustRevalidate)
    #expect(all.sharedMaxAge == 5)
    #expect(!all.mayBeStored)
    #expect(control("public, max-age=0").mayBeStored)
  }
}
