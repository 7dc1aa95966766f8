import HTTP
import Metrics

/// What one loop has counted of its connections and requests. Its thread alone adds, with plain additions; any thread reads.
final class LoopTally: Sendable {
  /// The numbers that have no route.
  enum Total: Int, CaseIterable {
    case sentBytes, receivedBytes, acceptedConnections, openConnections, refusedForRoom, refusedForSource
    case handshakes, failedHandshakes
  }

  /// Where the counts of one route begin, and how they lie.
  private enum Layout {
    static let methods = Method.allCases.count
    /// 1xx to 5xx.
    static let classes = 5
    static let reused = methods * classes
    static let histogram = reused + 1
    static let bounds = Histogram.Bounds.answers
    static let stride = histogram + bounds.cells
  }

  let routes: Int
  private let totals = Tallies(count: Total.allCases.count)
  private let requests: Tallies

  init(routes: Int) {
    self.routes = max(1, routes)
    requests = Tallies(count: self.routes * Layout.stride)
  }

  /// Counts an answer. A route that is none of the responder's counts as the first.
  @inline(__always)
  func note(route: Int, _ method: HTTP.Method, _ status: Status, wasKept: Bool, microseconds: Int64) {
    let start = (route < routes ? route : 0) * Layout.stride
    let statusClass = min(max(Int(status.code) / 100, 1), Layout.classes) - 1
    requests.add(at: start + Int(method.rawValue) * Layout.classes + statusClass)
    if wasKept { requests.add(at: start + Layout.reused) }
    let duration = UInt64(max(0, microseconds))
    requests.add(at: start + Layout.histogram + Layout.bounds.bucket(of: duration))
    requests.add(duration, at: start + Layout.stride - 1)
  }

  @inline(__always)
  func add(_ amount: Int = 1, to total: Total) {
    // A count that goes down wraps around, and comes out right when it is read.
    totals.add(UInt64(bitPattern: Int64(amount)), at: total.rawValue)
  }

  // MARK: Reading, from any thread

  func value(_ total: Total) -> Int64 { Int64(bitPattern: totals.value(at: total.rawValue)) }

  func count(route: Int, _ method: HTTP.Method, statusClass: Int) -> UInt64 {
    requests.value(at: route * Layout.stride + Int(method.rawValue) * Layout.classes + statusClass - 1)
  }

  func kept(route: Int) -> UInt64 { requests.value(at: route * Layout.stride + Layout.reused) }

  func durations(route: Int) -> HistogramReading {
    HistogramReading(Layout.bounds, requests, from: route * Layout.stride + Layout.histogram)
  }
}
