#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "calls.h"

// MARK: Event loops

const uint32_t clinux_epoll_in = EPOLLIN, clinux_epoll_out = EPOLLOUT, clinux_epoll_edge = (uint32_t)EPOLLET,
               clinux_epoll_peer_closed = EPOLLRDHUP, clinux_epoll_error = EPOLLERR, clinux_epoll_hangup = EPOLLHUP;

int clinux_epoll_create(void) { return ONCE(epoll_create1(EPOLL_CLOEXEC)); }

int clinux_epoll_add(int epoll, int descriptor, uint32_t events, uint64_t token) {
  struct epoll_event event = {.events = events, .data.u64 = token};
  return ONCE(epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event));
}

int clinux_epoll_change(int epoll, int descriptor, uint32_t events, uint64_t token) {
  struct epoll_event event = {.events = events, .data.u64 = token};
  return ONCE(epoll_ctl(epoll, EPOLL_CTL_MOD, descriptor, &event));
}

int clinux_epoll_remove(int epoll, int descriptor) { return ONCE(epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, NULL)); }

int clinux_epoll_wait(int epoll, struct epoll_event *events, int capacity, int milliseconds) {
  int count = ONCE(epoll_wait(epoll, events, capacity, milliseconds));
  return count == -EINTR ? 0 : count;
}

uint64_t clinux_event_token(const struct epoll_event *event) { return event->data.u64; }

int clinux_eventfd(void) { return ONCE(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)); }

void clinux_eventfd_signal(int descriptor) { RETRY(eventfd_write(descriptor, 1)); }

void clinux_eventfd_drain(int descriptor) {
  eventfd_t value;
  RETRY(eventfd_read(descriptor, &value));
}

int64_t clinux_monotonic_milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int64_t clinux_monotonic_microseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

int64_t clinux_wall_milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME_COARSE, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int64_t clinux_wall_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME_COARSE, &now);
  return now.tv_sec;
}

// MARK: Sockets

int clinux_socket_tcp(int family) {
  int descriptor = ONCE(socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)), on = 1;
  if (descriptor >= 0 && family != AF_UNIX) setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return descriptor;
}

int clinux_listen_tcp(const struct sockaddr *address, socklen_t length, int backlog, int share) {
  int descriptor = clinux_socket_tcp(address->sa_family), on = 1, result;
  if (descriptor < 0) return descriptor;
  if (address->sa_family == AF_INET6) setsockopt(descriptor, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
  if (address->sa_family != AF_UNIX) setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (share) setsockopt(descriptor, SOL_SOCKET, SO_REUSEPORT, &on, sizeof on);
  if ((result = ONCE(bind(descriptor, address, length))) < 0 || (result = ONCE(listen(descriptor, backlog))) < 0) {
    close(descriptor);
    return result;
  }
  return descriptor;
}

static int local_address(const char *path, struct sockaddr_un *address) {
  *address = (struct sockaddr_un){.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address->sun_path) return -ENAMETOOLONG;
  strcpy(address->sun_path, path);
  return 0;
}

int clinux_listen_local(const char *path, int backlog) {
  struct sockaddr_un address;
  int result = local_address(path, &address), descriptor;
  if (result < 0) return result;
  if ((descriptor = clinux_socket_tcp(AF_UNIX)) < 0) return descriptor;
  unlink(path);
  // The mode of the socket's file is what the descriptor's mode allows at bind().
  fchmod(descriptor, 0600);
  if ((result = ONCE(bind(descriptor, (struct sockaddr *)&address, sizeof address))) < 0 ||
      (result = ONCE(listen(descriptor, backlog))) < 0) {
    close(descriptor);
    return result;
  }
  return descriptor;
}

int clinux_connect_local(const char *path) {
  struct sockaddr_un address;
  int result = local_address(path, &address), descriptor;
  if (result < 0) return result;
  if ((descriptor = clinux_socket_tcp(AF_UNIX)) < 0) return descriptor;
  if ((result = ONCE(connect(descriptor, (struct sockaddr *)&address, sizeof address))) < 0) {
    close(descriptor);
    return result;
  }
  return descriptor;
}

int clinux_share_port(int descriptor) {
  int on = 1;
  return ONCE(setsockopt(descriptor, SOL_SOCKET, SO_REUSEPORT, &on, sizeof on));
}

int clinux_accept(int listener, struct sockaddr_storage *peer) {
  socklen_t length = sizeof *peer;
  return RETRY(accept4(listener, (struct sockaddr *)peer, &length, SOCK_NONBLOCK | SOCK_CLOEXEC));
}

int clinux_connect(int descriptor, const struct sockaddr *address, socklen_t length) {
  // An interrupted connect goes on in the background, as a non-blocking one does.
  int result = ONCE(connect(descriptor, address, length));
  return result == -EINTR ? -EINPROGRESS : result;
}

int clinux_socket_error(int descriptor) {
  int error = 0;
  socklen_t length = sizeof error;
  if (getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &length) < 0) return errno;
  return error;
}

int clinux_local_address(int descriptor, struct sockaddr_storage *address) {
  socklen_t length = sizeof *address;
  return ONCE(getsockname(descriptor, (struct sockaddr *)address, &length));
}

int clinux_shutdown_write(int descriptor) { return ONCE(shutdown(descriptor, SHUT_WR)); }

int clinux_reset_on_close(int descriptor) {
  struct linger now = {.l_onoff = 1, .l_linger = 0};
  return ONCE(setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &now, sizeof now));
}

