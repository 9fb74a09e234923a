//===- ImageAxis.h - Windows that move along an image -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_CPU_SIMPLE_IMAGEAXIS_H
#define NNET3_RUNTIME_CPU_SIMPLE_IMAGEAXIS_H

#include "core/Attributes.h"

#include <cstdint>

namespace nnet3 {
namespace rt {

/// An axis of an image: the size of the image, and the size and the step of the
/// window that moves along it.
struct ImageAxis {
  int32_t input, size, step;

  /// Number of positions of the window.
  int32_t count() const { return 1 + (input - size) / step; }
};

/// Reads and checks an axis.
ImageAxis readImageAxis(AttributeReader &attributes, const char *inputName,
                        const char *sizeName, const char *stepName);

/// Returns a * b * c; fails and returns 1 from 2^31 on.
int32_t imageSize(AttributeReader &attributes, int64_t a, int64_t b, int64_t c);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CPU_SIMPLE_IMAGEAXIS_H
