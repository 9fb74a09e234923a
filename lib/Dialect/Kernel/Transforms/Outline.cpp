//===- Outline.cpp - Functions of kernel operations -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Dialect/Kernel/IR/KernelDialect.h"
#include "nnet3/Dialect/Kernel/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/Hashing.h"

namespace mlir::nnet3::kernel {
#define GEN_PASS_DEF_KERNELOUTLINE
#include "nnet3/Dialect/Kernel/Transforms/Passes.h.inc"
} // namespace mlir::nnet3::kernel

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::kernel;

namespace {

/// A function with one operation, and the arguments of its call.
class Outliner {
public:
  /// All functions get the arguments `shared`.
  Outliner(Operation *op, ValueRange shared);

  func::FuncOp getFunction() const { return function; }
  ArrayRef<Value> getArguments() const { return arguments; }

private:
  Value import(Value value);
  Value importView(memref::ReinterpretCastOp view);
  Value importView(memref::SubViewOp view);
  Value importRows(Operation *rows);
  Value addParameter(Value argument);

  OpBuilder outside, inside;
  func::FuncOp function;
  IRMapping mapping;
  SmallVector<Value> arguments;
};

struct KernelOutline : public kernel::impl::KernelOutlineBase<KernelOutline> {
  void runOnOperation() override;

private:
  func::FuncOp intern(func::FuncOp function, StringRef name);
  void outline(func::FuncOp function);

  SymbolTable *symbols;
  /// The existing functions by a hash of their operations.
  DenseMap<size_t, SmallVector<func::FuncOp, 1>> known;
  unsigned count = 0;
};

} // namespace

Outliner::Outliner(Operation *op, ValueRange shared)
    : outside(op), inside(op->getContext()),
      function(func::FuncOp::create(op->getLoc(), "kernel",
                                    outside.getFunctionType({}, {}))),
      arguments(shared.begin(), shared.end()) {
  function.setPrivate();
  inside.setInsertionPointToStart(&function.getBody().emplaceBlock());
  for (Value value : shared)
    mapping.map(
        value, function.getBody().addArgument(value.getType(), value.getLoc()));
  for (Value operand : op->getOperands())
    mapping.map(operand, import(operand));
  inside.clone(*op, mapping);
  func::ReturnOp::create(inside, op->getLoc());
  function.setFunctionType(
      inside.getFunctionType(function.getBody().getArgumentTypes(), {}));
}

Value Outliner::addParameter(Value argument) {
  arguments.push_back(argument);
  return function.getBody().addArgument(argument.getType(), argument.getLoc());
}

/// Passes the offset of a view as an argument, even if it is constant.
Value Outliner::importView(memref::ReinterpretCastOp view) {
  OpFoldResult offset = view.getMixedOffsets().front();
  Value outer = getValueOrCreateConstantIndexOp(outside, view.getLoc(), offset);
  auto type = cast<MemRefType>(view.getType());
  auto [strides, known] = type.getStridesAndOffset();
  auto layout =
      StridedLayoutAttr::get(type.getContext(), ShapedType::kDynamic, strides);
  return memref::ReinterpretCastOp::create(
      inside, view.getLoc(),
      MemRefType::get(type.getShape(), type.getElementType(), layout),
      import(view.getSource()), OpFoldResult(addParameter(outer)),
      view.getMixedSizes(), view.getMixedStrides());
}

Value Outliner::importView(memref::SubViewOp view) {
  return memref::SubViewOp::create(
      inside, view.getLoc(), import(view.getSource()), view.getMixedOffsets(),
      view.getMixedSizes(), view.getMixedStrides());
}

/// Clones other views; offsets among their operands become arguments.
Value Outliner::importRows(Operation *rows) {
  IRMapping operands;
  for (Value operand : rows->getOperands())
    operands.map(operand, operand.getType().isIndex() ? addParameter(operand)
                                                      : import(operand));
  return inside.clone(*rows, operands)->getResult(0);
}

Value Outliner::import(Value value) {
  if (Value known = mapping.lookupOrNull(value))
    return known;
  Value result;
  if (auto view = value.getDefiningOp<memref::ReinterpretCastOp>()) {
    result = importView(view);
  } else if (auto view = value.getDefiningOp<memref::SubViewOp>()) {
    result = importView(view);
  } else if (isa_and_nonnull<IndexedRowsOp, NarrowOp, RowRangesOp>(
                 value.getDefiningOp())) {
    result = importRows(value.getDefiningOp());
  } else {
    return addParameter(value);
  }
  mapping.map(value, result);
  return result;
}

/// Returns the values that every function gets: memory first, then all others.
static SmallVector<Value> getShared(func::FuncOp function) {
  SmallVector<Value> shared;
  auto isMemory = [](Value value) { return isa<MemRefType>(value.getType()); };
  llvm::copy_if(function.getArguments(), std::back_inserter(shared), isMemory);
  for (Value argument : function.getArguments())
    if (!isMemory(argument))
      shared.push_back(argument);
  return shared;
}

static size_t hash(func::FuncOp function) {
  llvm::hash_code code = llvm::hash_value(function.getNumArguments());
  for (Operation &op : function.getBody().front())
    code =
        llvm::hash_combine(code, OperationEquivalence::computeHash(
                                     &op, OperationEquivalence::ignoreHashValue,
                                     OperationEquivalence::ignoreHashValue,
                                     OperationEquivalence::IgnoreLocations));
  return code;
}

/// Returns an existing function that is equal to `function`, or `function`.
func::FuncOp KernelOutline::intern(func::FuncOp function, StringRef name) {
  auto &candidates = known[hash(function)];
  for (func::FuncOp candidate : candidates)
    if (OperationEquivalence::isRegionEquivalentTo(
            &candidate.getBody(), &function.getBody(),
            OperationEquivalence::IgnoreLocations)) {
      function.erase();
      return candidate;
    }
  function.setSymName((name + "_" + Twine(count++)).str());
  symbols->insert(function);
  candidates.push_back(function);
  return function;
}

void KernelOutline::outline(func::FuncOp function) {
  SmallVector<Value> shared = getShared(function);
  SmallVector<Operation *> ops;
  function.walk([&](Operation *op) {
    if (op->hasTrait<Outlined>())
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    Outliner outliner(op, shared);
    auto launch = dyn_cast<LaunchOp>(op);
    func::FuncOp callee =
        intern(outliner.getFunction(),
               launch ? launch.getKind() : op->getName().stripDialect());
    OpBuilder builder(op);
    func::CallOp::create(builder, op->getLoc(), callee,
                         outliner.getArguments());
    op->erase();
  }
  // The views have been cloned into the functions.
  IRRewriter rewriter(&getContext());
  (void)runRegionDCE(rewriter, function->getRegions());
}

void KernelOutline::runOnOperation() {
  SymbolTable table(getOperation());
  symbols = &table;
  known.clear();
  count = 0;
  for (auto function : llvm::to_vector(getOperation().getOps<func::FuncOp>()))
    if (!function.isExternal())
      outline(function);
}
