//===- ImageAxis.h - Windows that move along an image -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_CPU_SIMPLE_IMAGEAXIS_H
#define NNET3_RUNTIME_CPU_SIMPLE_IMAGEAXIS_H

#include "core/Attributes.h"

#include <cstdint>

namespace nnet3 {
namespace rt {

/// One direction of an image: its size, and the size of what moves along it, by
/// so many pixels each time, up to the end.
struct ImageAxis {
  int32_t input, size, step;

  /// How many places there are.
  int32_t count() const { return 1 + (input - size) / step; }
};

/// Reads and checks an axis.
ImageAxis readImageAxis(AttributeReader &attributes, const char *inputName,
                        const char *sizeName, const char *stepName);

/// The product of three sizes; an error, and 1, from 2^31 on.
int32_t imageSize(AttributeReader &attributes, int64_t a, int64_t b, int64_t c);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CPU_SIMPLE_IMAGEAXIS_H
