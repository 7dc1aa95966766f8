import Glibc
import Testing

@Suite("An origin that misbehaves on request", .blocking)
struct OriginFaultTests {
  /// What one product's picture suffers, and what its client is told.
  private static let cases: [(product: String, fault: String, status: Int, code: String?)] = [
    ("HBDEF", "picture=html", 502, "origin-error"),
    ("HDF73", "unasked=304", 502, "origin-error"),
    ("HF778", "unasked=206", 502, "origin-error"),
    ("HFB53", "redirect=/images/HFB53.jpg", 502, "origin-error"),
    ("H72C3", "truncate=0.5", 502, "origin-error"),
    ("HBBCC", "type=text/plain latency=10ms", 200, nil),
    ("kimchi_01-A", "status=503:30", 503, "origin-busy"),
  ]

  @Test("`banchan origin --fault` spoils the pictures below a path, and each fault has its answer")
  func faults() throws {
    try Folder.withTemporary { folder in
      for row in Self.cases { try folder.write(Picture.jpeg(row.product), to: "pictures/images/\(row.product).jpg") }
      let rules = Self.cases.flatMap { ["--fault", "/images/\($0.product).jpg \($0.fault)"] }
      let origin = try BanchanProcess(["origin", "--dir", "pictures", "--log", "off"] + rules, in: folder.path)
      defer { origin.endForCertain() }
      let base = "http://127.0.0.1:\(try RunningShop.waitForPort(origin))/"
      try withShop(pictures: .base(base)) { shop in
        for row in Self.cases {
          let reply = try shop.get(try shop.picture(of: row.product))
          guard let code = row.code else {
            #expect(reply.status == row.status && reply.body == Picture.jpeg(row.product))
            #expect(reply["Content-Type"] == "image/jpeg")
            continue
          }
          expectProblem(reply, row.status, code)
          #expect(reply["Retry-After"] == (row.status == 503 ? "30" : nil))
        }
      }
    }
  }

  @Test("With a rate and a seed, the same requests suffer in each run")
  func seeded() throws {
    try Folder.withTemporary { folder in
      try folder.write(Picture.jpeg("a"), to: "pictures/a.jpg")
      var runs: [[Int]] = []
      for _ in 0..<2 {
        let process = try BanchanProcess(
          ["origin", "--dir", "pictures", "--log", "off", "--fault", "/ status=500 rate=0.5 seed=3"], in: folder.path)
        defer { process.endForCertain() }
        let port = try RunningShop.waitForPort(process)
        runs.append(
          try (0..<20).map { _ in
            let connection = try RawConnection(port: port)
            try connection.request("GET", "/a.jpg")
            return try connection.readReply().status
          })
      }
      #expect(runs[0] == runs[1] && Set(runs[0]) == [200, 500])
    }
  }

  @Test("What is no fault is refused before anything listens", arguments: ["/a.jpg", "status=500", "/ bogus"])
  func refused(_ text: String) throws {
    try Folder.withTemporary { folder in
      let process = try BanchanProcess(["origin", "--dir", ".", "--fault", text], in: folder.path)
      #expect(try process.waitForEnd() == .exited(2))
    }
  }
}
