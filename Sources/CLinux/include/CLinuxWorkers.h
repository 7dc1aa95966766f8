#ifndef BANCHAN_CLINUX_WORKERS_H
#define BANCHAN_CLINUX_WORKERS_H

// Processes that work for another one: starting them, the messages and memory files they exchange, and the cage.

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#pragma clang assume_nonnull begin

// MARK: Messages and memory files

/// Two ends of a connection that keeps messages apart, both closed on exec.
int clinux_message_pair(int ends[_Nonnull 2]);
/// Sends a message with up to four descriptors. Never blocks and never signals: -EAGAIN, -EPIPE.
ssize_t clinux_message_send(int socket, const void *bytes, size_t count, const int *_Nullable descriptors, int descriptor_count);
/// Waits for a message. 0: the other end is closed. Descriptors that came with it are closed on exec; when they are more
/// than `capacity`, or the message is longer than its buffer, all are closed and the result is -EMSGSIZE.
ssize_t clinux_message_receive(
    int socket, void *bytes, size_t count, int *_Nullable descriptors, int capacity, int *_Nullable descriptor_count);
/// Waits until something can be read: 1, or 0 when so many milliseconds passed.
int clinux_wait_readable(int descriptor, int milliseconds);

/// A file in memory, closed on exec, that can be sealed.
int clinux_memory_file(const char *name);
/// From now on the file can be read, and nothing else, by whoever has it.
int clinux_seal(int descriptor);
/// Whether all seals are on.
int clinux_is_sealed(int descriptor);
/// Maps the first `count` bytes of a file for reading; null when that is not possible.
const void *_Nullable clinux_map(int descriptor, size_t count);
void clinux_unmap(const void *bytes, size_t count);

// MARK: Starting and ending

/// Starts a program with an empty environment and no signal blocked, whose standard input is `input`, standard output
/// /dev/null, and standard error this process's. `handle` becomes a descriptor for the process, which stays its own however soon
/// it ends.
int clinux_start_worker(const char *path, char *const _Nullable *_Nonnull arguments, int input, int *handle);
/// Kills the process of a handle, and takes it in if nobody has yet.
void clinux_end_worker(int handle);

// MARK: The cage, from inside

/// What a caged process may use.
typedef struct {
  /// Bytes of address space.
  uint64_t address_space;
  /// Seconds of CPU time, after which it is killed.
  uint64_t cpu_seconds;
  /// Bytes of a file that it writes.
  uint64_t file_size;
} clinux_cage_limits;

/// Ends this process with the parent, takes away every descriptor but 0 (1 and 2 lead nowhere), lowers the priority, has it be
/// the first to end when memory runs out, sets the limits and forbids every system call but those for memory, for messages on
/// descriptor 0 and for reading and writing what came with them. There is no way back. A build with a sanitizer gets neither the
/// limit of address space nor the filter, which its runtime could not live with; such a build is for tests alone.
int clinux_enter_cage(clinux_cage_limits limits);
/// Whether the cage has all its bars: not in a build with a sanitizer.
extern const int clinux_cage_is_whole;
/// Microseconds of CPU time that this process has used.
uint64_t clinux_cpu_microseconds(void);
/// Has the allocator give large blocks back to the system at once.
void clinux_return_memory(void);

#pragma clang assume_nonnull end

#endif
