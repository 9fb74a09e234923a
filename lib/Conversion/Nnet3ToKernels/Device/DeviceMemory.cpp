//===- DeviceMemory.cpp - Memory of a device besides matrices -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DeviceMemory.h"
#include "MatmulInputs.h"

#include "nnet3/Arithmetic/KernelInterfaces.h"
#include "nnet3/Dialect/Nnet3/Analysis/MatrixWindow.h"
#include "nnet3/Dialect/Nnet3/IR/FusedCommandOps.h"
#include "nnet3/Dialect/Nnet3/IR/MatrixLayout.h"

using namespace mlir;
using namespace mlir::nnet3;

/// Aligns to a cache line of the device, in floats.
static int64_t align(int64_t floats) { return llvm::alignTo(floats, 64); }

/// Training uses f32: the updated weights are stored in f32 only.
static MatmulTarget getTarget(ComputationOp computation, MatmulTarget wanted) {
  if (!computation.getBody().getOps<BackpropOp>().empty())
    wanted.precision = Precision::F32;
  return wanted;
}

int64_t mlir::nnet3::getGatherSize(FusedAffineOp op,
                                   const MatmulTarget &target) {
  int64_t size = 0;
  for (const MatmulInputs &inputs : getMatmulInputs(op, target))
    size = std::max(size, inputs.getScratchSize(op));
  return align(size);
}

/// Size of accumulators that may not be in the output yet, including rows that
/// are computed past the last one.
static int64_t getSumsSize(FusedAffineOp op, const Padding &padding) {
  Value output = op.getOutput();
  return align(numRows(output) * numCols(output) +
               padding.matrices.lookup(MatrixWindow::get(output).matrix));
}

/// Size of the factors that a component multiplies with its weights.
static int64_t getFactorSize(PropagateOp op, ComponentTable &components) {
  Operation *component = components.find(op.getComponent()).getOperation();
  auto factor = dyn_cast<FactorKernelInterface>(component);
  if (!factor)
    return 0;
  return align(numRows(op.getOutput()) * factor.getNumFactors() *
               cast<AffineKernelInterface>(component).getWeightColumns());
}

/// Size of the scratch buffer: the largest of gathered rows followed by
/// accumulators, of factors, and of the data between grid-wide phases.
static int64_t getScratchSize(ComputationOp computation,
                              const StageMemory &stages,
                              const MatmulTarget &target,
                              const Padding &padding) {
  int64_t size = stages.getScratchSize();
  ComponentTable components(computation);
  for (auto op : computation.getBody().getOps<PropagateOp>())
    size = std::max(size, getFactorSize(op, components));
  for (auto op : computation.getBody().getOps<FusedAffineOp>())
    size = std::max(size, getGatherSize(op, target) + getSumsSize(op, padding));
  return size;
}

DeviceMemory::DeviceMemory(ComputationOp computation,
                           const MatmulTarget &wanted, bool isShared)
    : target(getTarget(computation, wanted)), stages(computation, isShared),
      padding(getPadding(computation, target)),
      scratchSize(getScratchSize(computation, stages, target, padding)) {}
