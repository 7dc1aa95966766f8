// Counts the calls that ask the C library for memory, for LD_PRELOAD. The count stands in the first eight bytes of the
// file that MALLOC_COUNT_FILE names, where a test or the benchmark reads it while the program runs.

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

// glibc's own names for what is replaced here.
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static uint64_t before_main;
static uint64_t *count = &before_main;

static void one_more(void) { __atomic_fetch_add(count, 1, __ATOMIC_RELAXED); }

__attribute__((constructor)) static void start(void) {
  const char *path = getenv("MALLOC_COUNT_FILE");
  int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
  if (file >= 0) {
    void *shared = mmap(NULL, sizeof *count, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (shared != MAP_FAILED) count = shared;
    close(file);
  }
  // A program that this one starts is not counted.
  unsetenv("LD_PRELOAD");
  unsetenv("MALLOC_COUNT_FILE");
}

void *malloc(size_t size) {
  one_more();
  return __libc_malloc(size);
}

void *calloc(size_t items, size_t size) {
  one_more();
  return __libc_calloc(items, size);
}

void *realloc(void *old, size_t size) {
  one_more();
  return __libc_realloc(old, size);
}

void *memalign(size_t alignment, size_t size) {
  one_more();
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **result, size_t alignment, size_t size) {
  if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0) return EINVAL;
  void *memory = memalign(alignment, size);
  if (memory == NULL) return ENOMEM;
  *result = memory;
  return 0;
}
