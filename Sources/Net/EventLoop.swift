import CLinux
import Glibc
import Metrics
import Synchronization

/// One thread with its own epoll instance, and the executor of everything that runs on it.
///
/// A task is put on a loop with `Task(executorPreference: loop)`, and stays there: its reads, writes and sleeps suspend
/// in continuations that the loop resumes. `Task {}` and `Task.detached` do not inherit the preference.
///
///     let loop = try EventLoop(name: "loop-0")
///     loop.start()
///     Task(executorPreference: loop) { await serve() }
///
/// `@unchecked Sendable`: everything but `remote`, `wake` and the two constants beside them is touched only by the
/// loop's own thread, which `assertOnLoop` checks in debug builds; `remote` is a mutex.
public final class EventLoop: TaskExecutor, @unchecked Sendable {
  /// For logs.
  public let name: String

  private let epoll: Int32
  private let wake: Int32
  private let remote = Mutex(Remote())

  private struct Remote {
    var jobs: [UnownedJob] = []
    var isWaking = false
    var isStopping = false
  }

  private var local: [UnownedJob] = []
  private var running: [UnownedJob] = []
  var slots = SlotTable()
  /// The loop's clock, read once a turn.
  public private(set) var now: Int64
  /// No deadline of a slot is earlier than this; the slots are swept when it passes.
  private var nextSweep = Int64.max
  private var endOfTurn: [() -> Void] = []
  /// How long the turns took, to a few milliseconds.
  public let turns = Histogram(.waits)
  /// Where a head and the start of its body become one TLS record.
  let recordBuffer = TLSRecordBuffer()

  /// How many rounds of jobs run before input and output get their turn again.
  private static let roundsPerTurn = 8
  private static let eventsPerTurn = 256
  /// Deadlines are met to this many milliseconds; sweeps are at least so far apart.
  private static let sweepInterval: Int64 = 50

  /// Makes a loop that does not run yet.
  /// - Throws: `NetError.exhausted` when there is no descriptor left.
  public init(name: String) throws(NetError) {
    let epoll = clinux_epoll_create()
    guard epoll >= 0 else { throw NetError(call: "epoll_create1", code: -epoll) }
    let wake = clinux_eventfd()
    guard wake >= 0 else {
      clinux_close(epoll)
      throw NetError(call: "eventfd", code: -wake)
    }
    self.name = name
    self.epoll = epoll
    self.wake = wake
    now = clinux_monotonic_milliseconds()
    local.reserveCapacity(256)
    running.reserveCapacity(256)
    clinux_epoll_add(epoll, wake, clinux_epoll_in, UInt64.max)
  }

  deinit {
    slots.deallocate()
    clinux_close(wake)
    clinux_close(epoll)
  }

  /// Starts the loop's thread, which keeps the loop alive until `stop()`.
  public func start() {
    let context = Unmanaged.passRetained(self).toOpaque()
    let result = clinux_thread_start(
      { context in
        guard let context else { return }
        let loop = Unmanaged<EventLoop>.fromOpaque(context).takeRetainedValue()
        clinux_set_thread_loop(context)
        loop.run()
        clinux_set_thread_loop(nil)
      }, context)
    precondition(result == 0, "no thread could be started")
  }

  /// Ends the loop's thread after the turn it is in. Tasks that still wait on the loop never go on: end them first.
  public func stop() {
    remote.withLock { $0.isStopping = true }
    clinux_eventfd_signal(wake)
  }

  /// The loop whose thread this is, if any.
  public static var current: EventLoop? {
    clinux_thread_loop().map { Unmanaged<EventLoop>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Whether the caller runs on this loop's thread.
  public var isCurrent: Bool {
    clinux_thread_loop() == Unmanaged.passUnretained(self).toOpaque()
  }

  @inline(__always)
  func assertOnLoop() {
    assert(isCurrent, "this belongs to \(name) and was used from another thread")
  }

  // MARK: Executor

  /// Takes a job of a task: without a lock from the loop's own thread, else by a queue and a wake-up.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if isCurrent {
      local.append(job)
      return
    }
    let mustWake = remote.withLock { remote in
      remote.jobs.append(job)
      defer { remote.isWaking = true }
      return !remote.isWaking
    }
    if mustWake { clinux_eventfd_signal(wake) }
  }

