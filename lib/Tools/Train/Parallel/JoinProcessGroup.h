//===- JoinProcessGroup.h - Training under mpirun ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LIB_TOOLS_TRAIN_PARALLEL_JOINPROCESSGROUP_H
#define LIB_TOOLS_TRAIN_PARALLEL_JOINPROCESSGROUP_H

#include "ProcessGroup.h"

#include "llvm/Support/Error.h"

#include <memory>

namespace mlir::nnet3 {

/// Returns the process group if mpirun started this process, or else null.
/// Fails if the build has no MPI module.
llvm::Expected<std::unique_ptr<ProcessGroup>> joinProcessGroup();

} // namespace mlir::nnet3

#endif // LIB_TOOLS_TRAIN_PARALLEL_JOINPROCESSGROUP_H
