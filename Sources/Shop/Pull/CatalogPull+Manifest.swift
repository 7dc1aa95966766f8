import JSON

extension CatalogPull {
  /// Brings `pictures.json` up to date, by what changed since the version that it is of, or anew.
  func pullManifest() async throws(PullError) -> PulledPictures {
    let known = await read("pictures.json").flatMap(PulledPictures.init(file:))
    do throws(PullFault) {
      let pictures: PulledPictures
      do throws(PullFault) {
        pictures = try await walk(since: known)
      } catch .status(400) {
        // The shop has started anew in the middle, and forgot since when it was asked.
        pictures = try await walk(since: nil)
      }
      if pictures != known {
        do throws(PullError) { try await put(pictures.file, at: "pictures.json") } catch { throw .folder(error) }
      }
      return pictures
    } catch {
      throw Self.error(error, about: "\(configuration.shop)api/v1/images")
    }
  }

  /// Goes through the pages.
  private func walk(since known: PulledPictures?) async throws(PullFault) -> PulledPictures {
    var page = try await ask("api/v1/images\(known.map { "?since=\($0.version)" } ?? "")")
    guard let version = page["version"]?.integer else { throw .answer("the answer is no manifest") }
    // Without a version that the answer counts from, it is everything.
    let isWhole = page["since"]?.integer == nil
    var pictures = isWhole ? PulledPictures(version: version) : known ?? PulledPictures(version: version)
    pictures.version = version
    pictures.placeholder = page["placeholderPicture"]?.text
    for _ in 0..<Self.pageLimit {
      for element in page["pictures"]?.elements ?? [] {
        guard let picture = PulledPicture(element) else { throw .answer("the manifest has a picture without a name") }
        pictures.pictures[picture.id] = picture.completed(by: known?.pictures[picture.id])
      }
      for id in page["removed"]?.elements ?? [] { pictures.pictures[id.text ?? ""] = nil }
      guard let cursor = page["nextCursor"]?.text else { return pictures }
      guard cursor.utf8.allSatisfy(Self.isPlain), cursor.utf8.count <= 200 else {
        throw .answer("a cursor that is none")
      }
      page = try await ask("api/v1/images?cursor=\(cursor)")
    }
    throw .answer("a manifest without an end")
  }

  /// Ten million pictures.
  private static let pageLimit = 50_000

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  private func ask(_ path: String) async throws(PullFault) -> JSONValue {
    guard let answer = try await client.get(path), let value = try? JSONValue(parsing: answer.body) else {
      throw .answer("the answer is no manifest")
    }
    return value
  }
}

extension PulledPicture {
  /// The same, with what is known of a file of the same name.
  fileprivate func completed(by old: PulledPicture?) -> PulledPicture {
    var picture = self
    for (size, file) in files {
      guard let known = old?.files[size], known.name == file.name else { continue }
      picture.files[size]?.bytes = file.bytes ?? known.bytes
      picture.files[size]?.digest = file.digest ?? known.digest
    }
    return picture
  }
}
