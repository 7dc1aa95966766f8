// Nothing to call: the library is put before a program with LD_PRELOAD (see malloc_counter.c).
