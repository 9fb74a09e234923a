//===- CommandEmitter.cpp - Commands of a computation ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Emission.h"
#include "nnet3/Compile/RowTableBuilder.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace {
class CommandEmitter {
public:
  explicit CommandEmitter(Emission &e) : e(e), builder(e.builder) {}

  void run();

private:
  template <typename OpTy> Value createMatrix(size_t s, bool isDeriv);
  void acceptInputs();
  void allocateMatrices();
  void provideOutputs();
  void acceptDerivatives();
  void deallocateMatrices();
  void provideDerivatives();
  void createStack(const StepRounds &rounds, size_t s);
  void emitStep(size_t s);
  void emitElided(const StepRounds &rounds);
  void emitPropagate(size_t s);
  void emitPart(size_t s, const DescriptorPart &part);
  void emitAdd(size_t s, const LocationVector &vector, Value dest, float alpha);

  Emission &e;
  OpBuilder &builder;
};
} // namespace

void CommandEmitter::run() {
  acceptInputs();
  allocateMatrices();
  NoOperationPermanentOp::create(builder, e.network.getLoc());
  for (size_t s = 0; s < e.steps.size(); ++s) {
    const StepRounds *rounds = e.getRounds(s);
    if (!rounds || !rounds->isElided(s)) {
      emitStep(s);
      continue;
    }
    emitElided(*rounds);
    s += rounds->numElided * rounds->period - 1;
  }
  provideOutputs();
  NoOperationMarkerOp::create(builder, e.network.getLoc());
  acceptDerivatives();
  emitBackwardCommands(e);
  if (!e.options.derivatives.inputs.empty())
    NoOperationPermanentOp::create(builder, e.network.getLoc());
  deallocateMatrices();
  provideDerivatives();
}

//===----------------------------------------------------------------------===//
// Matrices
//===----------------------------------------------------------------------===//

/// Creates a matrix for the value or the derivative of a step.
template <typename OpTy>
Value CommandEmitter::createMatrix(size_t s, bool isDeriv) {
  OpTy op;
  if constexpr (std::is_same_v<OpTy, AcceptInputOp>)
    op = OpTy::create(builder, e.getLoc(s), e.getType(s), e.getNode(s).name);
  else
    op = OpTy::create(builder, e.getLoc(s), e.getType(s));
  e.attachStride(op, s);
  if (e.options.debugInfo) {
    op->setAttr(kDebugNodeAttr, builder.getStringAttr(e.getNode(s).name));
    op->setAttr(kDebugIndexesAttr, IndexesAttr::get(builder.getContext(),
                                                    e.steps[s].rows.expand()));
    if (isDeriv)
      op->setAttr(kDebugDerivAttr, builder.getUnitAttr());
  }
  return op.getResult();
}

void CommandEmitter::acceptInputs() {
  for (size_t s = 0; s < e.steps.size(); ++s)
    if (e.steps[s].isInput)
      e.values[s] = createMatrix<AcceptInputOp>(s, /*isDeriv=*/false);
}

/// Dim-range steps are views and get theirs when their source has a matrix; the
/// derivatives of outputs come from the caller.
void CommandEmitter::allocateMatrices() {
  for (size_t s = 0; s < e.steps.size(); ++s) {
    if (e.steps[s].source >= 0 || e.steps[s].rows.size() == 0)
      continue;
    if (const StepRounds *rounds = e.getRounds(s)) {
      const bool isFirst = rounds->getRound(s) == 0;
      if (isFirst && rounds->isStacked(s))
        createStack(*rounds, s);
      if (rounds->isStacked(s) || rounds->isElided(s))
        continue;
    }
    if (!e.steps[s].isInput)
      e.values[s] = createMatrix<AllocMatrixZeroedOp>(s, /*isDeriv=*/false);
    if (e.needed[s] && !e.isOutput(s))
      e.derivs[s] = createMatrix<AllocMatrixZeroedOp>(s, /*isDeriv=*/true);
  }
}

/// Creates the matrix of step `s` of all rounds.
void CommandEmitter::createStack(const StepRounds &rounds, size_t s) {
  auto type =
      MemRefType::get({e.steps[s].rows.size() * rounds.count, e.getNode(s).dim},
                      builder.getF32Type());
  e.stacks[s].matrix = AllocMatrixZeroedOp::create(builder, e.getLoc(s), type);
}

void CommandEmitter::provideOutputs() {
  for (size_t s = 0; s < e.steps.size(); ++s)
    if (e.isOutput(s))
      ProvideOutputOp::create(builder, e.getLoc(s), e.getNode(s).name,
                              e.values[s]);
}

/// In reverse order, like the backward pass; derivatives of dim-range steps are
/// views of the derivatives that exist by now.
void CommandEmitter::acceptDerivatives() {
  for (size_t s = e.steps.size(); s-- > 0;)
    if (e.needed[s] && e.isOutput(s))
      e.derivs[s] = createMatrix<AcceptInputOp>(s, /*isDeriv=*/true);
  for (size_t s = 0; s < e.steps.size(); ++s)
    if (e.needed[s] && e.steps[s].source >= 0)
      e.derivs[s] = e.getColumns(s, e.derivs[e.steps[s].source]);
}

