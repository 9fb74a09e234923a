//===- SplitAtSteps.cpp - Split functions at caller steps -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Dialect/Kernel/IR/KernelDialect.h"
#include "nnet3/Dialect/Kernel/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"

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
  void eraseUncalled();

  /// Functions whose calls are steps of the caller.
  llvm::SetVector<Operation *> done;
};
} // namespace

/// Returns the operation that the caller executes in place of a call; null if
/// the callee is code.
static Operation *findStep(func::CallOp call, SymbolTable &symbols) {
  auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
  if (!callee || callee.isExternal())
    return nullptr;
  for (Operation &op : callee.getBody().front())
    if (isa<AllreduceOp, ComputeObjectivesOp, PreconditionOp,
            PreconditionProductOp, SumGradientOp>(op))
      return &op;
  return nullptr;
}

namespace {
/// Rows of the arena, of which each may have several groups of columns.
struct Rows {
  int64_t place, rows, columns, stride;
  int64_t groups = 1, distance = 0;
};
} // namespace

/// Returns the rows of a view in the callee of `call`, whose offset is a
/// constant operand of the call.
static FailureOr<Rows> getRows(func::CallOp call, Value view) {
  auto cast = view.getDefiningOp<memref::ReinterpretCastOp>();
  std::optional<int64_t> place;
  if (cast && cast.getOffsets().size() == 1)
    if (auto argument = dyn_cast<BlockArgument>(cast.getOffsets().front()))
      place = getConstantIntValue(call.getOperand(argument.getArgNumber()));
  if (!place) {
    call.emitOpError("expects rows at a constant offset");
    return failure();
  }
  auto type = llvm::cast<MemRefType>(view.getType());
  const SmallVector<int64_t> strides = type.getStridesAndOffset().first;
  if (type.getRank() == 1)
    return Rows{*place, 1, type.getDimSize(0), type.getDimSize(0)};
  Rows rows = {*place, type.getShape().front(), type.getShape().back(),
               strides.front()};
  if (type.getRank() == 3) {
    rows.groups = type.getDimSize(1);
    rows.distance = strides[1];
  }
  return rows;
}

template <typename OpT> static std::optional<int64_t> getPart(OpT op) {
  if (auto part = op.getPart())
    return *part;
  return std::nullopt;
}

static FailureOr<StepAttr> getStep(func::CallOp call, PreconditionOp op) {
  FailureOr<Rows> rows = getRows(call, op.getRows());
  if (failed(rows))
    return failure();
  return StepAttr::get(op.getContext(), {}, op.getComponentAttr(),
                       op.getNumber(), getPart(op), op.getTwoSided(),
                       rows->place, rows->rows, rows->columns, rows->stride, {},
                       /*allreduce=*/false, {});
}

static FailureOr<StepAttr> getStep(func::CallOp call, AllreduceOp op) {
  FailureOr<Rows> numbers = getRows(call, op.getNumbers());
  if (failed(numbers))
    return failure();
  return StepAttr::get(op.getContext(), {}, {}, 0, std::nullopt, false,
                       numbers->place, numbers->rows, numbers->columns,
                       numbers->stride, {}, /*allreduce=*/true, {});
}

static FailureOr<StepAttr> getStep(func::CallOp call, SumGradientOp op) {
  FailureOr<Rows> rows = getRows(call, op.getGradient());
  if (failed(rows))
    return failure();
  return StepAttr::get(op.getContext(), {}, op.getComponentAttr(), 0,
                       std::nullopt, false, rows->place, rows->rows,
                       rows->columns, rows->stride, {}, /*allreduce=*/false,
                       op.getParameterAttr());
}

static FailureOr<StepAttr> getStep(func::CallOp call,
                                   PreconditionProductOp op) {
  FailureOr<Rows> rows = getRows(call, op.getRows()),
                  others = getRows(call, op.getOthers()),
                  basis = getRows(call, op.getBasis()),
                  sums = getRows(call, op.getSums());
  if (failed(rows) || failed(others) || failed(basis) || failed(sums))
    return failure();
  MLIRContext *context = op.getContext();
  auto product = ProductAttr::get(context, others->place, others->columns,
                                  others->stride, basis->place, sums->place,
                                  basis->rows, rows->groups, rows->distance);
  return StepAttr::get(context, {}, op.getComponentAttr(), op.getNumber(),
                       getPart(op), /*two_sided=*/false, rows->place,
                       rows->rows, rows->columns, rows->stride, product,
                       /*allreduce=*/false, {});
}

