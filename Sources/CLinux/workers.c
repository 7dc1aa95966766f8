#define _GNU_SOURCE
#include "CLinuxWorkers.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "calls.h"

#define DESCRIPTORS 4
#define SEALS (F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE)

// MARK: Messages and memory files

int clinux_message_pair(int ends[2]) { return ONCE(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends)); }

ssize_t clinux_message_send(int socket, const void *bytes, size_t count, const int *descriptors, int descriptor_count) {
  if (descriptor_count > DESCRIPTORS) return -EINVAL;
  struct iovec part = {(void *)bytes, count};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  union {
    struct cmsghdr head;
    char room[CMSG_SPACE(DESCRIPTORS * sizeof(int))];
  } control = {0};
  if (descriptor_count > 0) {
    size_t size = (size_t)descriptor_count * sizeof(int);
    message.msg_control = &control;
    message.msg_controllen = CMSG_SPACE(size);
    control.head = (struct cmsghdr){.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(size)};
    memcpy(CMSG_DATA(&control.head), descriptors, size);
  }
  return RETRY(sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT));
}

ssize_t clinux_message_receive(
    int socket, void *bytes, size_t count, int *descriptors, int capacity, int *descriptor_count) {
  struct iovec part = {bytes, count};
  union {
    struct cmsghdr head;
    char room[CMSG_SPACE(DESCRIPTORS * sizeof(int))];
  } control;
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
  ssize_t received = RETRY(recvmsg(socket, &message, MSG_CMSG_CLOEXEC));
  if (descriptor_count) *descriptor_count = 0;
  if (received < 0) return received;
  int came[DESCRIPTORS], came_count = 0;
  for (struct cmsghdr *head = CMSG_FIRSTHDR(&message); head; head = CMSG_NXTHDR(&message, head)) {
    if (head->cmsg_level != SOL_SOCKET || head->cmsg_type != SCM_RIGHTS) continue;
    size_t size = head->cmsg_len - CMSG_LEN(0);
    if (size > sizeof came) size = sizeof came;
    memcpy(came, CMSG_DATA(head), size);
    came_count = (int)(size / sizeof(int));
  }
  int is_cut = message.msg_flags & (MSG_TRUNC | MSG_CTRUNC);
  if (is_cut || came_count > capacity) {
    for (int i = 0; i < came_count; i++) close(came[i]);
    return -EMSGSIZE;
  }
  if (came_count > 0 && descriptors) memcpy(descriptors, came, (size_t)came_count * sizeof(int));
  if (descriptor_count) *descriptor_count = came_count;
  return received;
}

int clinux_wait_readable(int descriptor, int milliseconds) {
  struct pollfd wanted = {.fd = descriptor, .events = POLLIN};
  int count = ONCE(poll(&wanted, 1, milliseconds));
  return count == -EINTR ? 0 : count;
}

int clinux_memory_file(const char *name) { return ONCE(memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING)); }

int clinux_seal(int descriptor) { return ONCE(fcntl(descriptor, F_ADD_SEALS, SEALS)); }

int clinux_is_sealed(int descriptor) {
  int seals = fcntl(descriptor, F_GET_SEALS);
  return seals >= 0 && (seals & SEALS) == SEALS;
}

const void *clinux_map(int descriptor, size_t count) {
  void *bytes = mmap(NULL, count, PROT_READ, MAP_PRIVATE, descriptor, 0);
  return bytes == MAP_FAILED ? NULL : bytes;
}

void clinux_unmap(const void *bytes, size_t count) { munmap((void *)bytes, count); }

// MARK: Starting and ending

int clinux_start_worker(const char *path, char *const *arguments, int input, int *handle) {
  char *const environment[] = {NULL};
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_t actions;
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  posix_spawn_file_actions_adddup2(&actions, input, 0);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  pid_t process;
  int result = -posix_spawn(&process, path, &actions, &attributes, arguments, environment);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (result < 0) return result;
  *handle = (int)ONCE(syscall(SYS_pidfd_open, process, 0));
  // Without a handle there would be no safe way to end it. A process that has ended already needs none.
  if (*handle < 0 && *handle != -ESRCH) kill(process, SIGKILL);
  return *handle < 0 ? *handle : 0;
}

void clinux_end_worker(int handle) {
  siginfo_t information;
  syscall(SYS_pidfd_send_signal, handle, SIGKILL, NULL, 0);
  RETRY(waitid(P_PIDFD, (id_t)handle, &information, WEXITED));
  close(handle);
}
