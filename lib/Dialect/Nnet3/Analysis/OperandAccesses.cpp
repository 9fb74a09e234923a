//===- OperandAccesses.cpp - Accesses of one command ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spec: optimize.md 1.2. Accesses that depend on neither a component nor a
// table follow from the operation's memory effects.
//
//===----------------------------------------------------------------------===//

#include "nnet3/Dialect/Nnet3/Analysis/CommandAnalysis.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::nnet3;

using Accesses = SmallVector<OperandAccess, 4>;
using P = ComponentProperties;

static Access::Kind writeOrAdd(bool adds) {
  return adds ? Access::ReadWrite : Access::Write;
}

static Accesses ofPropagate(PropagateOp op, ComponentTable &components) {
  Accesses result;
  bool adds =
      has(components.getProperties(op.getComponent()), P::PropagateAdds);
  if (op.getInput())
    result.push_back({op.getInput(), Access::Read});
  result.push_back({op.getOutput(), writeOrAdd(adds)});
  return result;
}

static Accesses ofBackprop(BackpropOp op, ComponentTable &components) {
  Accesses result;
  bool adds = has(components.getProperties(op.getComponent()), P::BackpropAdds);
  for (Value value :
       {op.getInputValue(), op.getOutputValue(), op.getOutputDeriv()})
    if (value)
      result.push_back({value, Access::Read});
  if (Value inDeriv = op.getInputDeriv())
    result.push_back(
        {inDeriv, writeOrAdd(adds && inDeriv != op.getOutputDeriv())});
  return result;
}

/// A copy with table entries of "no row" writes zeros to those rows. That
/// counts as adding: row passes may split off a copy that does not touch those
/// rows.
static Accesses ofCopyRows(CopyRowsOp op) {
  return {{op.getSource(), Access::Read},
          {op.getDest(), writeOrAdd(op.getRows().hasNone())}};
}

static Accesses ofToRows(Value source, ValueRange dests) {
  Accesses result = {{source, Access::Read}};
  for (Value dest : dests)
    result.push_back({dest, Access::ReadWrite});
  return result;
}

/// Derives the accesses from the memory effects.
static Accesses ofEffects(Operation *op) {
  SmallVector<MemoryEffects::EffectInstance> effects;
  if (auto interface = dyn_cast<MemoryEffectOpInterface>(op))
    interface.getEffects(effects);
  Accesses result;
  for (const MemoryEffects::EffectInstance &effect : effects) {
    Value value = effect.getValue();
    bool reads = isa<MemoryEffects::Read>(effect.getEffect());
    if (!value || !isa<MemRefType>(value.getType()) ||
        (!reads && !isa<MemoryEffects::Write>(effect.getEffect())))
      continue;
    Access::Kind kind = reads ? Access::Read : Access::Write;
    auto *known = llvm::find_if(
        result, [&](const OperandAccess &a) { return a.value == value; });
    if (known == result.end())
      result.push_back({value, kind});
    else
      known->kind = Access::Kind(known->kind | kind);
  }
  return result;
}

Accesses mlir::nnet3::getOperandAccesses(Operation *op,
                                         ComponentTable &components) {
  // The most frequent commands come first and bypass the effects interface.
  return TypeSwitch<Operation *, Accesses>(op)
      .Case<MatrixAddOp, AddRowsOp>([](auto op) {
        return Accesses{{op.getSource(), Access::Read},
                        {op.getDest(), Access::ReadWrite}};
      })
      .Case([](MatrixCopyOp op) {
        return Accesses{{op.getSource(), Access::Read},
                        {op.getDest(), Access::Write}};
      })
      .Case([&](PropagateOp op) { return ofPropagate(op, components); })
      .Case([&](BackpropOp op) { return ofBackprop(op, components); })
      .Case([](AllocMatrixZeroedOp op) {
        return Accesses{{op.getResult(), Access::Write}};
      })
      .Case([](CopyRowsOp op) { return ofCopyRows(op); })
      .Case<CopyToRowsMultiOp, AddToRowsMultiOp>(
          [](auto op) { return ofToRows(op.getSource(), op.getDests()); })
      .Default([](Operation *op) { return ofEffects(op); });
}
