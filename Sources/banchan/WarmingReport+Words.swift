import Shop

extension WarmingReport {
  /// The report in one line.
  var words: String {
    var counts = ["\(fetched) fetched", "\(stored - fetched) stored before", "\(failures.count) failed"]
    if unstored > 0 { counts.append("\(unstored) not to be stored, says their origin") }
    if skipped > 0 { counts.append("\(skipped) not asked for, as their origin does not answer") }
    if relative > 0 { counts.append("\(relative) left to a server with an --origin-base") }
    return counts.joined(separator: ", ")
  }
}
