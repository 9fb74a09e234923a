//===- Placement.h - Places for what exists for a while ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_PLACEMENT_H
#define NNET3_CONVERSION_NNET3TOKERNELS_PLACEMENT_H

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>

namespace mlir::nnet3 {

/// Something of `size` floats that exists from time `begin` to time `end`, both
/// included, and where it is.
struct Lifetime {
  int64_t begin, end;
  int64_t size;
  int64_t offset = 0;
};

/// Sets the offsets, from `reserved` on, such that what exists at the same time
/// does not overlap. Returns the end of the one that reaches farthest, at least
/// `reserved`. Takes O(n log n) for n lifetimes.
int64_t placeLifetimes(llvm::MutableArrayRef<Lifetime> lifetimes,
                       int64_t reserved);

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_PLACEMENT_H
