/// A client of `/api/v1/events`, as the standard has it: blocks of lines, each a field, ended by an empty line.
final class EventListener {
  struct Event: Equatable {
    var name = ""
    var id: String?
    var data = ""
  }

  let head: Reply
  private let connection: RawConnection

  init(_ shop: RunningShop, after lastID: String? = nil) throws {
    connection = try shop.connect()
    try connection.request("GET", "/api/v1/events", lastID.map { ["Last-Event-ID: \($0)"] } ?? [])
    head = try connection.readStreamHead()
  }

  /// The next event, comments and `retry` passed over; nil when the server ends the stream, which it must do properly.
  func next() throws -> Event? {
    while true {
      var event = Event()
      while let line = try nextLine() {
        if line.isEmpty {
          if event != Event() { return event }
          continue
        }
        let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let value = parts.count > 1 ? String(parts[1].drop { $0 == " " }) : ""
        switch parts[0] {
        case "event": event.name = value
        case "id": event.id = value
        case "data": event.data += value
        default: break
        }
      }
      return nil
    }
  }

  /// The next event of a kind.
  func next(_ name: String) throws -> Event {
    while let event = try next() {
      if event.name == name { return event }
    }
    throw Failure("The stream ended without an event \(name)")
  }

  private var text: [UInt8] = []

  private func nextLine() throws -> String? {
    while true {
      if let end = text.firstIndex(of: 0x0A) {
        defer { text.removeFirst(end + 1) }
        return String(decoding: text[..<end], as: UTF8.self)
      }
      guard let chunk = try connection.readChunk() else { return nil }
      text += chunk
    }
  }
}
