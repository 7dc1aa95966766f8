import CLinux
import Glibc
import SQLite

extension PictureStore {
  /// What the index knows of some sources whose bodies are there in their full length. Bodies are not read.
  func records(of keys: [SourceKey]) async -> [SourceKey: SourceRecord] {
    guard let index, let folder else { return [:] }
    return await threads.run {
      var records: [SourceKey: SourceRecord] = [:]
      for key in keys {
        // What cannot be read is as good as unknown.
        guard let record = try? index.record(of: key), Self.isWhole(record, in: folder) else { continue }
        records[key] = record
      }
      return records
    }
  }

  private static func isWhole(_ record: SourceRecord, in folder: CacheFolder) -> Bool {
    guard let descriptor = try? FileCalls.open(folder.objectPath(record.digest), O_RDONLY) else { return false }
    defer { clinux_close(descriptor) }
    return clinux_file_size(descriptor) == Int64(record.bytes)
  }
}
