#define _GNU_SOURCE
#include "CLinuxWorkers.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/close_range.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <malloc.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "calls.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HAS_SANITIZER 1
#endif
#endif
#ifndef HAS_SANITIZER
#define HAS_SANITIZER 0
#endif

const int clinux_cage_is_whole = !HAS_SANITIZER;

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#error "The picture worker's system call filter has to be told of this processor."
#endif

#define FIELD(name) (uint32_t)offsetof(struct seccomp_data, name)
#define LOAD(name) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, FIELD(name))
// The low half of an argument; both processors above have it first.
#define LOAD_ARGUMENT(n) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offsetof(struct seccomp_data, args[n]))
#define KILL BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS)
#define ALLOW BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
// One call, whatever its arguments.
#define PERMIT(name) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##name, 0, 1), ALLOW
// One call, as long as it makes no memory executable.
#define PERMIT_DATA(name)                                                                                              \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##name, 0, 4), LOAD_ARGUMENT(2),                                            \
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1), KILL, ALLOW

static int forbid_calls(void) {
  struct sock_filter filter[] = {
      LOAD(arch),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
      KILL,
      LOAD(nr),
      // Messages, and what comes with them.
      PERMIT(recvmsg),
      PERMIT(sendmsg),
      PERMIT(write),
      PERMIT(close),
      // Whether a file is sealed.
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_fcntl, 0, 4),
      LOAD_ARGUMENT(1),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, F_GET_SEALS, 0, 1),
      ALLOW,
      KILL,
      // Memory.
      PERMIT_DATA(mmap),
      PERMIT_DATA(mprotect),
      PERMIT(munmap),
      PERMIT(mremap),
      PERMIT(madvise),
      PERMIT(brk),
      // What the C and Swift libraries may do by themselves.
      PERMIT(futex),
      PERMIT(clock_gettime),
      PERMIT(getrandom),
      PERMIT(rt_sigreturn),
      PERMIT(exit_group),
      KILL,
  };
  struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
  return (int)ONCE(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program));
}

static int limit(int resource, uint64_t value) {
  struct rlimit wanted = {value, value}, current;
  // An outer limit may be lower already.
  if (getrlimit(resource, &current) == 0 && current.rlim_max < value) wanted = (struct rlimit){current.rlim_max, current.rlim_max};
  return ONCE(setrlimit(resource, &wanted));
}

/// Where memory runs out, this process is the one to end, and not the server. Without /proc that is left to the kernel.
static void volunteer_when_memory_ends(void) {
  int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  if (write(file, "1000", 4) < 0) { /* As without /proc. */ }
  close(file);
}

int clinux_enter_cage(clinux_cage_limits limits) {
  int result;
  volunteer_when_memory_ends();
  // First what a system may lack, as long as there is somewhere to say so.
#if !HAS_SANITIZER
  uint32_t action = SECCOMP_RET_KILL_PROCESS;
  if ((result = (int)ONCE(syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action))) < 0) return result;
#endif
  // A parent that has ended already is told by its end of the socket, which is closed then.
  if ((result = ONCE(prctl(PR_SET_PDEATHSIG, SIGKILL))) < 0) return result;
  int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nowhere < 0) return -errno;
  if ((result = ONCE(dup2(nowhere, 1))) < 0 || (result = ONCE(dup2(nowhere, 2))) < 0) return result;
  if ((result = (int)ONCE(syscall(SYS_close_range, 3, ~0U, 0))) < 0) return result;
  // A raised niceness cannot be refused; a scheduler without it is no reason to stop.
  setpriority(PRIO_PROCESS, 0, 10);
  if ((result = limit(RLIMIT_CORE, 0)) < 0) return result;
  if ((result = limit(RLIMIT_CPU, limits.cpu_seconds)) < 0) return result;
  if ((result = limit(RLIMIT_FSIZE, limits.file_size)) < 0) return result;
  // Descriptors 0 to 2, and those of one job.
  if ((result = limit(RLIMIT_NOFILE, 8)) < 0) return result;
  if ((result = limit(RLIMIT_NPROC, 0)) < 0) return result;
  if ((result = ONCE(prctl(PR_SET_DUMPABLE, 0))) < 0) return result;
  if ((result = ONCE(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))) < 0) return result;
#if HAS_SANITIZER
  (void)forbid_calls;
  return 0;
#else
  if ((result = limit(RLIMIT_AS, limits.address_space)) < 0) return result;
  return forbid_calls();
#endif
}

uint64_t clinux_cpu_microseconds(void) {
  struct timespec used;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return (uint64_t)used.tv_sec * 1000000 + (uint64_t)used.tv_nsec / 1000;
}

void clinux_return_memory(void) {
  mallopt(M_MMAP_THRESHOLD, 1 << 20);
  mallopt(M_TRIM_THRESHOLD, 4 << 20);
}
