import FoundationEssentials
import FuzzTargets
import Testing

/// The inputs that are kept for the fuzzer: seeds, and whatever it has found.
@Suite("The fuzzer's invariants")
struct ReplayTests {
  private static let corpus = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Corpus")

  /// The files of a target, by name.
  private static func inputs(of target: String) throws -> [(name: String, bytes: [UInt8])] {
    let folder = corpus.appending(path: target)
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map { name in
      (name, Array(try Data(contentsOf: folder.appending(path: name))))
    }
  }

  @Test("hold for every input that was kept", arguments: FuzzTarget.all.map(\.name))
  func replay(_ name: String) throws {
    let target = try #require(FuzzTarget.named(name))
    let inputs = try Self.inputs(of: name)
    #expect(!inputs.isEmpty, "\(name) has no corpus")
    for input in inputs {
      do throws(Violation) {
        try target.check(input.bytes)
      } catch {
        Issue.record("Tests/Fuzz/Corpus/\(name)/\(input.name): \(error)")
      }
    }
  }

  @Test("hold for no bytes at all, for all ones and all zeros", arguments: FuzzTarget.all.map(\.name))
  func plainest(_ name: String) throws {
    let target = try #require(FuzzTarget.named(name))
    for bytes in [[], [UInt8](repeating: 0, count: 70), [UInt8](repeating: 0xFF, count: 70)] {
      try target.check(bytes)
    }
  }

  @Test("are looked for in every folder of the corpus")
  func folders() throws {
    let folders = try FileManager.default.contentsOfDirectory(atPath: Self.corpus.path)
    #expect(Set(folders) == Set(FuzzTarget.all.map(\.name)))
  }
}
