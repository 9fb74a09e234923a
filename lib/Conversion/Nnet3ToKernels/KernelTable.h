//===- KernelTable.h - The kernels of a module ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_KERNELTABLE_H
#define NNET3_CONVERSION_NNET3TOKERNELS_KERNELTABLE_H

#include "BackwardKernel.h"
#include "CompressionKernel.h"
#include "EpilogueKernel.h"
#include "ProductKernel.h"
#include "RowSequence.h"
#include "SpliceKernel.h"
#include "StageKernel.h"
#include "StepKernel.h"
#include "SumKernel.h"

#include "llvm/ADT/StringMap.h"

#include <variant>

namespace mlir::nnet3 {

/// What devices run that is no operation of the kernel dialect yet.
using Kernel =
    std::variant<RowKernel, ProductKernel, EpilogueKernel, BackwardKernel,
                 SumKernel, StageKernel, SpliceKernel, StepKernel,
                 CompressionKernel, RowSequence>;

/// A kernel and where it is to work, or an operation that is there.
struct KernelCall {
  unsigned kernel;
  SmallVector<int64_t> places;
  Location loc;
  Operation *operation = nullptr;
};

/// Kernels, equal ones once.
class KernelTable {
public:
  /// Number of `kernel`.
  unsigned get(const Kernel &kernel);
  ArrayRef<Kernel> getKernels() const { return kernels; }

private:
  std::vector<Kernel> kernels;
  llvm::StringMap<unsigned> numbers;
};

/// Places of rows: of one table after another.
class RowTables {
public:
  /// Where the table `rows` begins.
  int64_t add(ArrayRef<int64_t> rows);
  ArrayRef<int32_t> getValues() const { return values; }

private:
  std::vector<int32_t> values;
  DenseMap<size_t, SmallVector<std::pair<int64_t, int64_t>, 1>> known;
};

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_KERNELTABLE_H
