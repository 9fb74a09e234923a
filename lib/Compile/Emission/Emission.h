//===- Emission.h - State of the command emitters ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_LIB_COMPILE_EMISSION_H
#define NNET3_LIB_COMPILE_EMISSION_H

#include "nnet3/Compile/CommandEmitter.h"

#include <map>

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

/// The computation under construction: its steps and their matrices.
struct Emission {
  Emission(OpBuilder &builder, NetworkOp network, const ComputationGraph &graph,
           const StepList &list, const EmitOptions &options)
      : builder(builder), network(network), graph(graph),
        nodes(graph.getNodes()), list(list), steps(list.steps),
        options(options), values(steps.size()), derivs(steps.size()),
        memos(steps.size()),
        needed(computeNeededDerivatives(graph, list, options.derivatives)),
        types(nodes.size()), views(nodes.size()) {}

  const Node &getNode(size_t s) const { return nodes[steps[s].node]; }
  Location getLoc(size_t s) const { return getNode(s).op->getLoc(); }
  bool isOutput(size_t s) const { return getNode(s).isOutput; }
  /// The recurrence with elided rounds that the step belongs to; null if none.
  const StepRounds *getRounds(size_t s) const {
    auto found = llvm::find_if(options.rounds, [&](const StepRounds &rounds) {
      return rounds.contains(s);
    });
    return found == options.rounds.end() ? nullptr : &*found;
  }
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
    ComponentOpInterface component = getNode(s).component;
    return SymbolRefAttr::get(
        network.getSymNameAttr(),
        {FlatSymbolRefAttr::get(SymbolTable::getSymbolName(component))});
  }
  /// Returns the columns of a descriptor's matrix for one of its parts.
  Value getPart(size_t s, Value matrix, const DescriptorPart &part) {
    if (getNode(s).parts.size() == 1)
      return matrix;
    return getView(s, matrix, &part - getNode(s).parts.data(), part.colOffset,
                   part.dim);
  }
  /// Returns the columns of the source's matrix for a dim-range step.
  Value getColumns(size_t s, Value source) {
    return getView(s, source, 0, getNode(s).dimOffset, getNode(s).dim);
  }
  /// Returns the matrix of a step; null if absent. In a recurrence with elided
  /// rounds it is a view of the step's stack, or for an elided round the matrix
  /// that the last round before them leaves in its place.
  Value getValue(size_t s);

  /// Returns the rows of `locations` in the matrices of their steps,
  /// `matrixOfStep`, in the order of first use.
  GatheredRows gatherRows(const LocationVector &locations,
                          ArrayRef<Value> matrixOfStep) const;
  /// Returns the rows that step `reader` reads at `locations`.
  GatheredRows gatherValues(size_t reader, const LocationVector &locations);

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
  /// The matrix of each step and that of its derivative; null if absent.
  std::vector<Value> values, derivs;
  /// The stacks of recurrences with elided rounds, by their first step.
  std::map<int32_t, Stack> stacks;
  /// The memo of each component step for its backward pass.
  std::vector<Value> memos;
  /// Steps that have a derivative.
  std::vector<bool> needed;

private:
  Stack &getStack(const StepRounds &rounds, size_t s);
  /// Returns a view of some columns, view number `number` of the node's steps.
  Value getView(size_t s, Value matrix, size_t number, int64_t colOffset,
                int64_t numCols);

  // The attributes and types created last for each node and view; the next time
  // step usually needs the same.
  struct View {
    MemRefType source, type;
    IntegerAttr rowOffset, colOffset;
  };
  std::vector<MemRefType> types;
  std::vector<SmallVector<View, 1>> views;
  FloatAttr factor;
};

/// Emits the commands of the backward pass, without its inputs and outputs, for
/// the steps in reverse order.
void emitBackwardCommands(Emission &emission);

} // namespace mlir::nnet3

#endif // NNET3_LIB_COMPILE_EMISSION_H
