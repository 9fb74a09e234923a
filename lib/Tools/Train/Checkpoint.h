//===- Checkpoint.h - Interruptible training --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LIB_TOOLS_TRAIN_CHECKPOINT_H
#define LIB_TOOLS_TRAIN_CHECKPOINT_H

#include "nnet3/runtime/StateVisitor.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace mlir::nnet3 {

/// Passes the whole state to a visitor, always in the same order.
using VisitStateFn =
    llvm::function_ref<::nnet3::rt::Status(::nnet3::rt::StateVisitor &visitor)>;

/// Writes the state to the file `path`, which is replaced atomically.
llvm::Error writeCheckpoint(llvm::StringRef path, VisitStateFn visitState);

/// Restores the state from a file. Returns false if there is no file. Fails if
/// the file is damaged or has a different structure.
llvm::Expected<bool> readCheckpoint(llvm::StringRef path,
                                    VisitStateFn visitState);

} // namespace mlir::nnet3

#endif // LIB_TOOLS_TRAIN_CHECKPOINT_H
