//===- SplitAtSteps.cpp - What the caller does between functions ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Dialect/Kernel/IR/KernelDialect.h"
#include "nnet3/Dialect/Kernel/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/RegionUtils.h"

namespace mlir::nnet3::kernel {
#define GEN_PASS_DEF_KERNELSPLITATSTEPS
#include "nnet3/Dialect/Kernel/Transforms/Passes.h.inc"
} // namespace mlir::nnet3::kernel

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::kernel;

namespace {
struct KernelSplitAtSteps
    : public kernel::impl::KernelSplitAtStepsBase<KernelSplitAtSteps> {
  void runOnOperation() override;

private:
  LogicalResult split(EntryOp entry, func::FuncOp function);
};
} // namespace

/// What the caller does in place of a call; null if it is one of code.
static Operation *findStep(func::CallOp call, SymbolTable &symbols) {
  auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
  if (!callee || callee.isExternal())
    return nullptr;
  for (Operation &op : callee.getBody().front())
    if (isa<ComputeObjectivesOp, PreconditionOp>(op))
      return &op;
  return nullptr;
}

/// The rows of a precondition are at the only place that its call passes on.
static FailureOr<StepAttr> getStep(func::CallOp call, Operation *op) {
  MLIRContext *context = op->getContext();
  auto precondition = dyn_cast<PreconditionOp>(op);
  if (!precondition)
    return StepAttr::get(context, {}, {}, 0, std::nullopt, false, 0, 0, 0, 0);
  std::optional<int64_t> place;
  for (Value operand : call.getOperands())
    if (operand.getType().isIndex())
      place = getConstantIntValue(operand);
  if (!place) {
    call.emitOpError("expects rows at a constant place");
    return failure();
  }
  MemRefType type = precondition.getRows().getType();
  auto [rows, columns] = getShape(type);
  std::optional<int64_t> part;
  if (auto number = precondition.getPart())
    part = *number;
  return StepAttr::get(context, {}, precondition.getComponentAttr(),
                       precondition.getNumber(), part,
                       precondition.getTwoSided(), *place, rows, columns,
                       type.getStridesAndOffset().first.front());
}

/// Moves what is before `end` to a function of its own, unless that is nothing.
static void moveToFunction(func::FuncOp function, Operation *end,
                           SmallVector<Attribute> &steps,
                           SymbolTable &symbols) {
  Block &body = function.getBody().front();
  if (llvm::all_of(llvm::make_range(body.begin(), Block::iterator(end)),
                   [](Operation &op) { return isa<arith::ConstantOp>(op); }))
    return;
  auto part = func::FuncOp::create(
      function.getLoc(),
      (function.getSymName() + "_part_" + Twine(steps.size())).str(),
      function.getFunctionType());
  Block *block = part.addEntryBlock();
  IRMapping mapping;
  mapping.map(body.getArguments(), block->getArguments());
  auto builder = OpBuilder::atBlockEnd(block);
  for (Operation &op : llvm::make_early_inc_range(
           llvm::make_range(body.begin(), Block::iterator(end)))) {
    builder.clone(op, mapping);
    // Constants may be needed behind.
    if (!isa<arith::ConstantOp>(op))
      op.erase();
  }
  func::ReturnOp::create(builder, function.getLoc());
  IRRewriter rewriter(function.getContext());
  (void)runRegionDCE(rewriter, part->getRegions());
  steps.push_back(StepAttr::get(function.getContext(),
                                FlatSymbolRefAttr::get(part), {}, 0,
                                std::nullopt, false, 0, 0, 0, 0));
  symbols.insert(part, function->getIterator());
}

LogicalResult KernelSplitAtSteps::split(EntryOp entry, func::FuncOp function) {
  SymbolTable symbols(getOperation());
  SmallVector<Attribute> steps;
  llvm::SetVector<Operation *> done;
  if (!function.getBody().hasOneBlock())
    return function.emitOpError("expects a body of one block");
  Block &body = function.getBody().front();
  for (auto call : llvm::make_early_inc_range(body.getOps<func::CallOp>())) {
    Operation *op = findStep(call, symbols);
    if (!op)
      continue;
    moveToFunction(function, call, steps, symbols);
    auto step = getStep(call, op);
    if (failed(step))
      return failure();
    steps.push_back(*step);
    done.insert(op->getParentOp());
    call.erase();
  }
  if (steps.empty())
    return success();
  moveToFunction(function, body.getTerminator(), steps, symbols);
  entry.setStepsAttr(ArrayAttr::get(&getContext(), steps));
  function.erase();
  for (Operation *callee : done)
    if (SymbolTable::symbolKnownUseEmpty(callee, getOperation()))
      callee->erase();
  return success();
}

void KernelSplitAtSteps::runOnOperation() {
  for (auto entry : getOperation().getOps<EntryOp>()) {
    auto function =
        getOperation().lookupSymbol<func::FuncOp>(entry.getFunction());
    if (function && !function.isExternal() && failed(split(entry, function)))
      return signalPassFailure();
  }
}
