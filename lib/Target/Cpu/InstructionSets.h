//===- InstructionSets.h - The table of instruction sets --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_TARGET_CPU_INSTRUCTIONSETS_H
#define NNET3_TARGET_CPU_INSTRUCTIONSETS_H

#include "nnet3/Dialect/Kernel/IR/Precision.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/TargetParser/Triple.h"

namespace mlir::nnet3 {

/// When a CPU has something.
struct CpuCondition {
  llvm::Triple::ArchType arch;
  /// LLVM's names of what it needs, each with a "+", joined by commas.
  const char *features;
};

/// Vectors of numbers.
struct VectorSet {
  const char *name;
  CpuCondition condition;
  int64_t vectorBits;
  int64_t vectorRegisters;
  bool hasFma;
  int64_t l2Bytes; ///< that a CPU with them has at least for each core
};

/// An instruction for dot products in vectors of `vectorBits`.
struct DotProductSet {
  const char *name;
  CpuCondition condition;
  int64_t vectorBits;
  kernel::Precision elements;
  int64_t group;        ///< how many products it adds to each sum
  bool isFirstUnsigned; ///< of the factors, where they are integers
  const char *intrinsic;
};

/// A name for what a CPU has beside vectors.
struct CpuLevel {
  const char *name;
  CpuCondition condition;
};

/// Those of one architecture stand in the order in which they are preferred.
/// All names are those that a library looks for when it is opened.
llvm::ArrayRef<VectorSet> getVectorSets();
llvm::ArrayRef<DotProductSet> getDotProductSets();
llvm::ArrayRef<CpuLevel> getCpuLevels();

} // namespace mlir::nnet3

#endif // NNET3_TARGET_CPU_INSTRUCTIONSETS_H
