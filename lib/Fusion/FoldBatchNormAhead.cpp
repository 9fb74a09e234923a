//===- FoldBatchNormAhead.cpp - Fold batch norm into the next weights -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NetworkEdits.h"

#include "nnet3/Arithmetic/KernelInterfaces.h"
#include "nnet3/Dialect/Nnet3/Analysis/PassCount.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"
#include "nnet3/Fusion/Passes.h"

#include "llvm/ADT/MapVector.h"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3FOLDBATCHNORMAHEAD
#include "nnet3/Fusion/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;

namespace {

/// Affine components and the first columns of their inputs that hold the rows
/// of a node.
using Readers =
    llvm::SmallMapVector<ComponentOpInterface, SmallVector<int64_t>, 4>;

struct FoldBatchNormAhead
    : public nnet3::impl::Nnet3FoldBatchNormAheadBase<FoldBatchNormAhead> {
  void runOnOperation() override;

private:
  PassCount numFolded{"nodes folded"};

  bool isFoldable(ComponentNodeOp node);
  bool findReaders(Value rows, int64_t column, Readers &readers);
};

} // namespace

/// Whether `node` is a scale and offset that cannot be folded into the weights
/// of an affine map before it.
bool FoldBatchNormAhead::isFoldable(ComponentNodeOp node) {
  auto step = dyn_cast<ElementwiseKernelInterface>(getComponent(node));
  if (!step || !step.isElementwise() || !step.isScaleAndOffset())
    return false;
  Operation *source = node.getInput().getDefiningOp();
  if (auto before = dyn_cast<ComponentNodeOp>(source)) {
    auto affine = dyn_cast<AffineKernelInterface>(getComponent(before));
    return !affine || !affine.isAffine();
  }
  return isa<InputNodeOp, DimRangeNodeOp>(source);
}

/// Adds `node`, whose input has the rows at `column`.
static bool addReader(ComponentNodeOp node, int64_t column, Readers &readers) {
  Operation *component = getComponent(node);
  // Another node may need the original weights.
  if (!isPlainAffine(node) ||
      !cast<AffineKernelInterface>(component).getBiasName())
    return false;
  readers[cast<ComponentOpInterface>(component)].push_back(column);
  return true;
}

/// Finds the readers of `rows`, which start at `column` of the reader's input;
/// false if one is not an affine component, or if a row may be missing: a
/// missing row is zeros, without the offset.
bool FoldBatchNormAhead::findReaders(Value rows, int64_t column,
                                     Readers &readers) {
  return llvm::all_of(rows.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (auto node = dyn_cast<ComponentNodeOp>(user))
      return addReader(node, column, readers);
    if (auto append = dyn_cast<AppendOp>(user)) {
      int64_t first = column;
      for (Value part : append.getParts().take_front(use.getOperandNumber()))
        first += getDim(part);
      return findReaders(append.getResult(), first, readers);
    }
    if (isa<OffsetOp, RoundOp, ReplaceIndexOp>(user))
      return findReaders(user->getResult(0), column, readers);
    return false;
  });
}

/// Changes `component` to compute W (s x + o) + b, where x are columns of its
/// input, as (W s) x + (W o + b). Each time offset has its own columns.
static LogicalResult fold(ComponentOpInterface component,
                          ArrayRef<int64_t> columns, ArrayRef<float> scales,
                          ArrayRef<float> offsets) {
  auto parameters = getAffineParameters(component);
  if (failed(parameters))
    return failure();
  const int64_t width = parameters->columns;
  const int64_t inputs = component.getComponentInputDim();
  for (int64_t row = 0; row < parameters->rows; ++row) {
    double sum = parameters->bias[row];
    for (int64_t block = 0; block < width; block += inputs)
      for (int64_t column : columns)
        for (size_t i = 0; i < scales.size(); ++i) {
          float &weight = parameters->weights[row * width + block + column + i];
          sum += double(weight) * offsets[i];
          weight *= scales[i];
        }
    parameters->bias[row] = float(sum);
  }
  setAffineParameters(component, *parameters);
  return success();
}

void FoldBatchNormAhead::runOnOperation() {
  NetworkOp network = getOperation();
  if (!isEditable(network))
    return;
  auto nodes = llvm::to_vector(network.getBody().getOps<ComponentNodeOp>());
  for (ComponentNodeOp node : nodes) {
    Readers readers;
    if (!isFoldable(node) || isSupplied(network, node.getName()) ||
        node.getResult().use_empty() ||
        !findReaders(node.getResult(), 0, readers))
      continue;
    auto vectors = getColumnConstants(getComponent(node));
    if (failed(vectors))
      continue;
    for (auto &[component, columns] : readers)
      if (failed(fold(component, columns, (*vectors)[0], (*vectors)[1])))
        return signalPassFailure();
    node.getResult().replaceAllUsesWith(node.getInput());
    node.erase();
    ++numFolded;
  }
}
