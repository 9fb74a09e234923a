//===- Compression.h - Compression to small integers ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_CPU_MATH_COMPRESSION_H
#define NNET3_RUNTIME_CPU_MATH_COMPRESSION_H

#include "nnet3/runtime/MatrixView.h"
#include "nnet3/runtime/program_generated.h"

namespace nnet3 {
namespace rt {

/// Returns the bytes of an element; 0 for an unknown type.
uint64_t compressedSize(schema::CompressedType type);

/// Quantises the elements of \p src to integers, row-major: divides by \p
/// range, multiplies by the largest integer of \p type, rounds half to even and
/// clips. With \p range 0, writes 1 for elements above 0, and 0 for others.
void compress(ConstMatrixView src, schema::CompressedType type, float range,
              void *dst);
/// Inverse of compress(), up to rounding and clipping.
void decompress(MatrixView dst, schema::CompressedType type, float range,
                const void *src);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CPU_MATH_COMPRESSION_H
