//===- WeightsObject.h - An object file of weights --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_TARGET_LIBRARY_WEIGHTSOBJECT_H
#define NNET3_TARGET_LIBRARY_WEIGHTSOBJECT_H

#include "nnet3/Target/Cpu/CpuTarget.h"

namespace mlir::nnet3 {

/// Writes to `os` an object file with `weights` under the hidden symbol
/// `symbol`, aligned to 64 bytes. Emits errors other than those of `os` at
/// `loc`.
LogicalResult emitWeightsObject(Location loc, llvm::StringRef symbol,
                                llvm::ArrayRef<char> weights,
                                const CodeTarget &target,
                                llvm::raw_pwrite_stream &os);

} // namespace mlir::nnet3

#endif // NNET3_TARGET_LIBRARY_WEIGHTSOBJECT_H
