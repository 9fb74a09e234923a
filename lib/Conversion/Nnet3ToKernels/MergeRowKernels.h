//===- MergeRowKernels.h - Fewer launches of small kernels ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_MERGEROWKERNELS_H
#define NNET3_CONVERSION_NNET3TOKERNELS_MERGEROWKERNELS_H

#include "KernelTable.h"

namespace mlir::nnet3 {

/// Makes one call of neighbouring `calls` where each thread may do its part of
/// all of them, one after the other.
std::vector<KernelCall> mergeRowKernels(ArrayRef<KernelCall> calls,
                                        KernelTable &kernels);

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_MERGEROWKERNELS_H
