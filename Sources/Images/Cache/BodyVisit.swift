import HTTP
import Synchronization

/// Notes that a stored body was asked for, on the disk and in memory; whoever gives an answer again that holds it tells so.
/// Costs two reads when it is noted already.
public final class BodyVisit: ReuseObserver {
  private let marks: VisitMarks
  private let id: Int64
  private let isMarked = Atomic(false)

  init(_ id: Int64, in marks: VisitMarks) {
    self.id = id
    self.marks = marks
  }

  /// Notes a visit; from any thread.
  public func answerWasReused() {
    marks.set(id)
    if !isMarked.load(ordering: .relaxed) { isMarked.store(true, ordering: .relaxed) }
  }

  /// Takes the mark that the table in memory looks at, and says whether it was there.
  func takeMark() -> Bool { isMarked.exchange(false, ordering: .relaxed) }
}
