//===- Synthetic.h - Computations that no network gives ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_BENCHMARKS_SYNTHETIC_H
#define NNET3_BENCHMARKS_SYNTHETIC_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace mlir::nnet3::benchmarks {

/// The shapes of computations that passes could take long for: many copies of
/// one matrix or of an input, a long chain of matrices, many views of one, many
/// commands with tables of rows.
llvm::ArrayRef<llvm::StringRef> getSyntheticNames();

/// A module with a computation of shape \p name, which has a few commands for
/// each of \p k.
OwningOpRef<ModuleOp> makeSynthetic(llvm::StringRef name, int64_t k,
                                    MLIRContext *context);

} // namespace mlir::nnet3::benchmarks

#endif // NNET3_BENCHMARKS_SYNTHETIC_H
