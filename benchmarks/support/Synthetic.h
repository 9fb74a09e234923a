//===- Synthetic.h - Synthetic computations ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_BENCHMARKS_SYNTHETIC_H
#define NNET3_BENCHMARKS_SYNTHETIC_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace mlir::nnet3::benchmarks {

/// Returns the names of computation shapes that could make passes slow: many
/// copies of one matrix or of an input, a long chain of matrices, many views of
/// one, many commands with row tables.
llvm::ArrayRef<llvm::StringRef> getSyntheticNames();

/// Makes a module with a computation of shape \p name; the number of commands
/// is proportional to \p k.
OwningOpRef<ModuleOp> makeSynthetic(llvm::StringRef name, int64_t k,
                                    MLIRContext *context);

} // namespace mlir::nnet3::benchmarks

#endif // NNET3_BENCHMARKS_SYNTHETIC_H
