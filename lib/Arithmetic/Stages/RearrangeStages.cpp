//===- RearrangeStages.cpp - Backward passes that move elements -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StageModels.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace {

/// (spec: components.md 6.12)
struct PermuteStages : public BackwardRowStage<PermuteStages, PermuteOp> {
  SmallVector<SmallVector<int64_t>> getTables(Operation *op,
                                              const StagedCommand &) const {
    return {llvm::to_vector(cast<PermuteOp>(op).getColumnMap())};
  }
  void emitRow(Operation *op, StageEmission &stage, const StagedCommand &,
               Value) const {
    stage.forEach(cast<PermuteOp>(op).getColumnMap().size(), [&](Value c) {
      stage.store(stage.loadDerivative(c), stage.loadTable(0, c));
    });
  }
};

/// Each element gets the derivative of its group's sum (spec: components.md
/// 6.35).
struct SumGroupStages : public BackwardRowStage<SumGroupStages, SumGroupOp> {
  SmallVector<SmallVector<int64_t>> getTables(Operation *op,
                                              const StagedCommand &) const {
    SmallVector<int64_t> groups;
    for (auto [group, size] : llvm::enumerate(cast<SumGroupOp>(op).getSizes()))
      groups.append(size, group);
    return {groups};
  }
  void emitRow(Operation *op, StageEmission &stage, const StagedCommand &,
               Value) const {
    const int64_t dim = cast<ComponentOpInterface>(op).getComponentInputDim();
    stage.forEach(dim, [&](Value c) {
      stage.store(stage.loadDerivative(stage.loadTable(0, c)), c);
    });
  }
};

/// Blocks that no row of the output has get no derivative (spec: components.md
/// 6.45).
struct DistributeStages
    : public BackwardRowStage<DistributeStages, DistributeOp> {
  static int64_t getNumBlocks(DistributeOp op) {
    return op.getInputDim() / op.getOutputDim();
  }
  /// The row of the output that each block of each row of the input becomes, or
  /// -1. What is precomputed is that of one sequence; the rows of all sequences
  /// lie next to each other.
  SmallVector<SmallVector<int64_t>>
  getTables(Operation *op, const StagedCommand &command) const {
    const int64_t numBlocks = getNumBlocks(cast<DistributeOp>(op));
    const auto rows = getPrecomputedRows(command.precomputed, "rows");
    const auto blocks = getPrecomputedRows(command.precomputed, "blocks");
    const int64_t sequences = command.outputRows / int64_t(rows.size());
    SmallVector<int64_t> outputs(command.inputRows * numBlocks, -1);
    for (int64_t row = 0; row < command.outputRows; ++row) {
      const int64_t entry = row / sequences;
      const int64_t from = rows[entry] * sequences + row % sequences;
      outputs[from * numBlocks + blocks[entry]] = row;
    }
    return {outputs};
  }
  void emitRow(Operation *op, StageEmission &stage, const StagedCommand &,
               Value row) const {
    auto distribute = cast<DistributeOp>(op);
    const int64_t dim = distribute.getOutputDim();
    stage.forEach(distribute.getInputDim(), [&](Value c) {
      Value output = stage.loadTable(
          0, stage.at(row, getNumBlocks(distribute), stage.quotient(c, dim)));
      Value isNone = stage.isLess(output, stage.index(0));
      stage.setRow(stage.select(isNone, stage.index(0), output));
      Value dy = stage.loadDerivative(stage.remainder(c, dim));
      stage.setRow(row);
      stage.store(stage.select(isNone, stage.number(0), dy), c);
    });
  }
};

} // namespace

void mlir::nnet3::attachRearrangeStages(MLIRContext &context) {
  PermuteOp::attachInterface<PermuteStages>(context);
  SumGroupOp::attachInterface<SumGroupStages>(context);
  DistributeOp::attachInterface<DistributeStages>(context);
}
