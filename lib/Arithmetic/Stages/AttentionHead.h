//===- AttentionHead.h - What a head of attention consists of ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_ARITHMETIC_STAGES_ATTENTIONHEAD_H
#define NNET3_ARITHMETIC_STAGES_ATTENTIONHEAD_H

#include "StageModels.h"

namespace mlir::nnet3 {

/// What a head consists of, and the command.
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
  int64_t own; ///< which of the rows has the query
  float keyScale;
  bool outputsContext;
  int64_t inColumns, outColumns;
  int64_t outputRows, shift;

private:
  /// Rows of the input that follow each other in a context are so far apart.
  int64_t getShift(const StagedCommand &command) const {
    return context == 1
               ? 0
               : (command.inputRows - command.outputRows) / (context - 1);
  }
};

/// The weights that row `row` of the output gives to the rows of its context in
/// head `number`.
SmallVector<Value> emitAttentionWeights(const AttentionHead &head,
                                        StageEmission &stage, Value row,
                                        Value number);

} // namespace mlir::nnet3

#endif // NNET3_ARITHMETIC_STAGES_ATTENTIONHEAD_H
