// A system call's result, or -errno, read before anything else can change it.

#include <errno.h>

#define RETRY(call)                                                                                                    \
  ({                                                                                                                   \
    __typeof__(call) result_;                                                                                          \
    do result_ = (call);                                                                                               \
    while (result_ < 0 && errno == EINTR);                                                                             \
    result_ < 0 ? -errno : result_;                                                                                    \
  })
#define ONCE(call)                                                                                                     \
  ({                                                                                                                   \
    __typeof__(call) result_ = (call);                                                                                 \
    result_ < 0 ? -errno : result_;                                                                                    \
  })
