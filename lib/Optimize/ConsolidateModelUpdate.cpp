//===- ConsolidateModelUpdate.cpp - One update per component --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spec: optimize.md 4.2. A recurrence runs the backward pass of each component
// once per frame; one update with the rows of all frames replaces many small
// matmuls by one large one.
//
//===----------------------------------------------------------------------===//

#include "nnet3/Dialect/Nnet3/Analysis/ComponentTable.h"
#include "nnet3/Dialect/Nnet3/Analysis/MatrixWindow.h"
#include "nnet3/Dialect/Nnet3/Analysis/PassCount.h"
#include "nnet3/Dialect/Nnet3/IR/DebugInfo.h"
#include "nnet3/Optimize/Passes.h"

#include "llvm/ADT/MapVector.h"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3CONSOLIDATEMODELUPDATE
#include "nnet3/Optimize/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;
using P = ComponentProperties;

namespace {
struct ConsolidateModelUpdate
    : public nnet3::impl::Nnet3ConsolidateModelUpdateBase<
          ConsolidateModelUpdate> {
  void runOnCommands() override {
    ComponentTable components(getOperation());
    llvm::MapVector<Attribute, SmallVector<BackpropOp>> updates;
    for (Operation &command : getOperation().getBody().front()) {
      auto op = dyn_cast<BackpropOp>(command);
      if (!op)
        continue;
      P properties = components.getProperties(op.getComponent());
      if (op.getUpdate() && has(properties, P::Simple) &&
          !has(properties, P::UsesMemo))
        updates[op.getComponent()].push_back(op);
    }
    updates.remove_if([](auto &entry) { return entry.second.size() < 2; });
    if (updates.empty())
      markAllAnalysesPreserved();
    for (auto &[component, ops] : updates)
      consolidate(ops);
  }

private:
  /// Returns the attribute with the distance of sequences if all matrices have
  /// the same one; else null.
  static Attribute getSequenceStride(ArrayRef<BackpropOp> ops,
                                     function_ref<Value(BackpropOp)> get) {
    auto strideOf = [&](BackpropOp op) {
      Value matrix = MatrixWindow::get(get(op)).matrix;
      return matrix.getDefiningOp()->getAttr(kSequenceStrideAttr);
    };
    Attribute stride = strideOf(ops.front());
    bool isSame = llvm::all_of(
        ops, [&](BackpropOp op) { return strideOf(op) == stride; });
    return isSame ? stride : Attribute();
  }

  /// Creates a matrix with the rows of all matrices that `get` returns, copied
  /// just before the commands; null if they have none.
  Value concatenate(ArrayRef<BackpropOp> ops,
                    function_ref<Value(BackpropOp)> get) {
    if (!get(ops.front()))
      return Value();
    int64_t rows = 0;
    for (BackpropOp op : ops)
      rows += cast<MemRefType>(get(op).getType()).getDimSize(0);
    auto type = cast<MemRefType>(get(ops.front()).getType());
    OpBuilder builder =
        OpBuilder::atBlockBegin(&getOperation().getBody().front());
    Value all = AllocMatrixZeroedOp::create(
        builder, BackpropOp(ops.front()).getLoc(),
        MemRefType::get({rows, type.getDimSize(1)}, type.getElementType()));
    if (Attribute stride = getSequenceStride(ops, get))
      all.getDefiningOp()->setAttr(kSequenceStrideAttr, stride);
    int64_t row = 0;
    for (BackpropOp op : ops) {
      Value part = get(op);
      int64_t count = cast<MemRefType>(part.getType()).getDimSize(0);
      builder.setInsertionPoint(op);
      Value slice = SubMatrixOp::create(builder, op.getLoc(), all, row, count,
                                        0, type.getDimSize(1));
      MatrixCopyOp::create(builder, op.getLoc(), part, slice,
                           builder.getF32FloatAttr(1));
      row += count;
    }
    return all;
  }

  void consolidate(ArrayRef<BackpropOp> ops) {
    Value inputs = concatenate(ops, [](auto op) { return op.getInputValue(); });
    Value outputs =
        concatenate(ops, [](auto op) { return op.getOutputValue(); });
    Value derivs =
        concatenate(ops, [](auto op) { return op.getOutputDeriv(); });
    OpBuilder builder(&getContext());
    builder.setInsertionPointAfter(getLastBackprop());
    BackpropOp first = ops.front();
    Location loc = first.getLoc();
    BackpropOp::create(builder, loc, first.getComponent(), inputs, outputs,
                       derivs, /*input_deriv=*/Value(),
                       /*memo=*/Value(), /*precomputed=*/DictionaryAttr(),
                       /*update=*/true, /*draw=*/IntegerAttr());
    for (Value matrix : {inputs, outputs, derivs})
      if (matrix)
        DeallocMatrixOp::create(builder, loc, matrix);
    for (BackpropOp op : ops) {
      op.setUpdate(false);
      // A backprop without update and input derivative is dead.
      if (!op.getInputDeriv())
        op.erase();
    }
    ++numConsolidated;
    numCommands += ops.size() - 1;
  }

  Operation *getLastBackprop() {
    for (Operation &op : llvm::reverse(getOperation().getBody().front()))
      if (isa<BackpropOp>(op))
        return &op;
    llvm_unreachable("there are backprop commands");
  }

  PassCount numConsolidated{"components consolidated"};
  PassCount numCommands{"updates saved"};
};
} // namespace
