//===- KernelWidth.h - How many columns a thread takes ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_KERNELWIDTH_H
#define NNET3_CONVERSION_NNET3TOKERNELS_KERNELWIDTH_H

#include "EpilogueKernel.h"
#include "RowKernel.h"
#include "RowTables.h"
#include "SpliceKernel.h"

namespace mlir::nnet3 {

/// Lets the threads of a device's kernel read and write several columns at once
/// where it has enough to do, and what it is called with allows it.
void setWidth(RowKernel &kernel, ArrayRef<int64_t> places,
              const RowTables &tables);
void setWidth(EpilogueKernel &kernel, ArrayRef<int64_t> places);
void setWidth(SpliceKernel &kernel, ArrayRef<int64_t> places);

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_KERNELWIDTH_H
