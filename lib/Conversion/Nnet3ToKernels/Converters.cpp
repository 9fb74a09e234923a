//===- Converters.cpp - Converters for CPUs and devices -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Converters.h"

#include "ComponentConverter.h"
#include "CpuAffine.h"
#include "Device/DeviceAffine.h"
#include "Training/BackwardConverter.h"

#include "nnet3/Dialect/Nnet3/IR/MatrixLayout.h"

using namespace mlir;
using namespace mlir::nnet3;

/// Number of zeros that affine maps read in place of a missing row.
static int64_t getNumZeros(ComputationOp computation) {
  int64_t zeros = 0;
  computation.walk([&](FusedAffineOp op) {
    for (auto [input, rows] : llvm::zip_equal(op.getInputs(), op.getRows()))
      if (cast<RowTableAttr>(rows).hasNone())
        zeros = std::max(zeros, numCols(input));
  });
  return llvm::alignTo(zeros, 16);
}

std::unique_ptr<CommandConverter>
mlir::nnet3::createCpuConverter(ComputationOp computation,
                                KernelModule &module) {
  const int64_t zeros = getNumZeros(computation);
  auto converter =
      std::make_unique<CommandConverter>(computation, module, zeros);
  CommandContext &context = converter->getContext();
  if (zeros)
    context.kernels.createFill(context.kernels.createRows(0, 1, zeros, zeros),
                               0);
  populateRowCommands(*converter);
  populateLoops(*converter);
  populateForwardCommands(*converter,
                          converter->create<CpuAffineConverter>(context),
                          /*stages=*/nullptr);
  return converter;
}

std::unique_ptr<CommandConverter>
mlir::nnet3::createDeviceConverter(ComputationOp computation,
                                   KernelModule &module, bool updates) {
  const DeviceMemory memory(computation, {module.precision, module.threads},
                            module.isShared);
  auto converter = std::make_unique<CommandConverter>(
      computation, module, memory.getSize(), memory.padding);
  CommandContext &context = converter->getContext();
  auto &stages = converter->create<StageConverter>(context, memory);
  populateRowCommands(*converter);
  populateForwardCommands(
      *converter,
      converter->create<DeviceAffineConverter>(context, memory.target),
      &stages);
  populateBackwardCommands(*converter, stages, updates);
  return converter;
}
