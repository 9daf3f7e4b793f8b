#pragma once
#include <stddef.h>
#include <stdint.h>

// libFuzzer's own mutator (compiler-rt, fuzzer/FuzzerInterface.h), for custom ones to fall back on.
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
