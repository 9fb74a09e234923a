//===- RowReaders.h - Which rows are read where -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_LIB_COMPILE_ROUNDS_ROWREADERS_H
#define NNET3_LIB_COMPILE_ROUNDS_ROWREADERS_H

#include "nnet3/Compile/Steps.h"

namespace mlir::nnet3 {

/// The steps of a request, and the rows that they read.
class RowReaders {
public:
  /// `needed` are the steps with derivatives.
  RowReaders(const ComputationGraph &graph, const StepList &list,
             const std::vector<bool> &needed);

  const Node &getNode(int32_t step) const {
    return graph.getNodes()[list.steps[step].node];
  }
  int32_t getEpoch(int32_t step) const {
    return epochs.epochOf[list.steps[step].node];
  }
  /// The nodes of the epoch of the step.
  ArrayRef<int32_t> getEpochNodes(int32_t step) const {
    return epochs.nodes[getEpoch(step)];
  }
  /// Whether the rows of a time are not neighbours in the matrix, because its
  /// sequences are not innermost.
  bool isSpread(int32_t step) const {
    const IndexRows &rows = list.steps[step].rows;
    return rows.numSequences() > 1 && rows.block != 1;
  }
  bool hasDerivative(int32_t step) const { return needed[step]; }
  /// Whether steps of other epochs read rows of the step.
  bool isReadOutside(int32_t step) const { return readOutside[step]; }

  /// Calls `fn` for each row of a step.
  template <typename Fn> void forEachRow(int32_t step, Fn fn) const {
    for (int32_t id : list.getIds(step))
      if (id >= 0)
        fn(id);
  }
  /// Whether each row of the step depends on the same row of the step before.
  bool isSimpleComponent(int32_t step) const {
    return getNode(step).kind == Node::Kind::Component &&
           has(getNode(step).properties, ComponentProperties::Simple);
  }
  /// Calls `fn` for each row that the rows of a step read; a dim-range step is
  /// a view and reads none.
  template <typename Fn> void forEachRead(int32_t step, Fn fn) const {
    if (list.steps[step].source < 0)
      forEachRow(step, [&](int32_t id) {
        for (int32_t read : graph.getDependencies(id))
          fn(read);
      });
  }

private:
  const ComputationGraph &graph;
  const StepList &list;
  const std::vector<bool> &needed;
  NodeEpochs epochs;
  /// For each step.
  std::vector<bool> readOutside;
};

} // namespace mlir::nnet3

#endif // NNET3_LIB_COMPILE_ROUNDS_ROWREADERS_H
