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
#include "WholeRowKernel.h"

#include "llvm/ADT/StringMap.h"

#include <variant>

namespace mlir::nnet3 {

/// A component that the runtime runs, on matrices with these shapes; places:
/// the number of the call, input (-1 for none), output.
struct RuntimeKernel {
  int64_t inputRows = 0, inputColumns = 0, inputStride = 0; ///< 0 without one
  int64_t outputRows, outputColumns, outputStride;
};

using Kernel = std::variant<GemmKernel, RowKernel, RuntimeKernel, ProductKernel,
                            EpilogueKernel, WholeRowKernel, BackwardKernel,
                            SumKernel, StageKernel, SpliceKernel, StepKernel,
                            CompressionKernel, RowSequence>;

/// A kernel and where it is to work.
struct KernelCall {
  unsigned kernel;
  SmallVector<int64_t> places;
  Location loc;
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
