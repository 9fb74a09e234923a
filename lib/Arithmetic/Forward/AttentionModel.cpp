//===- AttentionModel.cpp - Attention to nearby frames --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KernelModels.h"

#include "nnet3/Arithmetic/KernelInterfaces.h"
#include "nnet3/Arithmetic/RowEmission.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"

using namespace mlir;
using namespace mlir::nnet3;

/// Largest context whose weights CPUs compute in unrolled code.
static constexpr int64_t kMaxContext = 256;

namespace {

/// A part of a row is a head: key, value, query and one addend per frame of the
/// context, in this order (spec: components.md 6.28).
struct AttentionModel
    : public RowKernelInterface::ExternalModel<AttentionModel,
                                               RestrictedAttentionOp> {
  bool isRowKernel(Operation *op, bool device) const {
    return device ||
           cast<RestrictedAttentionOp>(op).getContextDim() <= kMaxContext;
  }
  RowReads getRowReads(Operation *) const { return RowReads::Shifted; }
  int64_t getNumShiftedRows(Operation *op) const {
    return cast<RestrictedAttentionOp>(op).getContextDim();
  }
  int64_t getNumParts(Operation *op) const {
    return cast<RestrictedAttentionOp>(op).getNumHeads();
  }
  void emitRow(Operation *op, RowEmission &row) const;
};

} // namespace

/// Computes the attention weight of each frame for the head at column `key`.
static SmallVector<Value> attend(RestrictedAttentionOp op, RowEmission &row,
                                 ScalarArithmetic &a, Value key) {
  const int64_t context = op.getContextDim(), keyDim = op.getKeyDim();
  const int64_t own = op.getNumLeftInputs();
  Value query = a.shift(key, keyDim + int64_t(op.getValueDim()));
  SmallVector<Value> numbers =
      row.dots(context, keyDim, [&](unsigned o, Value c) {
        return std::pair(row.loadFrom(own, a.shift(query, c)),
                         row.loadFrom(o, a.shift(key, c)));
      });
  Value scale = a.number(op.getActualKeyScale());
  for (auto [o, number] : llvm::enumerate(numbers))
    number = a.multiplyAdd(number, scale,
                           row.loadFrom(own, a.shift(query, keyDim + o)));
  return row.softmax(numbers);
}

void AttentionModel::emitRow(Operation *op, RowEmission &row) const {
  auto attention = cast<RestrictedAttentionOp>(op);
  const int64_t context = attention.getContextDim();
  const int64_t keyDim = attention.getKeyDim();
  const int64_t valueDim = attention.getValueDim();
  const bool withContext = attention.getOutputContext();
  ScalarArithmetic &a = row;
  Value key = a.scale(row.getPart(), 2 * keyDim + valueDim + context);
  Value to = a.scale(row.getPart(), valueDim + (withContext ? context : 0));
  SmallVector<Value> weights = attend(attention, row, a, key);
  row.forEach(valueDim, [&](Value c) {
    Value column = a.shift(to, c), value = a.shift(a.shift(key, keyDim), c);
    Value sum = row.loadStored(column);
    for (auto [o, weight] : llvm::enumerate(weights))
      sum = a.multiplyAdd(weight, row.loadFrom(o, value), sum);
    row.store(sum, column);
  });
  if (!withContext)
    return;
  row.forEach(1, [&](Value c) {
    for (auto [o, weight] : llvm::enumerate(weights)) {
      Value column = a.shift(a.shift(to, c), valueDim + o);
      row.store(a.add(row.loadStored(column), weight), column);
    }
  });
}

void mlir::nnet3::attachAttentionModel(MLIRContext &context) {
  RestrictedAttentionOp::attachInterface<AttentionModel>(context);
}
