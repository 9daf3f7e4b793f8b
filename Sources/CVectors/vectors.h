// What Swift's vectors cannot do in one operation: the compiler's portable vector extensions can, on any processor.
#pragma once
#include <stdint.h>

typedef int8_t mooring_lanes __attribute__((ext_vector_type(16)));
typedef _Bool mooring_flags __attribute__((ext_vector_type(16)));

// The sign bit of each lane, the first lane's the lowest: one operation on x86-64.
static inline __attribute__((always_inline, const)) uint16_t mooring_sign_bits(mooring_lanes lanes) {
  return __builtin_bit_cast(uint16_t, __builtin_convertvector(lanes < 0, mooring_flags));
}
