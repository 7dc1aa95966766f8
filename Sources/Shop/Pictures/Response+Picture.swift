import HTTP
import Images

extension Response {
  /// The answer that a picture is, whoever asked for it by whatever name.
  init(_ picture: StoredPicture, cacheControl: String) {
    self.init(.ok, body: picture.body)
    add(.contentType, picture.format.mediaType)
    add(.cacheControl, cacheControl)
    add(.xContentTypeOptions, "nosniff")
    add(.crossOriginResourcePolicy, "cross-origin")
    add(.contentSecurityPolicy, "default-src 'none'; sandbox")
    entityTag = picture.entityTag
    acceptsRanges = true
    cacheStatus = picture.cacheStatus
    freshness = picture.freshness
    isReusable = picture.reusableUntil != nil && !picture.isStandIn
    reusableUntil = picture.reusableUntil
    reuseObserver = picture.visit
  }
}
