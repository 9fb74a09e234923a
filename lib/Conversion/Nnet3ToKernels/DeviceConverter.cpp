//===- DeviceConverter.cpp - Commands as kernels of a device --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DeviceConverter.h"
#include "ProductInputs.h"

#include "nnet3/Dialect/Nnet3/Analysis/MatrixWindow.h"
#include "nnet3/Dialect/Nnet3/IR/MatrixLayout.h"

using namespace mlir;
using namespace mlir::nnet3;

/// Floats that begin a new line of the device's cache.
static int64_t align(int64_t floats) { return llvm::alignTo(floats, 64); }

/// What factors of products may be: where weights are updated, there are not
/// two kinds of them.
static Precision getPrecision(ComputationOp computation,
                              const KernelModule &module) {
  return computation.getBody().getOps<BackpropOp>().empty() ? module.precision
                                                            : Precision::F32;
}

/// Room for the rows that are copied for one product.
static int64_t getGatherSize(FusedAffineOp op, Precision precision) {
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
                              const StageMemory &stageMemory,
                              Precision precision) {
  const Padding padding = getPadding(computation, precision);
  int64_t size = stageMemory.getScratchSize();
  ComponentTable components(computation);
  for (auto op : computation.getBody().getOps<PropagateOp>())
    size = std::max(size, getFactorSize(op, components));
  for (auto op : computation.getBody().getOps<FusedAffineOp>())
    size =
        std::max(size, getGatherSize(op, precision) + getSumsSize(op, padding));
  return size;
}

DeviceConverter::DeviceConverter(ComputationOp computation,
                                 KernelModule &module)
    : DeviceConverter(computation, module, StageMemory(computation)) {}

DeviceConverter::DeviceConverter(ComputationOp computation,
                                 KernelModule &module,
                                 const StageMemory &stageMemory)
    : CommandConverter(
          computation, module,
          getScratchSize(computation, stageMemory,
                         getPrecision(computation, module)) +
              stageMemory.getKeptSize(),
          getPadding(computation, getPrecision(computation, module))),
      stageMemory(stageMemory),
      keptPlace(getScratchSize(computation, stageMemory,
                               getPrecision(computation, module))),
      precision(getPrecision(computation, module)) {}

void DeviceConverter::addProduct(PropagateOp op, AffineKernelInterface affine,
                                 int64_t numFactors, int64_t factors,
                                 RowSpan rows) {
  const int64_t depth = affine.getWeightColumns(),
                columns = affine.getWeightRows();
  const bool adds = has(components.getProperties(op.getComponent()),
                        ComponentProperties::PropagateAdds);
  MatrixBatch input = {factors, rows.count, numFactors * depth, numFactors,
                       depth},
              output = {arena.getOffset(op.getOutput()), rows.count,
                        getRowStride(op.getOutput()), numFactors, columns};
  if (numFactors == 1)
    input.distance = output.distance = 0;
  const int64_t weights =
      module.weights.getMatrix(components.find(op.getComponent()), {});
  kernels.createMatmul(kernel::MatmulFactors::NT,
                       kernels.createWeights(weights, columns, depth, depth),
                       kernels.createBatch(input, depth),
                       kernels.createBatch(output, columns), adds);
}

bool DeviceConverter::sharesMemory(Value a, Value b) const {
  auto end = [&](Value value) {
    return arena.getOffset(value) + (numRows(value) - 1) * getRowStride(value) +
           numCols(value);
  };
  return arena.getOffset(a) < end(b) && arena.getOffset(b) < end(a);
}

DeviceConverter::Sums DeviceConverter::getSums(FusedAffineOp op) {
  Value output = op.getOutput(), init = op.getInit(),
        residual = op.getResidual();
  Sums sums = {arena.getOffset(output), getRowStride(output), false};
  // What the output already holds can be what the sums begin with.
  const bool isInPlace = init && arena.getOffset(init) == sums.place &&
                         getRowStride(init) == sums.stride &&
                         numRows(init) == numRows(output);
  if ((init && !isInPlace && sharesMemory(init, output)) ||
      (residual && sharesMemory(residual, output)))
    return {getGatherSize(op, precision), numCols(output), false};
  sums.beginWithInit = isInPlace;
  return sums;
}
