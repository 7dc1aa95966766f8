// The floor under every server: a loop that reads requests without looking at them and writes the same bytes each time.
// What a server costs more than this is its own; what this costs is the kernel's.
//
//   floor ANSWER [close]    ANSWER is a file with head and body; `close` ends each connection after its answer
//
// Prints the port of 127.0.0.1 that it listens on. One thread, one epoll instance, until it is ended.

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LISTENER = 0, EVENTS = 256, DESCRIPTORS = 65536 };

static char *answer;
static size_t answer_size;
/// How many bytes of the answer under way a descriptor has been sent; 0 when none is under way.
static size_t sent[DESCRIPTORS];

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static void take_answer(const char *path) {
  struct stat status;
  FILE *file = fopen(path, "rb");
  if (file == NULL || fstat(fileno(file), &status) != 0) fail(path);
  answer_size = (size_t)status.st_size;
  answer = malloc(answer_size);
  if (answer == NULL || fread(answer, 1, answer_size, file) != answer_size) fail(path);
  fclose(file);
}

static int start_listening(void) {
  int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), on = 1;
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof address;
  setsockopt(listener, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, 4096) != 0 ||
      getsockname(listener, (struct sockaddr *)&address, &length) != 0)
    fail("listen");
  printf("%d\n", ntohs(address.sin_port));
  fflush(stdout);
  return listener;
}

/// Sends what is left of the answer; 0 when the connection is over.
static int go_on(int client, int closes) {
  ssize_t count = send(client, answer + sent[client], answer_size - sent[client], MSG_NOSIGNAL);
  if (count < 0) return errno == EAGAIN;
  sent[client] += (size_t)count;
  if (sent[client] == answer_size) {
    sent[client] = 0;
    return !closes;
  }
  return 1;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  int closes = argc > 2 && strcmp(argv[2], "close") == 0;
  take_answer(argv[1]);
  int listener = start_listening(), epoll = epoll_create1(0);
  struct epoll_event event = {.events = EPOLLIN, .data.fd = listener}, events[EVENTS];
  epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &event);
  while (1) {
    int count = epoll_wait(epoll, events, EVENTS, -1);
    for (int index = 0; index < count; index++) {
      int client = events[index].data.fd;
      if (client == listener) {
        while ((client = accept4(listener, NULL, NULL, SOCK_NONBLOCK)) >= 0) {
          struct epoll_event both = {.events = EPOLLIN | EPOLLOUT | EPOLLET, .data.fd = client};
          if (client >= DESCRIPTORS) {
            close(client);
            continue;
          }
          sent[client] = 0;
          epoll_ctl(epoll, EPOLL_CTL_ADD, client, &both);
        }
        continue;
      }
      int stays = 1;
      if (sent[client] > 0) {
        stays = go_on(client, closes);
      } else if (events[index].events & (EPOLLIN | EPOLLHUP | EPOLLERR)) {
        char request[4096];
        ssize_t size = recv(client, request, sizeof request, 0);
        stays = size > 0 ? go_on(client, closes) : size < 0 && errno == EAGAIN;
      }
      if (!stays) close(client);
    }
  }
}
