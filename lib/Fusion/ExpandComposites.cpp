//===- ExpandComposites.cpp - Expand composite components -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Arithmetic/KernelInterfaces.h"
#include "nnet3/Arithmetic/Preconditioning.h"
#include "nnet3/Arithmetic/StatisticsInterface.h"
#include "nnet3/Dialect/Nnet3/Analysis/ComponentTable.h"
#include "nnet3/Dialect/Nnet3/Analysis/MatrixWindow.h"
#include "nnet3/Dialect/Nnet3/Analysis/PassCount.h"
#include "nnet3/Dialect/Nnet3/IR/CommandOps.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"
#include "nnet3/Dialect/Nnet3/IR/MatrixLayout.h"
#include "nnet3/Fusion/Passes.h"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3EXPANDCOMPOSITES
#include "nnet3/Fusion/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;
using P = ComponentProperties;

namespace {
/// A composite component and the rules for expanding its commands.
struct Composite {
  explicit Composite(CompositeOp op)
      : op(op),
        parts(llvm::to_vector_of<ComponentOpInterface>(op.getComponents())) {}

  bool has(P property) const {
    return has(cast<ComponentOpInterface>(op), property);
  }
  static bool has(ComponentOpInterface part, P property) {
    return mlir::nnet3::has(part.getComponentProperties(), property);
  }
  /// Number of rows that go through all parts at once. Chunks of rows are
  /// equivalent if each row is computed independently and a backward pass
  /// neither updates parameters nor keeps statistics.
  int64_t getRowsAtOnce(int64_t rows, bool isBackward, bool updates) const;

  Operation *op;
  SmallVector<ComponentOpInterface> parts;
};

struct ExpandComposites
    : public nnet3::impl::Nnet3ExpandCompositesBase<ExpandComposites> {
  using Base::Base;
  void runOnCommands() override;

private:
  /// On CPUs the runtime runs parts without generated code.
  bool canExpand(const Composite &composite) {
    auto hasCode = [&](Operation *part) { return hasKernel(part, device); };
    return device ? llvm::all_of(composite.parts, hasCode)
                  : llvm::any_of(composite.parts, hasCode);
  }
  void expand(PropagateOp op, const Composite &composite);
  void expand(BackpropOp op, const Composite &composite);

  PassCount numExpanded{"components expanded"};
};

/// Creates the commands of the parts for a slice of a command's rows.
class Expansion {
public:
  /// `op` is a `propagate` or a `backprop`.
  template <typename OpTy>
  Expansion(OpTy op, const Composite &composite, int64_t first, int64_t rows)
      : builder(op), op(op), name(op.getComponent()), draw(op.getDrawAttr()),
        composite(composite), first(first), rows(rows) {}

  void propagate(Value input, Value output);
  void backprop(BackpropOp whole);

private:
  /// Returns these rows of `matrix`; null for null.
  Value getRows(Value matrix);
  Value allocate(int64_t columns, bool zeroed);
  SmallVector<Value> getOutputs(Value output);
  Value addPropagate(size_t part, Value input, Value output, bool keepsMemo,
                     bool adds);
  void addStoreStats(ComponentOpInterface part, Value input, Value output,
                     Value memo);
  void addBackprop(size_t part, Value input, Value output, Value deriv,
                   Value inDeriv, Value memo, bool updates);

  OpBuilder builder;
  Operation *op;
  SymbolRefAttr name;
  IntegerAttr draw;
  const Composite &composite;
  int64_t first, rows;
};
} // namespace

int64_t Composite::getRowsAtOnce(int64_t rows, bool isBackward,
                                 bool updates) const {
  const int64_t most = cast<CompositeOp>(op).getMaxRowsProcess();
  const bool ofBatches = llvm::any_of(parts, [&](ComponentOpInterface part) {
    return has(part, P::UsesMemo) ||
           (updates && getPreconditioning(part) != Preconditioning::None) ||
           (isBackward && isa<StatisticsKernelInterface>(part.getOperation()));
  });
  return ofBatches && most > 0 ? std::min(rows, most) : rows;
}

