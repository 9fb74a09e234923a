//===- ReduceRank.cpp - Approximate matrices by low rank ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "AffineComponents.h"
#include "NetworkEdits.h"
#include "Parameters.h"
#include "nnet3/Dialect/Nnet3/Analysis/Descriptor.h"
#include "nnet3/Surgery/Passes.h"

#include <numeric>

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3REDUCERANK
#include "nnet3/Surgery/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;

/// Returns the matmul of the remaining factors of the decomposition.
static DoubleMatrix multiplyFirst(const SingularValues &values, int64_t rank) {
  DoubleMatrix left = takeColumns(values.u, rank);
  for (int64_t r = 0; r < left.rows; ++r)
    for (int64_t c = 0; c < rank; ++c)
      left(r, c) *= values.s[c];
  return multiply(left, takeRows(values.vt, rank));
}

static LogicalResult reduce(NetworkOp network, ComponentOpInterface component,
                            int64_t rank) {
  StringRef name = getComponentName(component);
  if (!isAffine(component)) {
    emitWarning(network.getLoc())
        << "component '" << name << "' is not affine and stays as it is";
    return success();
  }
  int64_t least = std::min(component.getComponentInputDim(),
                           component.getComponentOutputDim());
  if (least <= rank) {
    emitWarning(network.getLoc()) << "component '" << name << "' has a dim of "
                                  << least << " and stays as it is";
    return success();
  }
  FailureOr<DoubleMatrix> matrix = getParameters(component, "linear_params");
  if (failed(matrix))
    return failure();
  FailureOr<SingularValues> values = decompose(*matrix);
  if (failed(values))
    return emitError(network.getLoc())
           << "the matrix of component '" << name
           << "' has no singular value decomposition";
  component->setAttr("linear_params",
                     makeParameters(component.getContext(), name,
                                    "linear_params",
                                    multiplyFirst(*values, rank)));
  ArrayRef<double> all = values->s, kept = all.take_front(rank);
  emitRemark(network.getLoc())
      << "the singular values of '" << name << "' sum up to "
      << formatReal(std::accumulate(kept.begin(), kept.end(), 0.0))
      << " instead of "
      << formatReal(std::accumulate(all.begin(), all.end(), 0.0));
  return success();
}

namespace {
struct ReduceRank : public mlir::nnet3::impl::Nnet3ReduceRankBase<ReduceRank> {
  using Base::Base;
  void runOnOperation() override {
    if (rank < 1) {
      emitError(getOperation().getLoc())
          << "expects a rank of at least 1, but got " << int64_t(rank);
      return signalPassFailure();
    }
    for (auto component : findComponents(getOperation(), pattern))
      if (failed(reduce(getOperation(), component, rank)))
        return signalPassFailure();
  }
};
} // namespace
