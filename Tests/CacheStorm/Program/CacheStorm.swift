import CacheStormPictures
import Client
import Glibc
import HTTP
import Net

@testable import Images

/// Stores, refreshes, evicts and reads pictures in a cache folder as fast as it can, until somebody kills it.
///
///     cache-storm FOLDER BYTES SEED
@main
enum CacheStorm {
  nonisolated static func main() async {
    let arguments = CommandLine.arguments
    guard arguments.count == 4, let limit = Int(arguments[2]), let seed = UInt64(arguments[3]) else {
      say("usage: cache-storm FOLDER BYTES SEED")
      exit(2)
    }
    do {
      let store = try PictureStore(
        path: arguments[1], limits: CacheDisk.Limits(bytes: limit, minimumFree: 0), memory: 1 << 20,
        threads: BlockingThreads(limit: 4), log: { say($0) })
      await store.pin(stride(from: UInt8(1), to: 64, by: 2).map { SourceKey(storm: $0) })
      // Whoever waits for this line may kill from here on.
      say("storming")
      await withTaskGroup(of: Void.self) { group in
        for sailor in 0..<4 { group.addTask { await storm(store, seed: seed &* 4 &+ UInt64(sailor)) } }
      }
    } catch {
      say("cache-storm: \(error)")
      exit(1)
    }
  }

  /// Prints a line at once.
  private static func say(_ line: String) {
    let bytes = Array("\(line)\n".utf8)
    write(1, bytes, bytes.count)
  }

  private static func storm(_ store: PictureStore, seed: UInt64) async {
    var state = seed
    func next(_ bound: UInt64) -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (state >> 33) % bound
    }
    while true {
      let number = UInt8(next(128))
      let key = SourceKey(storm: number)
      switch next(8) {
      case 0..<3: await put(StormPicture(number: number, version: UInt8(next(4))), in: store)
      case 3:
        // As an origin's 304 does.
        if var record = await store.find(key)?.record {
          record.checkedAt += 1
          await store.note(record)
        }
      case 4:
        if let found = await store.find(key) {
          let derived = DerivedKey(source: found.record.digest, size: .thumb, format: .jpeg)
          if await store.find(derived)?.digest == nil {
            await store.store(StormPicture(number: number | 0x81, version: 9).bytes, as: derived)
          }
        }
      default: _ = await store.find(key)
      }
    }
  }

  private static func put(_ picture: StormPicture, in store: PictureStore) async {
    let key = SourceKey(storm: picture.number)
    guard let url = try? OriginURL(Array("http://a.example/\(picture.number).jpg".utf8)) else { return }
    let writer = PictureWriter(for: key, store: store, isStored: true)
    let bytes = picture.bytes
    for start in stride(from: 0, to: bytes.count, by: 65_536) {
      await writer.append(Array(bytes[start..<min(start + 65_536, bytes.count)]))
    }
    _ = await writer.finish { digest, count in
      SourceRecord(
        key: key, url: url, digest: digest, format: .jpeg, bytes: count, dimensions: nil, entityTag: nil,
        lastModified: nil, cacheControl: nil, fetchedAt: 1, checkedAt: 1, lastStatus: 200)
    }
  }
}

extension SourceKey {
  fileprivate init(storm number: UInt8) { self.init(reference: Array("\(number).jpg".utf8)) }
}
