//===- AttentionHead.h - The layout of an attention head --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_ARITHMETIC_STAGES_ATTENTIONHEAD_H
#define NNET3_ARITHMETIC_STAGES_ATTENTIONHEAD_H

#include "StageModels.h"

namespace mlir::nnet3 {

/// The dimensions of a head, and those of the command.
struct AttentionHead {
  AttentionHead(Operation *op, const StagedCommand &command)
      : AttentionHead(cast<RestrictedAttentionOp>(op), command) {}
  AttentionHead(RestrictedAttentionOp op, const StagedCommand &command)
      : heads(op.getNumHeads()), keyDim(op.getKeyDim()),
        valueDim(op.getValueDim()), context(op.getContextDim()),
        own(op.getNumLeftInputs()), keyScale(op.getActualKeyScale()),
        outputsContext(op.getOutputContext()),
        inColumns(2 * keyDim + valueDim + context),
        outColumns(valueDim + (outputsContext ? context : 0)),
        outputRows(command.outputRows), shift(getShift(command)) {}

  int64_t heads, keyDim, valueDim, context;
  int64_t own; ///< number of the context row that holds the query
  float keyScale;
  bool outputsContext;
  int64_t inColumns, outColumns;
  int64_t outputRows, shift;

private:
  /// Distance in rows between consecutive frames of a context.
  int64_t getShift(const StagedCommand &command) const {
    return context == 1
               ? 0
               : (command.inputRows - command.outputRows) / (context - 1);
  }
};

/// Emits the attention weights of row `row` of the output for the rows of its
/// context, in head `number`.
SmallVector<Value> emitAttentionWeights(const AttentionHead &head,
                                        StageEmission &stage, Value row,
                                        Value number);

} // namespace mlir::nnet3

#endif // NNET3_ARITHMETIC_STAGES_ATTENTIONHEAD_H
