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
  explicit CommandEmitter(Emission &e) : e(e), builder(e.builder) {
    for (size_t s = 0; s < e.steps.size(); ++s)
      if (e.steps[s].isInput || e.isOutput(s))
        ioSteps.push_back(s);
  }

  void run();

private:
  template <typename OpTy> Value createMatrix(size_t s, bool isDeriv);
  void own(size_t s, Value matrix, bool isDeriv);
  void acceptInputs();
  void allocateMatrices();
  void provideOutputs();
  void acceptDerivatives();
  void deallocateMatrices();
  void provideDerivatives();
  void allocate(StepMatrices &its, size_t s);
  void emitStep(size_t s);
  void emitElided(const StepRounds &rounds);
  void emitKept(const StepRounds &rounds);
  void emitPropagate(size_t s);
  void emitPart(size_t s, const DescriptorPart &part);
  void emitAdd(size_t s, const LocationVector &vector, Value dest, float alpha);

  Emission &e;
  OpBuilder &builder;
  /// The steps of the computation's inputs and outputs.
  SmallVector<size_t> ioSteps;
  /// The matrices to free at the end, with the steps that they belong to.
  std::vector<std::pair<size_t, Value>> owned;
};
} // namespace

void CommandEmitter::run() {
  acceptInputs();
  allocateMatrices();
  NoOperationPermanentOp::create(builder, e.network.getLoc());
  for (size_t s = 0; s < e.steps.size(); ++s) {
    const StepRounds *rounds = e.getRounds(s);
    if (rounds && e.values.getElided(*rounds, s)) {
      emitElided(*rounds);
      s += rounds->forward.count * rounds->period - 1;
      continue;
    }
    emitStep(s);
    if (rounds && int32_t(s) == rounds->end() - 1)
      emitKept(*rounds);
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
  own(s, op.getResult(), isDeriv);
  return op.getResult();
}

/// Frees the matrix at the end, unless it is an output of the computation.
void CommandEmitter::own(size_t s, Value matrix, bool isDeriv) {
  if (isDeriv ? !e.steps[s].isInput : !e.isOutput(s))
    owned.push_back({s, matrix});
}

void CommandEmitter::acceptInputs() {
  for (size_t s : ioSteps)
    if (e.steps[s].isInput)
      e.values.matrices[s] = createMatrix<AcceptInputOp>(s, /*isDeriv=*/false);
}

/// Dim-range steps are views and get theirs when their source has a matrix; the
/// derivatives of outputs come from the caller.
void CommandEmitter::allocateMatrices() {
  for (size_t s = 0; s < e.steps.size(); ++s) {
    if (e.steps[s].source >= 0 || e.steps[s].rows.size() == 0)
      continue;
    if (!e.steps[s].isInput)
      allocate(e.values, s);
    if (e.needed[s] && !e.isOutput(s))
      allocate(e.derivs, s);
  }
}

/// Creates the matrix of a step. The first round creates a stack.
void CommandEmitter::allocate(StepMatrices &its, size_t s) {
  const StepRounds *rounds = e.getRounds(s);
  if (rounds && its.getElided(*rounds, s))
    return;
  if (rounds && its.areStacked(*rounds, s)) {
    if (rounds->getRound(s) > 0)
      return;
    auto type = MemRefType::get(
        {e.steps[s].rows.size() * rounds->count, e.getNode(s).dim},
        builder.getF32Type());
    Value stack = AllocMatrixZeroedOp::create(builder, e.getLoc(s), type);
    own(s, stack, its.areDerivs);
    its.stacks[s].matrix = stack;
  } else {
    its.matrices[s] = createMatrix<AllocMatrixZeroedOp>(s, its.areDerivs);
  }
}

void CommandEmitter::provideOutputs() {
  for (size_t s : ioSteps)
    if (e.isOutput(s))
      ProvideOutputOp::create(builder, e.getLoc(s), e.getNode(s).name,
                              e.getValue(s));
}

/// In reverse order, like the backward pass.
void CommandEmitter::acceptDerivatives() {
  for (size_t s : llvm::reverse(ioSteps))
    if (e.needed[s] && e.isOutput(s))
      e.derivs.matrices[s] = createMatrix<AcceptInputOp>(s, /*isDeriv=*/true);
}

/// Frees all matrices except the outputs of the computation, in the order of
/// the steps.
void CommandEmitter::deallocateMatrices() {
  llvm::stable_sort(owned, llvm::less_first());
  for (auto [s, matrix] : owned)
    DeallocMatrixOp::create(builder, e.getLoc(s), matrix);
}

void CommandEmitter::provideDerivatives() {
  for (size_t s : llvm::reverse(ioSteps))
    if (e.needed[s] && e.steps[s].isInput)
      ProvideOutputOp::create(builder, e.getLoc(s), e.getNode(s).name,
                              e.getDeriv(s));
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
    // Readers use the columns of a stack, which are one view.
    if (e.getRounds(s) || e.values.stackSteps.get(s) < 0)
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

/// Emits the operation that stands for the elided rounds.
void CommandEmitter::emitElided(const StepRounds &rounds) {
  SmallVector<Value> read, written;
  for (const StepRows &rows : rounds.forward.read)
    read.push_back(e.getRows(e.values, rows));
  for (int32_t s = rounds.begin; s < rounds.getStep(1); ++s)
    if (e.values.areStacked(rounds, s) && e.steps[s].source < 0)
      written.push_back(
          e.getRows(e.values, e.getElidedRows(rounds.forward, s)));
  ElidedRoundsOp::create(builder, e.getLoc(rounds.begin), rounds.forward.count,
                         read, written);
}

/// Reads values of all rounds of which later commands read only some.
void CommandEmitter::emitKept(const StepRounds &rounds) {
  SmallVector<Value> kept;
  for (int32_t s = rounds.begin; s < rounds.getStep(1); ++s)
    if (rounds.partlyRead[rounds.getNumber(s)])
      kept.push_back(e.getStack(e.values, s).matrix);
  if (!kept.empty())
    KeepRowsOp::create(builder, e.getLoc(rounds.begin), kept);
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
  for (const ScaledVector &vector : e.getVectors(e.values, s, part))
    emitAdd(s, vector.locations, dest, vector.alpha);
}

void CommandEmitter::emitAdd(size_t s, const LocationVector &vector, Value dest,
                             float alpha) {
  const GatheredRows sources = e.gather(e.values, s, vector);
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
