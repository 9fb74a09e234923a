//===- CompressionKernel.h - Matrices as small integers ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_COMPRESSIONKERNEL_H
#define NNET3_CONVERSION_NNET3TOKERNELS_COMPRESSIONKERNEL_H

#include "nnet3/Conversion/KernelToVector/VectorEmitter.h"

#include "nnet3/Dialect/Kernel/IR/KernelDialect.h"
#include "nnet3/Dialect/Nnet3/IR/CommandOps.h"

namespace mlir::nnet3 {

/// Makes integers of 8 or 16 bits of a matrix, or the matrix of them. They are
/// in the arena without gaps, whatever the rows are. A thread takes four
/// elements, so that no two write the same float; behind the last element these
/// are of memory that is the matrix's own, and that nobody reads.
struct CompressionKernel {
  CompressedType type;
  float range; ///< what the largest integer stands for; 0 for signs
  bool decompresses = false;

  /// How often there are four elements.
  int64_t getNumGroups() const;
  int64_t getNumBlocks() const; ///< of threads

  /// Creates the body of `launch`: arena, weights, row tables, then
  /// the number of groups, and the places of what is written and of what is
  /// read, which are multiples of four.
  void emit(kernel::LaunchOp launch) const;

private:
  Value compress(VectorEmitter &e, Value values) const;
  Value decompress(VectorEmitter &e, Value words) const;
};

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_COMPRESSIONKERNEL_H