/// Returns the symbol of a part of the component `whole`.
static SymbolRefAttr getPartName(SymbolRefAttr whole,
                                 ComponentOpInterface part) {
  auto nested = llvm::to_vector(whole.getNestedReferences());
  nested.push_back(FlatSymbolRefAttr::get(SymbolTable::getSymbolName(part)));
  return SymbolRefAttr::get(whole.getRootReference(), nested);
}

/// Whether `part` may overwrite its input, the output of the part `before`.
static bool isInPlace(ComponentOpInterface part, ComponentOpInterface before) {
  return Composite::has(part, P::PropagateInPlace) &&
         !Composite::has(before, P::OutputContiguous);
}

Value Expansion::getRows(Value matrix) {
  if (!matrix || (first == 0 && rows == numRows(matrix)))
    return matrix;
  MatrixWindow window = MatrixWindow::get(matrix);
  return SubMatrixOp::create(builder, op->getLoc(), window.matrix,
                             window.row + first, rows, window.col,
                             numCols(matrix));
}

Value Expansion::allocate(int64_t columns, bool zeroed) {
  auto type = MemRefType::get({rows, columns}, builder.getF32Type());
  if (zeroed)
    return AllocMatrixZeroedOp::create(builder, op->getLoc(), type);
  return AllocMatrixUndefinedOp::create(builder, op->getLoc(), type);
}

/// Returns the output matrix of each part: `output` for the last one, the next
/// part's output if that runs in place, else a new matrix.
SmallVector<Value> Expansion::getOutputs(Value output) {
  ArrayRef<ComponentOpInterface> parts = composite.parts;
  SmallVector<Value> outputs(parts.size(), output);
  for (size_t i = parts.size() - 1; i-- > 0;) {
    ComponentOpInterface part = parts[i];
    outputs[i] = isInPlace(parts[i + 1], part)
                     ? outputs[i + 1]
                     : allocate(part.getComponentOutputDim(), /*zeroed=*/false);
  }
  return outputs;
}

/// Returns the memo if it is kept. Zero-fills the output if the part adds to
/// it, unless the composite itself adds.
Value Expansion::addPropagate(size_t part, Value input, Value output,
                              bool keepsMemo, bool adds) {
  Location loc = op->getLoc();
  if (Composite::has(composite.parts[part], P::PropagateAdds) && !adds)
    SetConstOp::create(builder, loc, output, builder.getF32FloatAttr(0));
  keepsMemo &= Composite::has(composite.parts[part], P::UsesMemo);
  auto propagate = PropagateOp::create(
      builder, loc, keepsMemo ? MemoType::get(op->getContext()) : Type(),
      getPartName(name, composite.parts[part]), input, output,
      /*precomputed=*/DictionaryAttr(), draw);
  return propagate.getMemo();
}

void Expansion::propagate(Value whole, Value wholeOutput) {
  Value first = getRows(whole), last = getRows(wholeOutput);
  SmallVector<Value> outputs = getOutputs(last);
  Value input = first;
  for (auto [part, output] : llvm::enumerate(outputs)) {
    addPropagate(part, input, output, /*keepsMemo=*/false,
                 composite.has(P::PropagateAdds) && output == last);
    if (input != first && input != output)
      DeallocMatrixOp::create(builder, op->getLoc(), input);
    input = output;
  }
}

/// A composite component keeps the statistics of its parts in its backward
/// pass.
void Expansion::addStoreStats(ComponentOpInterface part, Value input,
                              Value output, Value memo) {
  if (!Composite::has(part, P::StoresStats))
    return;
  StoreStatsOp::create(builder, op->getLoc(), getPartName(name, part), input,
                       output, memo, draw);
}

/// Creates the backprop of a part unless neither its input derivative nor its
/// gradient is needed.
void Expansion::addBackprop(size_t part, Value input, Value output, Value deriv,
                            Value inDeriv, Value memo, bool updates) {
  ComponentOpInterface component = composite.parts[part];
  if (!inDeriv && !(updates && Composite::has(component, P::Updatable)))
    return;
  auto valueIf = [&](P property, Value value) {
    return Composite::has(component, property) ? value : Value();
  };
  BackpropOp::create(builder, op->getLoc(), getPartName(name, component),
                     valueIf(P::BackpropNeedsInput, input),
                     valueIf(P::BackpropNeedsOutput, output), deriv, inDeriv,
                     memo, /*precomputed=*/DictionaryAttr(), updates, draw);
}

