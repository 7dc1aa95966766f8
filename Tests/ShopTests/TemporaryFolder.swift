import FoundationEssentials

/// Runs a test with a folder of its own, which is gone afterwards.
func withTemporaryFolder<Result>(_ work: (_ path: String) throws -> Result) throws -> Result {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent("banchan-test-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  return try work(folder.path)
}
