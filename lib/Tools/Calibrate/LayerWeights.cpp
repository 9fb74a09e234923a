//===- LayerWeights.cpp - Weights of layers, and their inputs -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LayerWeights.h"

#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"
#include "nnet3/Surgery/RoundWeights.h"
#include "nnet3/Tools/Common/MomentSums.h"

using namespace mlir;
using namespace mlir::nnet3;

static ComponentOpInterface getComponent(ComponentNodeOp node) {
  return SymbolTable::lookupNearestSymbolFrom<ComponentOpInterface>(
      node, node.getComponentAttr());
}

/// Returns the time offset of the rows that each matmul of a component reads.
static SmallVector<int64_t> getTimeOffsets(AffineKernelInterface component) {
  if (auto offsets =
          component->getAttrOfType<DenseI64ArrayAttr>("time_offsets"))
    return SmallVector<int64_t>(offsets.asArrayRef());
  return {0};
}

AffineKernelInterface mlir::nnet3::getRowWeights(ComponentNodeOp node) {
  auto affine =
      dyn_cast<AffineKernelInterface>(getComponent(node).getOperation());
  if (!affine || !affine.isAffine() || affine.hasWeightsPerBlock() ||
      affine.getNumBlocks() != 1 || !affine.readsWholeRows() ||
      affine.getTerms(0).size() != getTimeOffsets(affine).size())
    return nullptr;
  return affine;
}

FailureOr<DoubleMatrix>
mlir::nnet3::measureMoments(ComponentNodeOp node, const CalibrationData &data,
                            const UtteranceOptions &options) {
  MomentRows rows = {node.getInput(), getTimeOffsets(getRowWeights(node))};
  auto sums = MomentSums::create(node->getParentOfType<NetworkOp>(), {rows},
                                 "the model", RunnerOptions(), options);
  if (failed(sums))
    return failure();
  for (size_t i = 0; i < data.size(); ++i)
    if (failed((*sums)->add(data.get(i))))
      return failure();
  return (*sums)->getMean(0);
}

FailureOr<ElementsAttr>
mlir::nnet3::roundWeights(AffineKernelInterface component,
                          const DoubleMatrix &moments, Precision precision) {
  return roundWeights(component, component.getWeightsName(), moments,
                      precision == Precision::Int8 ? WeightGrid::Int8
                                                   : WeightGrid::BF16);
}
