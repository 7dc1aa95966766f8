// Makes the disk below a folder fail, for LD_PRELOAD: a test says when and how while the program runs. FAULTY_DISK is what
// the paths of its files have in common, FAULTY_DISK_ORDERS a file of two 32-bit numbers: the errno of each write to them, and
// of each read; 0 lets it through.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char *part;
static const volatile uint32_t *orders;

enum { WRITES, READS };

__attribute__((constructor)) static void start(void) {
  const char *path = getenv("FAULTY_DISK_ORDERS");
  const char *name = getenv("FAULTY_DISK");
  int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  if (file >= 0 && name) {
    void *shared = mmap(NULL, 2 * sizeof *orders, PROT_READ, MAP_SHARED, file, 0);
    part = strdup(name);
    if (shared != MAP_FAILED && part) orders = shared;
  }
  if (file >= 0) close(file);
  // A program that this one starts has a disk as good as any.
  unsetenv("LD_PRELOAD");
}

// The errno that a call on a descriptor is to fail with; 0 for none.
static int fault(int kind, int descriptor) {
  if (!orders || !orders[kind]) return 0;
  int former = errno;
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link, path, sizeof path - 1);
  errno = former;
  if (length < 0) return 0;
  path[length] = 0;
  return strstr(path, part) ? (int)orders[kind] : 0;
}

static int fails(int kind, int descriptor) {
  int code = fault(kind, descriptor);
  if (code) errno = code;
  return code != 0;
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
  return fails(WRITES, descriptor) ? -1 : syscall(SYS_write, descriptor, bytes, count);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset) {
  return fails(WRITES, descriptor) ? -1 : syscall(SYS_pwrite64, descriptor, bytes, count, offset);
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
  return pwrite64(descriptor, bytes, count, offset);
}

ssize_t read(int descriptor, void *bytes, size_t count) {
  return fails(READS, descriptor) ? -1 : syscall(SYS_read, descriptor, bytes, count);
}

ssize_t pread64(int descriptor, void *bytes, size_t count, off64_t offset) {
  return fails(READS, descriptor) ? -1 : syscall(SYS_pread64, descriptor, bytes, count, offset);
}

ssize_t pread(int descriptor, void *bytes, size_t count, off_t offset) {
  return pread64(descriptor, bytes, count, offset);
}
