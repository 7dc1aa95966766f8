import Testing

@testable import Shop

@Suite("Bounds of memory")
struct MemoryBoundsTests {
  @Test(
    "Whatever the machine has, what all parts may keep together leaves room for the program itself",
    arguments: [64, 96, 128, 256, 512, 1_024, 2_048, 4_096, 65_536], [1, 2, 8, 64])
  func sum(_ megabytes: Int, _ cores: Int) {
    let memory = megabytes << 20
    let bounds = MemoryBounds(memory: memory, loops: cores, cores: cores)
    let kept = bounds.pictures + bounds.answersPerLoop * cores + bounds.requestBodies + 2 * bounds.log
    let connections = bounds.connections * MemoryBounds.connection
    #expect(kept + connections <= memory / 2)
    #expect(bounds.workers * bounds.pictureInWorker <= max(MemoryBounds.leastPicture, memory / 4))
    #expect(bounds.workers >= 1 && bounds.workers <= cores)
  }

  @Test("A machine with enough has the usual limits, one with more has no more")
  func enough() {
    for gigabytes in [4, 64] {
      let bounds = MemoryBounds(memory: gigabytes << 30, loops: 4, cores: 4)
      #expect(bounds.pictures == 32 << 20 && bounds.answersPerLoop == 16 << 20 && bounds.connections == 4_096)
      #expect(bounds.workers == 4 && bounds.pictureInWorker == 256 << 20)
    }
  }

  @Test("A container of 64 MB has one worker, and every part has something")
  func small() {
    let bounds = MemoryBounds(memory: 64_000_000, loops: 2, cores: 2)
    #expect(bounds.workers == 1 && bounds.pictureInWorker == MemoryBounds.leastPicture)
    #expect(bounds.pictures > 3 << 20 && bounds.answersPerLoop > 1 << 20 && bounds.connections >= 400)
  }
}
