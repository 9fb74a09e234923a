//===- ClippingModels.cpp - Components that clip derivatives --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The norm of a row is computed before any element is changed.
//
//===----------------------------------------------------------------------===//

#include "Clipping.h"
#include "KernelModels.h"

#include "nnet3/Arithmetic/BackwardInterface.h"
#include "nnet3/Arithmetic/PrecomputedRows.h"
#include "nnet3/Arithmetic/RowEmission.h"
#include "nnet3/Dialect/Nnet3/IR/PrecomputedTimes.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::nnet3;

SmallVector<int64_t> mlir::nnet3::getBoundaries(Operation *op,
                                                DictionaryAttr precomputed,
                                                int64_t rows) {
  auto truncation = cast<BackpropTruncationOp>(op);
  if (!precomputed)
    return SmallVector<int64_t>(rows, 0);
  auto getInterval = [&](int64_t time) {
    return llvm::divideFloorSigned(time,
                                   int64_t(truncation.getZeroingInterval()));
  };
  SmallVector<int64_t> boundaries;
  for (int64_t time : getPrecomputedRows(precomputed, kTimes)) {
    time += *getFirstTime(precomputed);
    const int64_t before = time - int64_t(truncation.getRecurrenceInterval());
    boundaries.push_back(getInterval(time) != getInterval(before));
  }
  return boundaries;
}

float mlir::nnet3::getThreshold(APFloat threshold) {
  const float value = threshold.convertToFloat();
  return value > 0 ? value : 1e10f;
}

/// Returns the scale that limits a row's norm to `most`; NaN if it is NaN.
static Value emitClip(ScalarArithmetic &a, Value norm, Value most) {
  return a.selectGreater(most, norm, a.number(1), a.divide(most, norm));
}

namespace {

template <typename Model, typename OpTy>
using Base = BackwardKernelInterface::ExternalModel<Model, OpTy>;

/// Spec: components.md 6.25.
struct ClipGradientModel : public Base<ClipGradientModel, ClipGradientOp> {
  void emitBackwardRow(Operation *op, RowEmission &row) const {
    auto clip = cast<ClipGradientOp>(op);
    const int64_t dim = clip.getDim();
    const float threshold = clip.getClippingThreshold().convertToFloat();
    Value most = row.number(threshold), least = row.number(-threshold);
    if (clip.getNormBasedClipping() && threshold != 0) {
      Value scale = emitClip(row, emitNorm(row, dim), most);
      return row.forEach(dim, [&](Value c) {
        row.store(row.multiply(row.loadDerivative(c), scale), c);
      });
    }
    row.forEach(dim, [&](Value c) {
      if (threshold == 0)
        return row.store(row.number(0), c);
      Value dy = row.loadDerivative(c);
      Value notMore = row.selectGreater(dy, most, most, dy);
      row.store(row.selectGreater(least, dy, least, notMore), c);
    });
  }
};

/// Spec: components.md 6.16.
struct TruncationModel : public Base<TruncationModel, BackpropTruncationOp> {
  /// Whether a row is at a boundary where its derivatives may become zero.
  SmallVector<int64_t> getRowNumbers(Operation *op, DictionaryAttr precomputed,
                                     int64_t rows) const {
    return getBoundaries(op, precomputed, rows);
  }
  void emitBackwardRow(Operation *op, RowEmission &row) const {
    auto truncation = cast<BackpropTruncationOp>(op);
    const int64_t dim = truncation.getDim();
    Value most = row.number(getThreshold(truncation.getClippingThreshold()));
    Value zeroed = row.number(getThreshold(truncation.getZeroingThreshold()));
    Value scale = row.number(truncation.getScale().convertToFloat());
    Value norm = row.multiply(scale, emitNorm(row, dim));
    Value clipped = row.multiply(scale, emitClip(row, norm, most));
    Value atBoundary = row.isLess(row.index(0), row.loadRowNumber());
    Value isZeroed = row.both(atBoundary, row.isBelow(zeroed, norm));
    row.forEach(dim, [&](Value c) {
      Value dx = row.multiply(row.loadDerivative(c), clipped);
      row.store(row.select(isZeroed, row.number(0), dx), c);
    });
  }
};

} // namespace

void mlir::nnet3::attachClippingModels(MLIRContext &context) {
  ClipGradientOp::attachInterface<ClipGradientModel>(context);
  BackpropTruncationOp::attachInterface<TruncationModel>(context);
}
