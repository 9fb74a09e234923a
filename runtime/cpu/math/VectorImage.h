//===- VectorImage.h - Loops over pixels of images --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As VectorMath.h; one operand has the stride \p step.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_RUNTIME_CPU_MATH_VECTORIMAGE_H
#define NNET3_RUNTIME_CPU_MATH_VECTORIMAGE_H

#include <cstdint>

namespace nnet3 {
namespace rt {

/// y := max(x, y)
void vecMax(int64_t n, int64_t step, const float *x, float *y);
/// dx := dx + dy where x = y; \p step is the stride of x and dx
void vecAddWhereEqual(int64_t n, int64_t step, const float *x, const float *y,
                      const float *dy, float *dx);
/// y := x; \p step is the stride of x
void vecGather(int64_t n, int64_t step, const float *x, float *y);
/// y := y + x; \p step is the stride of y
void vecAddScattered(int64_t n, int64_t step, const float *x, float *y);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CPU_MATH_VECTORIMAGE_H
