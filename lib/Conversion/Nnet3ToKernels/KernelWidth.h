//===- KernelWidth.h - How many columns a thread takes ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_KERNELWIDTH_H
#define NNET3_CONVERSION_NNET3TOKERNELS_KERNELWIDTH_H

#include "KernelTable.h"

namespace mlir::nnet3 {

/// Lets the threads of a device's kernel read and write several columns at once
/// where it has enough to do, and what it is called with allows it.
void setWidth(Kernel &kernel, ArrayRef<int64_t> places,
              const RowTables &tables);

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_KERNELWIDTH_H