  /// Calls `body` at the end of each turn, on the loop's thread: the place for writing out what a turn gathered.
  public func atEndOfTurn(_ body: @escaping () -> Void) {
    assertOnLoop()
    endOfTurn.append(body)
  }

  private func run() {
    let events = UnsafeMutablePointer<epoll_event>.allocate(capacity: Self.eventsPerTurn)
    defer { events.deallocate() }
    while true {
      runJobs()
      for body in endOfTurn { body() }
      turns.noteAlone(microseconds: (clinux_monotonic_milliseconds() - now) * 1_000)
      let count = clinux_epoll_wait(epoll, events, Int32(Self.eventsPerTurn), timeout())
      now = clinux_monotonic_milliseconds()
      // Only a descriptor that somebody else closed makes this fail: going on would spin without ever reading again.
      precondition(count >= 0, "\(name) cannot wait for its sockets: \(systemMessage(-count))")
      for index in 0..<Int(count) {
        dispatch(token: clinux_event_token(events + index), bits: events[index].events)
      }
      if now >= nextSweep { sweep() }
      if count != 0, remote.withLock({ $0.isStopping }) { return }
    }
  }

  private func runJobs() {
    let executor = asUnownedTaskExecutor()
    for _ in 0..<Self.roundsPerTurn {
      guard !local.isEmpty else { return }
      swap(&local, &running)
      for job in running { job.runSynchronously(on: executor) }
      running.removeAll(keepingCapacity: true)
    }
  }

  private func timeout() -> Int32 {
    guard local.isEmpty else { return 0 }
    guard nextSweep != .max else { return -1 }
    return Int32(clamping: max(1, nextSweep - now))
  }

  private func dispatch(token: UInt64, bits: UInt32) {
    guard token != .max else {
      clinux_eventfd_drain(wake)
      remote.withLock { remote in
        local.append(contentsOf: remote.jobs)
        remote.jobs.removeAll(keepingCapacity: true)
        remote.isWaking = false
      }
      return
    }
    guard let slot = slots[SlotHandle(token: token)] else { return }
    let broken = bits & (clinux_epoll_error | clinux_epoll_hangup) != 0
    if broken || bits & clinux_epoll_peer_closed != 0 { slot.pointee.hasHungUp = true }
    if broken || bits & (clinux_epoll_in | clinux_epoll_peer_closed) != 0 {
      slot.pointee.isReadable = true
      resumeReader(slot)
    }
    if broken || bits & clinux_epoll_out != 0 {
      slot.pointee.isWritable = true
      resumeWriter(slot)
    }
  }

  private func resumeReader(_ slot: UnsafeMutablePointer<Slot>) {
    guard let reader = slot.pointee.reader else { return }
    slot.pointee.reader = nil
    reader.resume()
  }

  private func resumeWriter(_ slot: UnsafeMutablePointer<Slot>) {
    guard let writer = slot.pointee.writer else { return }
    slot.pointee.writer = nil
    writer.resume()
  }

  // MARK: Deadlines

  /// The moment so many milliseconds from now.
  public func deadline(in milliseconds: Int64) -> Deadline {
    let (sum, overflow) = now.addingReportingOverflow(max(0, milliseconds))
    return overflow ? .never : Deadline(milliseconds: sum)
  }

  private func sweep() {
    var next = Int64.max
    for index in 0..<UInt32(slots.count) {
      let slot = slots[index]
      let deadline = slot.pointee.deadline.milliseconds
      guard deadline != .max else { continue }
      if deadline <= now {
        slot.pointee.deadline = .never
        expire(slot)
      } else {
        next = min(next, deadline)
      }
    }
    nextSweep = next == .max ? .max : max(next, now + Self.sweepInterval)
  }

