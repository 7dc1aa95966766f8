// Tells ThreadSanitizer what Swift's Mutex does when two threads meet at it.
//
// The fast ways of Mutex are atomics in our own code, which the sanitizer sees. The slow ones, for a mutex that somebody
// holds, are in libswiftSynchronization, which was built without the sanitizer: whatever such a mutex guards would be
// reported as a race. So the slow ways are taken over here, call the library's own, and say what they amount to. This
// hides nothing, as suppressing the closures that hold the lock would. Linked into the tests by .ci/sanitize.sh.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

void __tsan_acquire(void *address);
void __tsan_release(void *address);

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *handle

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

// _MutexHandle._lockSlow(_: UInt32)
SWIFT void lock_slow(uint32_t thread, SELF) __asm__(LOCK);
SWIFT void lock_slow(uint32_t thread, SELF) {
  SWIFT void (*real)(uint32_t, SELF) = dlsym(RTLD_NEXT, LOCK);
  real(thread, handle);
  __tsan_acquire(handle);
}

// _MutexHandle._tryLockSlow() -> Bool
SWIFT bool try_lock_slow(SELF) __asm__(TRY_LOCK);
SWIFT bool try_lock_slow(SELF) {
  SWIFT bool (*real)(SELF) = dlsym(RTLD_NEXT, TRY_LOCK);
  bool is_locked = real(handle);
  if (is_locked) __tsan_acquire(handle);
  return is_locked;
}

// _MutexHandle._unlockSlow()
SWIFT void unlock_slow(SELF) __asm__(UNLOCK);
SWIFT void unlock_slow(SELF) {
  SWIFT void (*real)(SELF) = dlsym(RTLD_NEXT, UNLOCK);
  __tsan_release(handle);
  real(handle);
}
