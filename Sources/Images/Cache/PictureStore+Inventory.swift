/// Looking after what is stored, a few bodies at a time, so that the threads serve clients in between. Where the disk cannot
/// be used there is nothing.
extension PictureStore {
  private static let batch = 16

  /// What the index knows of some sources whose bodies are there in their full length. Bodies are not read.
  func records(of keys: [SourceKey]) async -> [SourceKey: SourceRecord] {
    var records: [SourceKey: SourceRecord] = [:]
    var rest = keys[...]
    while !rest.isEmpty {
      let batch = Array(rest.prefix(64))
      rest = rest.dropFirst(64)
      let found: [SourceRecord]? = await reading { (disk) throws(CacheTrouble) in batch.compactMap(disk.record(of:)) }
      for record in found ?? [] { records[record.key] = record }
    }
    return records
  }

  /// How much is stored. Known without looking at the disk.
  func totals() async -> PictureLibrary.Totals {
    let totals: PictureLibrary.Totals? = await reading { (disk) throws(CacheTrouble) in
      var totals = PictureLibrary.Totals()
      totals.originals.add(try disk.total(of: .pinned))
      totals.originals.add(try disk.total(of: .original))
      totals.derived.add(try disk.total(of: .derived))
      totals.loose.add(try disk.total(of: .loose))
      return totals
    }
    return totals ?? PictureLibrary.Totals()
  }

  /// Reads every body, and drops those that are missing or damaged.
  ///
  /// - Parameter goesOn: told after each how many are done, of how many; false ends the check.
  func check(_ goesOn: @Sendable (Int, Int) -> Bool) async -> PictureLibrary.Check {
    var check = PictureLibrary.Check()
    let totals = await totals()
    let total = totals.originals.files + totals.derived.files + totals.loose.files
    var done = 0
    await forEachBody { (disk, body) throws(CacheTrouble) in
      (body, try disk.check(body))
    } note: { body, soundness in
      done += 1
      switch soundness {
      case .sound: check.checked.add(body)
      case .damaged: check.damaged.append(body.digest)
      case .lost: check.lost.append(body.digest)
      case .unknown: break
      }
      return goesOn(done, max(done, total))
    }
    return check
  }

  /// Removes everything, or what is stored of one source.
  func purge(_ key: SourceKey?, isDryRun: Bool) async -> PictureLibrary.Total {
    var total = PictureLibrary.Total()
    if let key {
      let body = await reading { (disk) throws(CacheTrouble) in try disk.remove(key, isDryRun: isDryRun) }
      if let body { total.add(body) }
      if !isDryRun { hot.forget(.source(key)) }
      return total
    }
    await forEachBody { (disk, body) throws(CacheTrouble) in
      if !isDryRun { try disk.remove(body) }
      return (body, .sound)
    } note: { body, _ in
      total.add(body)
      return true
    }
    if !isDryRun { hot.forgetAll() }
    return total
  }

  /// Goes through all bodies; `note` says whether to go on.
  private func forEachBody(
    _ work: @escaping @Sendable (CacheDisk, StoredBody) throws(CacheTrouble) -> (StoredBody, CacheDisk.Soundness),
    note: (StoredBody, CacheDisk.Soundness) -> Bool
  ) async {
    var last: Int64 = 0
    while true {
      let after = last
      let outcomes: [(StoredBody, CacheDisk.Soundness)]? = await reading { (disk) throws(CacheTrouble) in
        var outcomes: [(StoredBody, CacheDisk.Soundness)] = []
        for body in try disk.bodies(after: after, limit: Self.batch) { outcomes.append(try work(disk, body)) }
        return outcomes
      }
      guard let outcomes, !outcomes.isEmpty else { return }
      for (body, soundness) in outcomes {
        last = body.id
        guard note(body, soundness) else { return }
      }
    }
  }
}

extension PictureLibrary.Total {
  fileprivate mutating func add(_ total: BodyTotal) {
    files += total.bodies
    bytes += total.bytes
  }

  fileprivate mutating func add(_ body: StoredBody) {
    files += 1
    bytes += body.bytes
  }
}