/// Creates a step that runs a function, or, if `function` is null, one that
/// computes objectives.
static StepAttr getStep(MLIRContext *context, FlatSymbolRefAttr function) {
  return StepAttr::get(context, function, {}, 0, std::nullopt, false, 0, 0, 0,
                       0, {}, /*allreduce=*/false, {});
}

static FailureOr<StepAttr> getStep(func::CallOp call, Operation *op) {
  if (auto precondition = dyn_cast<PreconditionOp>(op))
    return getStep(call, precondition);
  if (auto product = dyn_cast<PreconditionProductOp>(op))
    return getStep(call, product);
  if (auto allreduce = dyn_cast<AllreduceOp>(op))
    return getStep(call, allreduce);
  if (auto sum = dyn_cast<SumGradientOp>(op))
    return getStep(call, sum);
  return getStep(op->getContext(), FlatSymbolRefAttr());
}

/// Moves operations and the constants that they use to a new function.
static func::FuncOp moveToFunction(func::FuncOp function, unsigned number,
                                   ArrayRef<Operation *> ops) {
  auto part = func::FuncOp::create(
      function.getLoc(),
      (function.getSymName() + "_part_" + Twine(number)).str(),
      function.getFunctionType());
  Block *block = part.addEntryBlock();
  IRMapping mapping;
  mapping.map(function.getArguments(), block->getArguments());
  auto builder = OpBuilder::atBlockEnd(block);
  for (Operation *op : ops) {
    op->walk([&](Operation *inside) {
      for (Value operand : inside->getOperands())
        if (auto constant = operand.getDefiningOp<arith::ConstantOp>();
            constant && !op->isAncestor(constant) && !mapping.contains(operand))
          builder.clone(*constant, mapping);
    });
    builder.clone(*op, mapping);
  }
  func::ReturnOp::create(builder, function.getLoc());
  for (Operation *op : llvm::reverse(ops))
    op->erase();
  return part;
}

/// Whether `op` is a loop without results and without steps of the caller.
static bool isLoopOfCode(Operation &op, SymbolTable &symbols) {
  return isa<scf::ForOp, scf::ParallelOp>(op) && op.getNumResults() == 0 &&
         !op.walk([&](func::CallOp call) {
              return findStep(call, symbols) ? WalkResult::interrupt()
                                             : WalkResult::advance();
            }).wasInterrupted();
}

LogicalResult KernelSplitAtSteps::split(EntryOp entry, func::FuncOp function) {
  if (!function.getBody().hasOneBlock())
    return function.emitOpError("expects a body of one block");
  SymbolTable symbols(getOperation());
  SmallVector<Attribute> steps;
  SmallVector<Operation *> ops;
  auto endPart = [&] {
    if (ops.empty())
      return;
    auto part = moveToFunction(function, steps.size(), ops);
    steps.push_back(getStep(&getContext(), FlatSymbolRefAttr::get(part)));
    symbols.insert(part, function->getIterator());
    ops.clear();
  };
  Block &body = function.getBody().front();
  auto calls = llvm::to_vector(body.getOps<func::CallOp>());
  if (llvm::none_of(calls, [&](func::CallOp call) {
        return findStep(call, symbols) != nullptr;
      }))
    return success();
  for (Operation &op : llvm::make_early_inc_range(body.without_terminator())) {
    if (isa<arith::ConstantOp>(op))
      continue;
    if (isLoopOfCode(op, symbols)) {
      ops.push_back(&op);
      continue;
    }
    auto call = dyn_cast<func::CallOp>(op);
    if (!call || call.getNumResults() > 0)
      return op.emitOpError("expects calls and loops without results between "
                            "the steps, and constants");
    Operation *found = findStep(call, symbols);
    if (!found) {
      ops.push_back(&op);
      continue;
    }
    auto step = getStep(call, found);
    if (failed(step))
      return failure();
    endPart();
    steps.push_back(*step);
    done.insert(found->getParentOp());
    call.erase();
  }
  endPart();
  entry.setStepsAttr(ArrayAttr::get(&getContext(), steps));
  function.erase();
  return success();
}

/// Erases the functions whose calls have become steps.
void KernelSplitAtSteps::eraseUncalled() {
  llvm::StringSet<> called;
  getOperation().walk(
      [&](func::CallOp call) { called.insert(call.getCallee()); });
  for (Operation *function : done)
    if (!called.contains(SymbolTable::getSymbolName(function).getValue()))
      function->erase();
  done.clear();
}

void KernelSplitAtSteps::runOnOperation() {
  for (auto entry : getOperation().getOps<EntryOp>()) {
    auto function =
        getOperation().lookupSymbol<func::FuncOp>(entry.getFunction());
    if (function && !function.isExternal() && failed(split(entry, function)))
      return signalPassFailure();
  }
  eraseUncalled();
}