  private func expire(_ slot: UnsafeMutablePointer<Slot>) {
    slot.pointee.hasExpired = true
    resumeReader(slot)
    resumeWriter(slot)
  }

  // MARK: Descriptors

  /// Gives a descriptor a slot, and takes it for ready both ways until it says otherwise: `watch` is what makes the loop
  /// hear of changes.
  func adopt(_ descriptor: Int32) -> SlotHandle {
    assertOnLoop()
    let handle = slots.take(descriptor: descriptor)
    slots[handle.index].pointee.isReadable = true
    slots[handle.index].pointee.isWritable = true
    return handle
  }

  /// Registers a descriptor, once, edge-triggered, for both directions: its first event says what it is ready for now.
  func watch(_ handle: SlotHandle) throws(NetError) {
    let slot = slots[handle.index]
    guard !slot.pointee.isWatched else { return }
    let events = clinux_epoll_in | clinux_epoll_out | clinux_epoll_edge | clinux_epoll_peer_closed
    let result = clinux_epoll_add(epoll, slot.pointee.descriptor, events, handle.token)
    guard result >= 0 else { throw NetError(call: "epoll_ctl", code: -result) }
    slot.pointee.isWatched = true
  }

  /// Forgets a descriptor; closing it takes it out of epoll.
  func unregister(_ handle: SlotHandle) {
    assertOnLoop()
    assert(slots[handle]?.pointee.reader == nil && slots[handle]?.pointee.writer == nil, "closed under a waiting task")
    slots.giveBack(handle)
  }

  func setDeadline(_ deadline: Deadline, of handle: SlotHandle) {
    assertOnLoop()
    let slot = slots[handle.index]
    slot.pointee.deadline = deadline
    if deadline.milliseconds < nextSweep { nextSweep = deadline.milliseconds }
  }

  /// Makes every operation on the slot fail from now on, and wakes whoever waits on it.
  func expireNow(_ handle: SlotHandle) {
    assertOnLoop()
    if let slot = slots[handle] { expire(slot) }
  }

  /// Suspends until the slot is readable, broken or expired.
  @inline(__always)
  func suspendReader(_ handle: SlotHandle) async {
    await suspend { slot, resumption in
      assert(slot.pointee.reader == nil, "two readers of one stream")
      slot.pointee.reader = resumption
    } of: {
      self.slots[handle.index]
    }
  }

  /// Suspends until the slot is writable, broken or expired.
  @inline(__always)
  func suspendWriter(_ handle: SlotHandle) async {
    await suspend { slot, resumption in
      assert(slot.pointee.writer == nil, "two writers of one stream")
      slot.pointee.writer = resumption
    } of: {
      self.slots[handle.index]
    }
  }

  @inline(__always)
  private func suspend(
    _ store: (UnsafeMutablePointer<Slot>, Resumption) -> Void, of slot: () -> UnsafeMutablePointer<Slot>
  ) async {
    assertOnLoop()
    #if DEBUG
      await withCheckedContinuation { store(slot(), $0) }
    #else
      await withUnsafeContinuation { store(slot(), $0) }
    #endif
  }

  /// Suspends the task until the deadline, to the loop's 50 ms, or until it is cancelled.
  public func sleep(until deadline: Deadline) async {
    let handle = slots.take(descriptor: -1)
    setDeadline(deadline, of: handle)
    await withTaskCancellationHandler {
      while !slots[handle.index].pointee.hasExpired, !Task.isCancelled { await suspendReader(handle) }
    } onCancel: {
      Task(executorPreference: self) { self.expireNow(handle) }
    }
    slots.giveBack(handle)
  }

  /// Suspends the task for at least so many milliseconds, to the loop's 50 ms, or until it is cancelled.
  public func sleep(milliseconds: Int64) async {
    await sleep(until: deadline(in: milliseconds))
  }
}
