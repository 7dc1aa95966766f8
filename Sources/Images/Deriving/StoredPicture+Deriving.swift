import HTTP

extension StoredPicture {
  /// A size made of this picture; `visit` when it comes from the cache.
  func derived(
    _ body: Response.Body, digest: Digest, format: PictureFormat, visit: BodyVisit?
  ) -> StoredPicture {
    var derived = self
    derived.body = body
    derived.digest = digest
    derived.format = format
    derived.visit = visit
    return derived
  }

  /// This picture, in place of a size that cannot be made just now.
  func standingIn() -> StoredPicture {
    var picture = self
    picture.isStandIn = true
    return picture
  }
}
