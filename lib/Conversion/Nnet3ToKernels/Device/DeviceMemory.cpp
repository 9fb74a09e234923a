//===- DeviceMemory.cpp - Memory of a device beside matrices
//-----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DeviceMemory.h"
#include "ProductInputs.h"

#include "nnet3/Arithmetic/KernelInterfaces.h"
#include "nnet3/Dialect/Nnet3/Analysis/MatrixWindow.h"
#include "nnet3/Dialect/Nnet3/IR/FusedCommandOps.h"
#include "nnet3/Dialect/Nnet3/IR/MatrixLayout.h"

using namespace mlir;
using namespace mlir::nnet3;

/// Floats that begin a new line of the device's cache.
static int64_t align(int64_t floats) { return llvm::alignTo(floats, 64); }

/// Where weights are updated, there are not two kinds of them.
static Precision getPrecision(ComputationOp computation, Precision wanted) {
  return computation.getBody().getOps<BackpropOp>().empty() ? wanted
                                                            : Precision::F32;
}

int64_t mlir::nnet3::getGatherSize(FusedAffineOp op, Precision precision) {
  int64_t size = 0;
  for (const ProductInputs &inputs : getProductInputs(op, precision))
    size = std::max(size, inputs.getScratchSize(op));
  return align(size);
}

/// Room for sums that may not be in the output yet, with those of rows that are
/// computed beyond the last one.
static int64_t getSumsSize(FusedAffineOp op, const Padding &padding) {
  Value output = op.getOutput();
  return align(numRows(output) * numCols(output) +
               padding.matrices.lookup(MatrixWindow::get(output).matrix));
}

/// Room for the factors that a component multiplies with its weights.
static int64_t getFactorSize(PropagateOp op, ComponentTable &components) {
  Operation *component = components.find(op.getComponent()).getOperation();
  auto factor = dyn_cast<FactorKernelInterface>(component);
  if (!factor)
    return 0;
  return align(numRows(op.getOutput()) * factor.getNumFactors() *
               cast<AffineKernelInterface>(component).getWeightColumns());
}

/// Room for gathered rows and, behind them, for sums; or for a factor; or for
/// what stages leave for the next ones.
static int64_t getScratchSize(ComputationOp computation,
                              const StageMemory &stages, Precision precision,
                              const Padding &padding) {
  int64_t size = stages.getScratchSize();
  ComponentTable components(computation);
  for (auto op : computation.getBody().getOps<PropagateOp>())
    size = std::max(size, getFactorSize(op, components));
  for (auto op : computation.getBody().getOps<FusedAffineOp>())
    size =
        std::max(size, getGatherSize(op, precision) + getSumsSize(op, padding));
  return size;
}

DeviceMemory::DeviceMemory(ComputationOp computation, Precision wanted)
    : precision(getPrecision(computation, wanted)), stages(computation),
      padding(getPadding(computation, precision)),
      scratchSize(getScratchSize(computation, stages, precision, padding)) {}
