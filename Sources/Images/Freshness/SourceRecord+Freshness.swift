import Client
import HTTP

extension SourceRecord {
  /// What an origin is asked with whether the stored body still holds.
  var validators: Validators { Validators(entityTag: entityTag, lastModified: lastModified) }

  /// Whether the origin wants to be asked each time, as what it gives now may not be kept. The copy from before is then
  /// what is served when it does not answer.
  var mustBeAsked: Bool { !CacheControl([cacheControl].compactMap { $0 }).mayBeStored }

  /// What is known once the origin has said 304 (RFC 9111, section 4.3.4); nil when it spoke of other bytes than those
  /// that are stored.
  func confirmed(
    by head: ResponseHead, in exchange: Freshness.Exchange, policy: FreshnessPolicy
  ) -> SourceRecord? {
    if let written = head[.etag], let tag = EntityTag(written.span), !tag.isWeak, let entityTag, entityTag != written {
      return nil
    }
    var record = self
    let validators = Validators(
      entityTag: head[.etag] ?? entityTag, lastModified: head[.lastModified] ?? lastModified)
    record.entityTag = validators.entityTag
    record.lastModified = validators.lastModified
    record.freshness = Freshness(head, in: exchange, earlier: cacheControl, policy: policy)
    record.cacheControl = head.joined(.cacheControl) ?? cacheControl
    record.checkedAt = exchange.receivedAt
    record.lastStatus = head.status
    return record
  }
}

extension ResponseHead {
  /// All lines of a field as one (RFC 9110, section 5.3); nil when it is missing.
  func joined(_ name: FieldName) -> [UInt8]? {
    let lines = values(of: name)
    return lines.isEmpty ? nil : Array(lines.joined(separator: Array(", ".utf8)))
  }
}
