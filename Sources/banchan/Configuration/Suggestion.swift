/// Finds what somebody meant who misspelt a name.
enum Suggestion {
  /// The known name nearest to `name`, if it is near enough to be meant.
  static func nearest(to name: String, among known: [String]) -> String? {
    let written = Array(name.utf8)
    let limit = max(1, written.count / 3)
    // What is much longer than any name is none.
    guard written.count <= 64 else { return nil }
    let candidates = known.map { (name: $0, distance: distance(written, Array($0.utf8))) }
    return candidates.filter { $0.distance <= limit }.min { $0.distance < $1.distance }?.name
  }

  /// “; did you mean 'cache'?”, or nothing.
  static func words(for name: String, among known: [String], prefix: String = "") -> String {
    nearest(to: name, among: known).map { "; did you mean \(prefix)\($0)?" } ?? ""
  }

  /// How many letters must be put in, left out, changed or swapped with their neighbour to make one into the other.
  static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for row in left.indices {
      var next = [row + 1]
      for column in right.indices {
        let change = last[column] + (left[row] == right[column] ? 0 : 1)
        var best = min(change, last[column + 1] + 1, next[column] + 1)
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          best = min(best, beforeLast[column - 1] + 1)
        }
        next.append(best)
      }
      (beforeLast, last) = (last, next)
    }
    return last[right.count]
  }
}