/// Frees all matrices except the outputs of the computation.
void CommandEmitter::deallocateMatrices() {
  for (size_t s = 0; s < e.steps.size(); ++s) {
    if (e.steps[s].source >= 0)
      continue;
    const StepRounds *rounds = e.getRounds(s);
    if (rounds && rounds->isStacked(s)) {
      if (rounds->getRound(s) == 0)
        DeallocMatrixOp::create(builder, e.getLoc(s), e.stacks[s].matrix);
      continue;
    }
    if (e.values[s] && !e.isOutput(s))
      DeallocMatrixOp::create(builder, e.getLoc(s), e.values[s]);
    if (e.derivs[s] && !e.steps[s].isInput)
      DeallocMatrixOp::create(builder, e.getLoc(s), e.derivs[s]);
  }
}

void CommandEmitter::provideDerivatives() {
  for (size_t s = e.steps.size(); s-- > 0;)
    if (e.derivs[s] && e.steps[s].isInput)
      ProvideOutputOp::create(builder, e.getLoc(s), e.getNode(s).name,
                              e.derivs[s]);
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

void CommandEmitter::emitStep(size_t s) {
  const Node &node = e.getNode(s);
  if (e.steps[s].isInput)
    return;
  switch (node.kind) {
  case Node::Kind::Input:
    return;
  case Node::Kind::DimRange:
    e.getValue(s);
    return;
  case Node::Kind::Component:
    emitPropagate(s);
    return;
  case Node::Kind::Descriptor:
    if (e.getValue(s))
      for (const DescriptorPart &part : node.parts)
        emitPart(s, part);
    return;
  }
}

/// Emits the operation that stands for the elided rounds: it writes their rows
/// of the stacks.
void CommandEmitter::emitElided(const StepRounds &rounds) {
  SmallVector<Value> written;
  for (int32_t s = rounds.begin; s < rounds.begin + rounds.period; ++s) {
    if (!rounds.isStacked(s) || e.steps[s].source >= 0)
      continue;
    const int64_t numRows = e.steps[s].rows.size();
    written.push_back(SubMatrixOp::create(
        builder, e.getLoc(s), e.stacks[s].matrix, rounds.firstElided * numRows,
        rounds.numElided * numRows, 0, e.getNode(s).dim));
  }
  ElidedRoundsOp::create(builder, e.getLoc(rounds.begin), rounds.numElided,
                         written);
}

void CommandEmitter::emitPropagate(size_t s) {
  const Node &node = e.getNode(s);
  ComponentOpInterface component = node.component;
  auto precomputed = component.precomputeIndexes(
      e.steps[s - 1].rows, e.steps[s].rows, /*needBackprop=*/false);
  bool storesStats = e.options.storeStats &&
                     has(node.properties, ComponentProperties::StoresStats);
  bool leavesMemo = has(node.properties, ComponentProperties::UsesMemo) &&
                    (storesStats || e.needed[s]);
  Type memoType =
      leavesMemo ? Type(MemoType::get(builder.getContext())) : Type();
  auto propagate =
      PropagateOp::create(builder, e.getLoc(s), memoType, e.getComponent(s),
                          e.getValue(s - 1), e.getValue(s), precomputed,
                          /*draw=*/IntegerAttr());
  if (precomputed)
    e.attachRows(propagate, s, /*needBackprop=*/false);
  if (storesStats)
    StoreStatsOp::create(builder, e.getLoc(s), e.getComponent(s),
                         e.getValue(s - 1), e.getValue(s), propagate.getMemo(),
                         /*draw=*/IntegerAttr());
  if (e.needed[s])
    e.memos[s] = propagate.getMemo();
}

void CommandEmitter::emitPart(size_t s, const DescriptorPart &part) {
  Value dest = e.getPart(s, e.getValue(s), part);
  if (float constant = part.sum.getConstant(); constant != 0)
    SetConstOp::create(builder, e.getLoc(s), dest, e.getFactor(constant));
  for (const ScaledVector &vector :
       getVectors(e.graph, e.list, e.steps[s], part,
                  [](const RowLocation &) { return true; }))
    emitAdd(s, vector.locations, dest, vector.alpha);
}

void CommandEmitter::emitAdd(size_t s, const LocationVector &vector, Value dest,
                             float alpha) {
  const GatheredRows sources = e.gatherValues(s, vector);
  const IndexRows &rows = e.steps[s].rows;
  FloatAttr factor = e.getFactor(alpha);
  const bool hasOneSource = sources.matrices.size() == 1;
  if (hasOneSource &&
      isIdentity(sources.entries, rows, *sources.rows.front())) {
    MatrixAddOp::create(builder, e.getLoc(s), sources.matrices.front(), dest,
                        factor);
    return;
  }
  RowTableAttr table =
      buildRowTable(builder.getContext(), sources.entries, rows, sources.rows);
  if (hasOneSource)
    AddRowsOp::create(builder, e.getLoc(s), sources.matrices.front(), table,
                      dest, factor);
  else
    AddRowsMultiOp::create(builder, e.getLoc(s), sources.matrices, table, dest,
                           factor);
}

void mlir::nnet3::emitCommands(OpBuilder &builder, NetworkOp network,
                               const ComputationGraph &graph,
                               const StepList &steps,
                               const EmitOptions &options) {
  Emission emission(builder, network, graph, steps, options);
  CommandEmitter(emission).run();
}
