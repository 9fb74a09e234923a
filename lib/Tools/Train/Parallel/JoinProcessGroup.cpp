//===- JoinProcessGroup.cpp - Training under mpirun -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "JoinProcessGroup.h"
#include "nnet3/Tools/Common/Modules.h"

#include <cstdlib>

using namespace mlir::nnet3;

/// Returns true if an MPI launcher started this process as one of several.
static bool isLaunched() {
  for (const char *variable : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"})
    if (std::getenv(variable))
      return true;
  return false;
}

llvm::Expected<std::unique_ptr<ProcessGroup>> mlir::nnet3::joinProcessGroup() {
  if (!isLaunched())
    return std::unique_ptr<ProcessGroup>();
  auto create = loadModule("nnet3_mpi", kCreateProcessGroup,
                           "training by several processes needs a build with "
                           "MPI");
  if (!create)
    return create.takeError();
  return std::unique_ptr<ProcessGroup>(
      reinterpret_cast<CreateProcessGroupFn *>(*create)());
}
