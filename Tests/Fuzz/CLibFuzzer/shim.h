#pragma once
#include <stddef.h>
#include <stdint.h>

// libFuzzer's entry for programs that have a main of their own (compiler-rt, FuzzerInterface.h does not declare it).
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*check)(const uint8_t *data, size_t size));
