//===- Emission.h - State of the command emitters ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_LIB_COMPILE_EMISSION_H
#define NNET3_LIB_COMPILE_EMISSION_H

#include "nnet3/Compile/CommandEmitter.h"
#include "nnet3/Compile/StackSteps.h"
#include "nnet3/Dialect/Nnet3/IR/MatrixLayout.h"

namespace mlir::nnet3 {

/// The rows that one command reads or writes: the matrices of the steps that
/// contain them, the rows of these steps, and an entry for each location, which
/// is none if it has no step.
struct GatheredRows {
  SmallVector<Value> matrices;
  SmallVector<const IndexRows *> rows;
  SmallVector<RowRef> entries;
};

/// The matrices of a step in all rounds of a recurrence, as one matrix.
struct Stack {
  Value matrix;
  IndexRows rows;
};

/// The matrices with the values of the steps, or with their derivatives.
struct StepMatrices {
  bool areDerivs;
  /// The matrix of each step; null if absent or not used yet.
  std::vector<Value> matrices;
  StackSteps stackSteps;
  /// The stacks that are used, by the steps that identify them.
  std::map<int32_t, Stack> stacks;

  bool areStacked(const StepRounds &rounds, size_t s) const {
    const auto &stacked =
        areDerivs ? rounds.stackedDerivs : rounds.stackedValues;
    return stacked[rounds.getNumber(s)];
  }
  const ElidedRounds *getElided(const StepRounds &rounds, size_t s) const {
    return rounds.getElided(s, /*isBackward=*/areDerivs);
  }
};

/// The computation under construction: its steps and their matrices.
struct Emission {
  Emission(OpBuilder &builder, NetworkOp network, const ComputationGraph &graph,
           const StepList &list, const EmitOptions &options)
      : builder(builder), network(network), graph(graph),
        nodes(graph.getNodes()), list(list), steps(list.steps),
        options(options), needed(options.needed),
        values{/*areDerivs=*/false,
               std::vector<Value>(steps.size()),
               StackSteps(list, options.rounds, /*ofDerivs=*/false),
               {}},
        derivs{/*areDerivs=*/true,
               std::vector<Value>(steps.size()),
               StackSteps(list, options.rounds, /*ofDerivs=*/true),
               {}},
        memos(steps.size()), roundsOf(steps.size()), types(nodes.size()),
        components(nodes.size()) {
    for (const StepRounds &rounds : options.rounds)
      std::fill(roundsOf.begin() + rounds.begin,
                roundsOf.begin() + rounds.end(), &rounds);
  }

  const Node &getNode(size_t s) const { return nodes[steps[s].node]; }
  Location getLoc(size_t s) const { return getNode(s).op->getLoc(); }
  bool isOutput(size_t s) const { return getNode(s).isOutput; }
  /// The recurrence with elided rounds that the step belongs to; null if none.
  const StepRounds *getRounds(size_t s) const { return roundsOf[s]; }
  /// The type of the matrix of a step.
  MemRefType getType(size_t s) {
    int64_t rows = steps[s].rows.size();
    MemRefType &type = types[steps[s].node];
    if (!type || type.getDimSize(0) != rows)
      type = MemRefType::get({rows, getNode(s).dim}, builder.getF32Type());
    return type;
  }
  FloatAttr getFactor(float alpha) {
    if (!factor || !factor.getValue().bitwiseIsEqual(APFloat(alpha)))
      factor = builder.getF32FloatAttr(alpha);
    return factor;
  }
  SymbolRefAttr getComponent(size_t s) {
    SymbolRefAttr &known = components[steps[s].node];
    if (!known) {
      StringAttr name = SymbolTable::getSymbolName(getNode(s).component);
      known = SymbolRefAttr::get(network.getSymNameAttr(),
                                 {FlatSymbolRefAttr::get(name)});
    }
    return known;
  }
  /// Returns the columns of a descriptor's matrix for one of its parts.
  Value getPart(size_t s, Value matrix, const DescriptorPart &part) {
    if (getNode(s).parts.size() == 1)
      return matrix;
    return getView(getLoc(s), matrix, 0, steps[s].rows.size(), part.colOffset,
                   part.dim);
  }
  /// Returns the columns of the source's matrix for a dim-range step.
  Value getColumns(size_t s, Value source) {
    return getView(getLoc(s), source, 0, steps[s].rows.size(),
                   getNode(s).dimOffset, getNode(s).dim);
  }
  /// Returns the matrix of a step; null if absent. In a recurrence with elided
  /// rounds it is a view of the step's stack, or for an elided round the matrix
  /// that the last round before them leaves in its place, or in the backward
  /// pass finds there.
  Value getMatrix(StepMatrices &its, size_t s);
  Value getValue(size_t s) { return getMatrix(values, s); }
  Value getDeriv(size_t s) { return getMatrix(derivs, s); }
  /// Returns the stack that a step identifies (`StackSteps`).
  Stack &getStack(StepMatrices &its, int32_t stackStep);
  /// Returns the rows that elided rounds have in the stack of a step of the
  /// first round.
  StepRows getElidedRows(const ElidedRounds &elided, int32_t first) const {
    const int64_t numRows = steps[first].rows.rows.size();
    return {first, elided.first * numRows, elided.count * numRows};
  }
  /// Returns a view of the rows.
  Value getRows(StepMatrices &its, const StepRows &rows);

