#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Answers and pictures as files in one folder: what an app shows when the shop cannot be reached.
///
/// Every file is written beside its place and moved there, so a crash leaves the old one or the new one. The folder may be
/// deleted at any time; only time is lost.
struct AnswerFolder: Sendable {
  let path: String

  /// An answer that was kept.
  struct Kept {
    let entityTag: String
    let body: Data
  }

  /// The last answer to an address.
  func answer(to address: String) -> Kept? {
    guard let file = read("answers/\(Self.fileName(address))"), let end = file.firstIndex(of: UInt8(ascii: "\n")) else {
      return nil
    }
    return Kept(entityTag: String(decoding: file[..<end], as: UTF8.self), body: Data(file[(end + 1)...]))
  }

  /// Keeps an answer: its entity tag on a line, and then its body.
  func keep(_ body: Data, entityTag: String, for address: String) throws {
    try write(Data(entityTag.utf8) + Data("\n".utf8) + body, to: "answers/\(Self.fileName(address))")
  }

  /// A picture's bytes, by the last component of its URL.
  func picture(_ url: URL) -> Data? { read("pictures/\(Self.pictureName(url))") }

  func keepPicture(_ body: Data, for url: URL) throws { try write(body, to: "pictures/\(Self.pictureName(url))") }

  func hasPicture(_ url: URL) -> Bool {
    FileManager.default.fileExists(atPath: "\(path)/pictures/\(Self.pictureName(url))")
  }

  /// The file of a picture: identity, version and size stand in the last component of its URL.
  static func pictureName(_ url: URL) -> String { fileName(url.lastPathComponent) }

  /// The names of all pictures that are here.
  var pictureNames: [String] { (try? FileManager.default.contentsOfDirectory(atPath: "\(path)/pictures")) ?? [] }

  func removePicture(named name: String) { try? FileManager.default.removeItem(atPath: "\(path)/pictures/\(name)") }

  private func read(_ name: String) -> Data? { FileManager.default.contents(atPath: "\(path)/\(name)") }

  private func write(_ data: Data, to name: String) throws {
    let file = "\(path)/\(name)"
    let folder = file.lastIndex(of: "/").map { String(file[..<$0]) } ?? path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try data.write(to: URL(filePath: file), options: .atomic)
  }

  /// A file name for any text, which leads nowhere else: letters, digits and a few marks stay, every other byte, and a dot at
  /// the beginning, becomes two digits behind a percent sign.
  static func fileName(_ text: String) -> String {
    text.utf8.enumerated().map { index, byte in
      let isPlain =
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        case UInt8(ascii: "."): index > 0
        default: false
        }
      guard !isPlain else { return String(UnicodeScalar(byte)) }
      return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
  }
}