ssize_t clinux_receive(int descriptor, void *bytes, size_t capacity) {
  return RETRY(recv(descriptor, bytes, capacity, 0));
}

ssize_t clinux_send2(int descriptor, const void *head, size_t head_count, const void *body, size_t body_count) {
  if (head_count == 0) return RETRY(send(descriptor, body, body_count, MSG_NOSIGNAL));
  if (body_count == 0) return RETRY(send(descriptor, head, head_count, MSG_NOSIGNAL));
  struct iovec parts[2] = {{(void *)head, head_count}, {(void *)body, body_count}};
  struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
  return RETRY(sendmsg(descriptor, &message, MSG_NOSIGNAL));
}

// close() is never repeated: on Linux the descriptor is gone even when the call was interrupted.
int clinux_close(int descriptor) { return ONCE(close(descriptor)); }

// MARK: Files

int clinux_open(const char *path, int flags, uint32_t mode) { return RETRY(open(path, flags | O_CLOEXEC, mode)); }

ssize_t clinux_read(int descriptor, void *bytes, size_t capacity) { return RETRY(read(descriptor, bytes, capacity)); }

ssize_t clinux_pread(int descriptor, void *bytes, size_t capacity, int64_t offset) {
  return RETRY(pread(descriptor, bytes, capacity, offset));
}

ssize_t clinux_write(int descriptor, const void *bytes, size_t count) { return RETRY(write(descriptor, bytes, count)); }

int64_t clinux_file_size(int descriptor) {
  struct stat status;
  if (fstat(descriptor, &status) < 0) return -errno;
  return S_ISREG(status.st_mode) ? status.st_size : -EISDIR;
}

int clinux_watch_create(void) {
  int watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  return watch < 0 ? -errno : watch;
}

int clinux_watch_folder(int watch, const char *path) {
  uint32_t events = IN_CLOSE_WRITE | IN_MODIFY | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ATTRIB |
                    IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR;
  return inotify_add_watch(watch, path, events) < 0 ? -errno : 0;
}

int clinux_watch_wait(int watch, int milliseconds) {
  struct pollfd wait = {.fd = watch, .events = POLLIN};
  int ready = poll(&wait, 1, milliseconds);
  if (ready <= 0) return ready < 0 && errno != EINTR ? -errno : 0;
  char events[4096] __attribute__((aligned(8)));
  while (read(watch, events, sizeof events) > 0) {
  }
  return 1;
}

int64_t clinux_file_system_type(const char *path) {
  struct statfs information;
  if (statfs(path, &information) < 0) return -errno;
  // Signed on some machines: the numbers are 32 bits.
  return (uint32_t)information.f_type;
}

int clinux_lock_exclusive(int descriptor) { return RETRY(flock(descriptor, LOCK_EX | LOCK_NB)); }

int clinux_lock_patiently(int descriptor) {
  int result = clinux_lock_exclusive(descriptor);
  for (int tries = 0; result == -EWOULDBLOCK && tries < 25; tries++) {
    usleep(20000);
    result = clinux_lock_exclusive(descriptor);
  }
  return result;
}

void clinux_unlock(int descriptor) { RETRY(flock(descriptor, LOCK_UN)); }

int clinux_fsync(int descriptor) { return RETRY(fsync(descriptor)); }

int clinux_pipe(int ends[2]) { return ONCE(pipe2(ends, O_CLOEXEC)); }

// MARK: Threads, signals, processes

struct thread_start {
  void (*body)(void *);
  void *context;
};

static void *thread_main(void *argument) {
  struct thread_start start = *(struct thread_start *)argument;
  free(argument);
  start.body(start.context);
  return NULL;
}

int clinux_thread_start(void (*body)(void *), void *context) {
  struct thread_start *start = malloc(sizeof *start);
  if (!start) return -ENOMEM;
  *start = (struct thread_start){body, context};
  // Faults stay deliverable: a blocked SIGSEGV ends the process without its backtrace.
  const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP};
  sigset_t all, before;
  sigfillset(&all);
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) sigdelset(&all, faults[i]);
  // With one of these the Swift runtime holds the other threads while one crashes.
  for (int number = SIGRTMIN; number <= SIGRTMAX; number++) sigdelset(&all, number);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  pthread_t thread;
  int result = pthread_create(&thread, NULL, thread_main, start);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (result != 0) {
    free(start);
    return -result;
  }
  pthread_detach(thread);
  return 0;
}

uint64_t clinux_thread_id(void) { return (uint64_t)pthread_self(); }

static _Thread_local void *thread_loop;

void *clinux_thread_loop(void) { return thread_loop; }

void clinux_set_thread_loop(void *loop) { thread_loop = loop; }

static void watched_signals(sigset_t *set) {
  sigemptyset(set);
  sigaddset(set, SIGTERM);
  sigaddset(set, SIGINT);
  sigaddset(set, SIGHUP);
  sigaddset(set, SIGCHLD);
}

void clinux_signals_block(void) {
  sigset_t set;
  watched_signals(&set);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  signal(SIGPIPE, SIG_IGN);
}

int clinux_signals_wait(void) {
  sigset_t set;
  int number = 0;
  watched_signals(&set);
  while (sigwait(&set, &number) != 0) {
  }
  return number;
}

int clinux_end_with_parent(int number) { return ONCE(prctl(PR_SET_PDEATHSIG, number)); }

int clinux_usable_cores(void) {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

int64_t clinux_raise_descriptor_limit(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) < 0) return -errno;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
  if (getrlimit(RLIMIT_NOFILE, &limit) < 0) return -errno;
  return (int64_t)limit.rlim_cur;
}
