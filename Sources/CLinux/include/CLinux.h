#ifndef BANCHAN_CLINUX_H
#define BANCHAN_CLINUX_H

// What Swift's Glibc module does not export, and what is a macro or variadic in C.
// Each call that can fail returns 0 or more when it worked, and -errno when it did not: errno is read here, right after
// the call, before anything else can change it.

#include <netinet/in.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>

#include "CLinuxWorkers.h"

#pragma clang assume_nonnull begin

// MARK: Event loops

extern const uint32_t clinux_epoll_in, clinux_epoll_out, clinux_epoll_edge, clinux_epoll_peer_closed,
    clinux_epoll_error, clinux_epoll_hangup;

int clinux_epoll_create(void);
int clinux_epoll_add(int epoll, int descriptor, uint32_t events, uint64_t token);
int clinux_epoll_change(int epoll, int descriptor, uint32_t events, uint64_t token);
int clinux_epoll_remove(int epoll, int descriptor);
/// Waits up to `milliseconds` (-1: for ever). An interrupted wait counts as 0 events.
int clinux_epoll_wait(int epoll, struct epoll_event *events, int capacity, int milliseconds);
uint64_t clinux_event_token(const struct epoll_event *event);

int clinux_eventfd(void);
void clinux_eventfd_signal(int descriptor);
void clinux_eventfd_drain(int descriptor);

/// Milliseconds of a clock that never goes back (a few milliseconds coarse).
int64_t clinux_monotonic_milliseconds(void);
/// Microseconds of a clock that never goes back.
int64_t clinux_monotonic_microseconds(void);
/// Milliseconds since 1970, UTC (a few milliseconds coarse).
int64_t clinux_wall_milliseconds(void);
/// Seconds since 1970, UTC.
int64_t clinux_wall_seconds(void);

// MARK: Sockets (non-blocking, close-on-exec)

/// A listening TCP socket. `share` lets further listeners of this process bind the same port; the first one is bound
/// without it, so that a second server on the port is refused, and is given it afterwards.
int clinux_listen_tcp(const struct sockaddr *address, socklen_t length, int backlog, int share);
/// A listening socket at a path of the file system, for this user alone; what stood there before is removed.
int clinux_listen_local(const char *path, int backlog);
/// A connection to a socket at a path.
int clinux_connect_local(const char *path);
int clinux_share_port(int descriptor);
int clinux_accept(int listener, struct sockaddr_storage *peer);
int clinux_socket_tcp(int family);
/// 0 when connected at once, -EINPROGRESS while under way.
int clinux_connect(int descriptor, const struct sockaddr *address, socklen_t length);
/// The pending error of a socket as a positive errno, 0 when there is none.
int clinux_socket_error(int descriptor);
int clinux_local_address(int descriptor, struct sockaddr_storage *address);
int clinux_shutdown_write(int descriptor);
/// Makes close() send a reset instead of lingering with unsent bytes.
int clinux_reset_on_close(int descriptor);

ssize_t clinux_receive(int descriptor, void *bytes, size_t capacity);
/// Sends head and body with one call (SIGPIPE suppressed), retrying when interrupted.
ssize_t clinux_send2(int descriptor, const void *_Nullable head, size_t head_count, const void *_Nullable body, size_t body_count);

int clinux_close(int descriptor);

// MARK: Files

int clinux_open(const char *path, int flags, uint32_t mode);
ssize_t clinux_read(int descriptor, void *bytes, size_t capacity);
ssize_t clinux_pread(int descriptor, void *bytes, size_t capacity, int64_t offset);
ssize_t clinux_write(int descriptor, const void *bytes, size_t count);
/// Size in bytes of a regular file, -errno otherwise (-EISDIR for anything that is not a regular file).
int64_t clinux_file_size(int descriptor);
/// The kind of file system that a path is on, as statfs(2) numbers them.
int64_t clinux_file_system_type(const char *path);
/// Takes the exclusive lock of an open file, or -EWOULDBLOCK when somebody else has it.
int clinux_lock_exclusive(int descriptor);
/// The same, after half a second at the latest: a process that is just ending, or starting another one, holds a lock for
/// moments.
int clinux_lock_patiently(int descriptor);
/// Lets go of it, whoever holds copies of the descriptor.
void clinux_unlock(int descriptor);
int clinux_fsync(int descriptor);
/// A descriptor that tells of changes in folders, close-on-exec and non-blocking.
int clinux_watch_create(void);
/// Tells of everything that is made, written, moved or removed in a folder, or becomes of it. Again is as good as once.
int clinux_watch_folder(int watch, const char *path);
/// Waits up to `milliseconds` for a change and drops what is known of it: 1 when there was one, 0 when there was none.
int clinux_watch_wait(int watch, int milliseconds);
/// A pipe whose ends are closed on exec: `ends[0]` is read, `ends[1]` written.
int clinux_pipe(int ends[_Nonnull 2]);

// MARK: Threads, signals, processes

/// Starts a detached thread with every signal blocked but those of faults.
int clinux_thread_start(void (*body)(void *_Nullable), void *_Nullable context);
uint64_t clinux_thread_id(void);
/// One pointer per thread: the event loop that runs on it, or null.
void *_Nullable clinux_thread_loop(void);
void clinux_set_thread_loop(void *_Nullable loop);
/// Blocks SIGTERM, SIGINT, SIGHUP and SIGCHLD in this thread (and those it starts), and ignores SIGPIPE.
void clinux_signals_block(void);
/// Waits for one of the blocked signals and returns its number.
int clinux_signals_wait(void);
/// Asks the kernel to send this process `signal` when its parent ends.
int clinux_end_with_parent(int signal);
/// The cores that this process may run on.
int clinux_usable_cores(void);
/// The descriptors this process may have open (soft limit, raised to the hard one).
int64_t clinux_raise_descriptor_limit(void);

#pragma clang assume_nonnull end

#endif
