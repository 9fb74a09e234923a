//===- TrainFakeCuda.cpp - nnet3-train without a GPU ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nnet3-train, whose --backend=cuda trains on a fake driver: the reference's
// trajectories check training on GPUs on machines without one.
//
//===----------------------------------------------------------------------===//

#include "FakeCudaTrainer.h"
#include "nnet3/Tools/Train.h"

using namespace mlir;
using namespace mlir::nnet3;

int main(int argc, char **argv) {
  ::nnet3::rt::test::FakeCuda cuda;
  return trainWithCuda(argc, argv,
                       [&](NnetRunner &interpreter,
                           const ::nnet3::rt::TrainerOptions &options, int) {
                         return test::FakeCudaTrainer::create(
                             interpreter, options, cuda,
                             /*emulator=*/nullptr);
                       });
}
