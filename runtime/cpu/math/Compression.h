//===- Compression.h - Matrices kept as small integers ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_CPU_MATH_COMPRESSION_H
#define NNET3_RUNTIME_CPU_MATH_COMPRESSION_H

#include "nnet3/runtime/MatrixView.h"
#include "nnet3/runtime/program_generated.h"

namespace nnet3 {
namespace rt {

/// Bytes of an element; 0 for a type that is unknown.
uint64_t compressedSize(schema::CompressedType type);

/// Keeps the elements of \p src, row by row, as integers of that type: the
/// largest one stands for \p range, and what is out of range becomes the
/// nearest integer that there is. Ties are rounded to even numbers. With range
/// 0 it is 1 for elements above 0, and 0 for others.
void compress(ConstMatrixView src, schema::CompressedType type, float range,
              void *dst);
/// The elements that \p src stands for.
void decompress(MatrixView dst, schema::CompressedType type, float range,
                const void *src);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CPU_MATH_COMPRESSION_H
