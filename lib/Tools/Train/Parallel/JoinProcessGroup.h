//===- JoinProcessGroup.h - Training under mpirun ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LIB_TOOLS_TRAIN_PARALLEL_JOINPROCESSGROUP_H
#define LIB_TOOLS_TRAIN_PARALLEL_JOINPROCESSGROUP_H

#include "ProcessGroup.h"

#include "llvm/Support/Error.h"

#include <memory>

namespace mlir::nnet3 {

/// The group of this process if mpirun has started it, or else null. Fails if
/// the build has no module for MPI.
llvm::Expected<std::unique_ptr<ProcessGroup>> joinProcessGroup();

} // namespace mlir::nnet3

#endif // LIB_TOOLS_TRAIN_PARALLEL_JOINPROCESSGROUP_H
