import CLinux
import JSON
import Net
import Server
import Synchronization
import Text

/// The newest requests, for the page of whoever builds a front end: listed as they come, by an event.
///
/// Any loop may note one. What comes within a moment is told together, so that a thousand requests are not a thousand events.
final class RequestJournal: Sendable {
  /// How many are listed.
  static let length = 60
  /// Milliseconds from a request to the event that lists it.
  private static let moment: Int64 = 50
  /// Longer targets are cut: the list is for looking at.
  private static let longestTarget = 300

  private struct Entry {
    let number: Int64
    let time: Int64
    let record: AnswerRecord
  }

  private struct State {
    var entries: [Entry] = []
    var count: Int64 = 0
    var isTelling = false
  }

  private let state = Mutex(State())
  private let events: EventHub
  private let loop: EventLoop

  /// - Parameter loop: where the moments pass.
  init(events: EventHub, on loop: EventLoop) {
    self.events = events
    self.loop = loop
  }

  /// Takes a request into the list.
  func note(_ record: AnswerRecord) {
    let time = clinux_wall_seconds()
    let mustTell = state.withLock { state in
      state.count += 1
      if state.entries.count == Self.length { state.entries.removeFirst() }
      state.entries.append(Entry(number: state.count, time: time, record: record))
      defer { state.isTelling = true }
      return !state.isTelling
    }
    guard mustTell else { return }
    Task.detached(executorPreference: loop) { [self] in
      await loop.sleep(milliseconds: Self.moment)
      state.withLock { $0.isTelling = false }
      events.publish(.requests) { Self.event(state.withLock { $0.entries }) }
    }
  }

  private static func event(_ entries: [Entry]) -> LiveEvent {
    var json = JSONWriter()
    json.object { json in
      json.key("requests")
      json.array { json in
        for entry in entries { write(entry, to: &json) }
      }
    }
    return LiveEvent(.requests, json: json.bytes)
  }

  private static func write(_ entry: Entry, to json: inout JSONWriter) {
    let record = entry.record
    json.object { json in
      json.member("number", entry.number)
      json.key("time")
      json.writePlain { Timestamp.appendRFC3339(entry.time, to: &$0) }
      json.member("method", String(decoding: record.method, as: UTF8.self))
      json.member("target", String(decoding: record.target.prefix(longestTarget), as: UTF8.self))
      json.key("status")
      if record.end == .abandoned { json.writeNull() } else { json.write(Int64(record.status.code)) }
      json.member("bytes", Int64(record.bytes))
      json.member("microseconds", record.microseconds)
      json.key("isWhole")
      json.write(record.end == .whole)
      json.key("fault")
      if let fault = record.remark { json.write(fault) } else { json.writeNull() }
    }
  }
}
