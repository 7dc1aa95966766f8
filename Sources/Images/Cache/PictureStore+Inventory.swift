import CLinux
import Glibc
import SQLite

extension PictureStore {
  /// What the index knows of some sources whose bodies are there in their full length. Bodies are not read.
  func records(of keys: [SourceKey]) async -> [SourceKey: SourceRecord] {
    let records: [SourceKey: SourceRecord]? = await reading { disk in
      var records: [SourceKey: SourceRecord] = [:]
      for key in keys {
        // What cannot be read is as good as unknown.
        if let record = disk.record(of: key) { records[key] = record }
      }
      return records
    }
    return records ?? [:]
  }
}

extension CacheDisk {
  /// What is known of a source whose body is there in its full length; the body is not read.
  func record(of key: SourceKey) -> SourceRecord? {
    guard let record = try? index.find(key)?.record,
      let descriptor = try? FileCalls.open(folder.objectPath(record.digest), O_RDONLY)
    else { return nil }
    defer { clinux_close(descriptor) }
    return clinux_file_size(descriptor) == Int64(record.bytes) ? record : nil
  }
}
