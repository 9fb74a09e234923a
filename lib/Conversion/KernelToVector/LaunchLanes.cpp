//===- LaunchLanes.cpp - Threads of a launch as lanes of vectors ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LaunchLanes.h"
#include "nnet3/Conversion/KernelToVector/BuilderUtils.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::kernel;

namespace {

/// Vectorises an innermost loop whose iterations do not depend on each other.
class LaneWriter {
public:
  LaneWriter(scf::ParallelOp loop, int64_t length)
      : loop(loop), length(length) {}

  /// Whether each operation has a vector form.
  bool canVectorize();
  void write();

private:
  /// How a value changes from one iteration to the next: constant, an index
  /// that grows by one, or otherwise.
  enum class Form { Same, Next, Any };

  Form getForm(Value value) const {
    auto known = forms.find(value);
    return known == forms.end() ? Form::Same : known->second;
  }
  std::optional<Form> getForm(Operation &op) const;
  std::optional<Form> getAccessForm(ValueRange indices) const;
  void write(ImplicitLocOpBuilder &b, Operation &op, IRMapping &mapping);
  Value getVector(ImplicitLocOpBuilder &b, Value value,
                  const IRMapping &mapping);
  Type getVectorType(Type element) const {
    return VectorType::get({length}, element);
  }

  scf::ParallelOp loop;
  int64_t length;
  DenseMap<Value, Form> forms; ///< only looked up
};

} // namespace

/// The form of an access to memory at `indices`; none if it has no vector form.
std::optional<LaneWriter::Form>
LaneWriter::getAccessForm(ValueRange indices) const {
  if (indices.empty())
    return std::nullopt;
  for (Value index : indices.drop_back())
    if (getForm(index) != Form::Same)
      return std::nullopt;
  switch (getForm(indices.back())) {
  case Form::Same:
    return Form::Same;
  case Form::Next:
    return Form::Any;
  case Form::Any:
    return std::nullopt;
  }
  llvm_unreachable("unknown form");
}

/// The form of the result of `op`; none if `op` has no vector form.
std::optional<LaneWriter::Form> LaneWriter::getForm(Operation &op) const {
  const bool isSame = llvm::all_of(op.getOperands(), [&](Value operand) {
    return getForm(operand) == Form::Same;
  });
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return getAccessForm(load.getIndices());
  if (auto store = dyn_cast<memref::StoreOp>(op)) {
    auto form = getAccessForm(store.getIndices());
    return form == Form::Any ? form : std::nullopt;
  }
  if (auto prefetch = dyn_cast<memref::PrefetchOp>(op))
    return getAccessForm(prefetch.getIndices());
  if (op.getNumRegions() > 0 || op.getNumResults() != 1 ||
      !isMemoryEffectFree(&op))
    return std::nullopt;
  if (isSame)
    return Form::Same;
  if (op.getResult(0).getType().isIndex()) {
    // Adding a loop-invariant number keeps the step of one.
    const bool isNext = isa<arith::AddIOp>(op) &&
                        llvm::count_if(op.getOperands(), [&](Value operand) {
                          return getForm(operand) == Form::Next;
                        }) == 1;
    return isNext ? std::optional(Form::Next) : std::nullopt;
  }
  const bool takesIndexes = llvm::any_of(
      op.getOperandTypes(), [](Type type) { return type.isIndex(); });
  if (takesIndexes || !op.hasTrait<OpTrait::Vectorizable>())
    return std::nullopt;
  return Form::Any;
}

bool LaneWriter::canVectorize() {
  if (loop.getNumLoops() != 1 || !loop.getInitVals().empty() ||
      getConstantIntValue(loop.getLowerBound()[0]) != 0 ||
      getConstantIntValue(loop.getStep()[0]) != 1)
    return false;
  if (auto end = getConstantIntValue(loop.getUpperBound()[0]);
      end && *end < length)
    return false;
  forms[loop.getInductionVars()[0]] = Form::Next;
  for (Operation &op : loop.getBody()->without_terminator()) {
    auto form = getForm(op);
    if (!form)
      return false;
    for (Value result : op.getResults())
      forms[result] = *form;
  }
  return true;
}

Value LaneWriter::getVector(ImplicitLocOpBuilder &b, Value value,
                            const IRMapping &mapping) {
  Value mapped = mapping.lookupOrDefault(value);
  if (getForm(value) == Form::Any)
    return mapped;
  return vector::BroadcastOp::create(b, getVectorType(value.getType()), mapped);
}

void LaneWriter::write(ImplicitLocOpBuilder &b, Operation &op,
                       IRMapping &mapping) {
  auto getIndices = [&](ValueRange indices) {
    return llvm::map_to_vector(
        indices, [&](Value index) { return mapping.lookupOrDefault(index); });
  };
  if (auto store = dyn_cast<memref::StoreOp>(op)) {
    vector::StoreOp::create(b, getVector(b, store.getValueToStore(), mapping),
                            mapping.lookupOrDefault(store.getMemRef()),
                            getIndices(store.getIndices()));
    return;
  }
  // A prefetch of the first lane is one of all.
  if (isa<memref::PrefetchOp>(op) || getForm(op.getResult(0)) != Form::Any) {
    b.clone(op, mapping);
    return;
  }
  if (auto load = dyn_cast<memref::LoadOp>(op)) {
    auto type = cast<VectorType>(getVectorType(load.getType()));
    mapping.map(load.getResult(),
                vector::LoadOp::create(
                    b, type, mapping.lookupOrDefault(load.getMemRef()),
                    getIndices(load.getIndices())));
    return;
  }
  auto operands = llvm::map_to_vector(op.getOperands(), [&](Value operand) {
    return getVector(b, operand, mapping);
  });
  Operation *copy =
      clone(b, &op, getVectorType(op.getResult(0).getType()), operands);
  mapping.map(op.getResult(0), copy->getResult(0));
}

void LaneWriter::write() {
  ImplicitLocOpBuilder b(loop.getLoc(), loop);
  Value zero = loop.getLowerBound()[0], end = loop.getUpperBound()[0];
  Value whole = arith::SubIOp::create(b, end, remIndex(b, end, length));
  Block &body = *loop.getBody();
  forEachStep(b, zero, whole, length, [&](Value first) {
    IRMapping mapping;
    mapping.map(loop.getInductionVars()[0], first);
    for (Operation &op : body.without_terminator())
      write(b, op, mapping);
  });
  if (auto constant = getConstantIntValue(end);
      !constant || *constant % length != 0)
    forEachStep(b, whole, end, 1, [&](Value point) {
      IRMapping mapping;
      mapping.map(loop.getInductionVars()[0], point);
      for (Operation &op : body.without_terminator())
        b.clone(op, mapping);
    });
  loop.erase();
}

void kernel::vectorizeThreads(Operation *root, TargetAttr target) {
  if (target.isScalable())
    return;
  SmallVector<scf::ParallelOp> loops;
  root->walk([&](scf::ParallelOp loop) { loops.push_back(loop); });
  for (scf::ParallelOp loop : loops)
    if (LaneWriter writer(loop, target.getVectorLength());
        writer.canVectorize())
      writer.write();
}