  /// Returns the locations that commands for part `part` of a descriptor step
  /// read, or add to in the backward pass. In stacks, unless the step is part
  /// of rounds: they use views, which move from round to round.
  std::vector<ScaledVector> getVectors(const StepMatrices &its, size_t s,
                                       const DescriptorPart &part);
  /// Whether the commands for step `s` use stacks.
  bool usesStacks(size_t s) const {
    return !options.rounds.empty() && !getRounds(s);
  }
  /// Returns the step that identifies the matrix, or stack, of which rows of
  /// `step` are a view for commands of step `s`; `step` itself if they are
  /// none.
  int32_t getOwner(const StepMatrices &its, size_t s, int32_t step) const {
    while (steps[step].source >= 0) {
      step = steps[step].source;
      if (usesStacks(s) && its.stackSteps.get(step) >= 0)
        step = its.stackSteps.get(step);
    }
    return step;
  }
  /// Returns the rows of such locations in their matrices, which are in the
  /// order of first use.
  GatheredRows gather(StepMatrices &its, size_t s,
                      const LocationVector &locations);

  /// If the computation must be expandable, attaches the distance of sequences
  /// to the definition of the matrix of step `s`, if it is constant.
  void attachStride(Operation *definition, size_t s);
  /// If the computation must be expandable, attaches its rows to a component
  /// command with precomputed data.
  void attachRows(Operation *command, size_t s, bool needBackprop);

  OpBuilder &builder;
  NetworkOp network;
  const ComputationGraph &graph;
  const NodeTable &nodes;
  const StepList &list;
  ArrayRef<Step> steps;
  const EmitOptions &options;
  /// Steps that have a derivative.
  const std::vector<bool> &needed;
  StepMatrices values, derivs;
  /// The memo of each component step for its backward pass.
  std::vector<Value> memos;

private:
  /// Returns a view of some rows and columns of a matrix.
  Value getView(Location loc, Value matrix, int64_t row, int64_t numRows,
                int64_t column, int64_t numCols);

  /// The rounds that each step is part of; null if none.
  std::vector<const StepRounds *> roundsOf;
  /// The type created last for each node; the next step usually has the same.
  std::vector<MemRefType> types;
  ViewTypes viewTypes;
  /// Of each node; null if not used yet.
  std::vector<SymbolRefAttr> components;
  FloatAttr factor;
};

/// Emits the commands of the backward pass, without its inputs and outputs, for
/// the steps in reverse order.
void emitBackwardCommands(Emission &emission);

} // namespace mlir::nnet3

#endif // NNET3_LIB_COMPILE_EMISSION_H