/// Recomputes the values between the parts, and those of the last part only if
/// it has a memo.
void Expansion::backprop(BackpropOp whole) {
  ArrayRef<ComponentOpInterface> parts = composite.parts;
  SmallVector<Value> values = {getRows(whole.getInputValue())}, memos;
  SmallVector<Value> owned;
  auto own = [&](int64_t columns, bool zeroed) {
    return owned.emplace_back(allocate(columns, zeroed));
  };
  for (auto [i, attr] : llvm::enumerate(parts)) {
    ComponentOpInterface part = attr;
    const bool isLast = i + 1 == parts.size();
    if (isLast && !Composite::has(part, P::UsesMemo)) {
      memos.push_back(Value());
    } else {
      Value value = own(part.getComponentOutputDim(), /*zeroed=*/false);
      memos.push_back(addPropagate(i, values.back(), value, /*keepsMemo=*/true,
                                   /*adds=*/false));
      values.push_back(value);
    }
  }
  values.resize(parts.size());
  values.push_back(getRows(whole.getOutputValue()));
  Value deriv = getRows(whole.getOutputDeriv());
  for (size_t i = parts.size(); i-- > 0;) {
    ComponentOpInterface part = parts[i];
    Value inDeriv = i == 0 ? getRows(whole.getInputDeriv()) : Value();
    // Softmax keeps statistics of the derivative even if it is not needed.
    if (!inDeriv &&
        (i > 0 || isa<SoftmaxOp, LogSoftmaxOp>(part.getOperation())))
      inDeriv = own(part.getComponentInputDim(), /*zeroed=*/true);
    // Self-repair uses the statistics before this command adds to them.
    addBackprop(i, values[i], values[i + 1], deriv, inDeriv, memos[i],
                whole.getUpdate());
    if (whole.getUpdate() || !composite.has(P::Updatable))
      addStoreStats(part, values[i], values[i + 1], memos[i]);
    deriv = inDeriv;
  }
  for (Value matrix : owned)
    DeallocMatrixOp::create(builder, op->getLoc(), matrix);
}

template <typename OpTy>
static void expandRows(OpTy op, const Composite &composite, int64_t rows,
                       bool updates, function_ref<void(Expansion &)> expand) {
  const int64_t atOnce = composite.getRowsAtOnce(
      rows, /*isBackward=*/std::is_same_v<OpTy, BackpropOp>, updates);
  for (int64_t first = 0; first < rows; first += atOnce) {
    Expansion expansion(op, composite, first, std::min(atOnce, rows - first));
    expand(expansion);
  }
}

void ExpandComposites::expand(PropagateOp op, const Composite &composite) {
  expandRows(op, composite, numRows(op.getOutput()),
             /*updates=*/false, [&](Expansion &expansion) {
               expansion.propagate(op.getInput(), op.getOutput());
             });
  op.erase();
  ++numExpanded;
}

void ExpandComposites::expand(BackpropOp op, const Composite &composite) {
  expandRows(op, composite, numRows(op.getOutputDeriv()), op.getUpdate(),
             [&](Expansion &expansion) { expansion.backprop(op); });
  op.erase();
  ++numExpanded;
}

void ExpandComposites::runOnCommands() {
  ComponentTable components(getOperation());
  auto find = [&](SymbolRefAttr name) {
    return dyn_cast<CompositeOp>(components.find(name).getOperation());
  };
  for (Operation &command :
       llvm::make_early_inc_range(getOperation().getBody().getOps())) {
    if (auto op = dyn_cast<PropagateOp>(command)) {
      CompositeOp composite = find(op.getComponent());
      if (composite && !op.getMemo() && canExpand(Composite(composite)))
        expand(op, Composite(composite));
    } else if (auto op = dyn_cast<BackpropOp>(command); op && device) {
      if (CompositeOp composite = find(op.getComponent()))
        expand(op, Composite(composite));
    }
  }
}
