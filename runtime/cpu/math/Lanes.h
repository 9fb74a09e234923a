//===- Lanes.h - Vectors of floats ------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_CPU_MATH_LANES_H
#define NNET3_RUNTIME_CPU_MATH_LANES_H

#include "Float.h"

#include <cstring>

namespace nnet3 {
namespace rt {

/// A vector of `lanes` floats in one or more registers.
template <int lanes> struct Lanes {
  typedef float Type __attribute__((vector_size(lanes * sizeof(float))));
};

/// Loads a vector from any address.
template <typename Vector>
NNET3_INLINE void load(const float *from, Vector &to) {
  std::memcpy(&to, from, sizeof(to));
}

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CPU_MATH_LANES_H
