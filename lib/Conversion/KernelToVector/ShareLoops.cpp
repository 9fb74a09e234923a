//===- ShareLoops.cpp - Share a training step among threads ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each thread runs the functions of a step from the first call to the last, and
// its share of the iterations of each loop. The runtime functions that the code
// calls are in nnet3/runtime/CompiledStep.h.
//
//===----------------------------------------------------------------------===//

#include "nnet3/Conversion/KernelToVector/Passes.h"
#include "nnet3/Dialect/Kernel/IR/KernelDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"

namespace mlir::nnet3::kernel {
#define GEN_PASS_DEF_KERNELSHARELOOPS
#include "nnet3/Conversion/KernelToVector/Passes.h.inc"
} // namespace mlir::nnet3::kernel

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::kernel;

static constexpr StringRef kThread = "nnet3lib_thread";
static constexpr StringRef kNumThreads = "nnet3lib_num_threads";
static constexpr StringRef kBarrier = "nnet3lib_barrier";

namespace {

/// The number of the executing thread, and the number of threads.
struct Threads {
  Value number, count;
};

class LoopSharer {
public:
  explicit LoopSharer(ModuleOp module) : module(module), symbols(module) {}

  LogicalResult shareStep(func::FuncOp function);
  /// Erases kernels that nothing calls any more.
  void eraseUncalled();

private:
  /// Which threads run an operation of a step.
  enum class Runs { All, First };

  Runs shareOp(Operation &op, const Threads &threads);
  func::FuncOp getShared(func::FuncOp kernel);
  func::FuncOp createShared(func::FuncOp kernel);
  Value callRuntime(ImplicitLocOpBuilder &b, StringRef name, Value context,
                    TypeRange results);

  ModuleOp module;
  SymbolTable symbols;
  /// The copy of a kernel that all threads call; null for kernels that only the
  /// first thread calls.
  llvm::MapVector<Operation *, func::FuncOp> shared;
};

struct KernelShareLoops
    : public kernel::impl::KernelShareLoopsBase<KernelShareLoops> {
  void runOnOperation() override;
};

} // namespace

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

static bool canDivide(Operation &op) {
  auto loop = dyn_cast<scf::ParallelOp>(op);
  return loop && loop.getNumLoops() == 1 && loop.getNumResults() == 0;
}

/// Restricts the loop to the thread's share of the iterations.
static void divide(scf::ParallelOp loop, const Threads &threads) {
  ImplicitLocOpBuilder b(loop.getLoc(), loop);
  Value lower = loop.getLowerBound()[0], step = loop.getStep()[0];
  Value one = arith::ConstantIndexOp::create(b, 1);
  Value extent = b.createOrFold<arith::SubIOp>(loop.getUpperBound()[0], lower);
  Value rounds = b.createOrFold<arith::DivUIOp>(
      b.createOrFold<arith::AddIOp>(extent,
                                    b.createOrFold<arith::SubIOp>(step, one)),
      step);
  auto getBound = [&](Value number) {
    Value round = arith::DivUIOp::create(
        b, arith::MulIOp::create(b, number, rounds), threads.count);
    return b.createOrFold<arith::AddIOp>(
        lower, b.createOrFold<arith::MulIOp>(round, step));
  };
  Value begin = getBound(threads.number);
  Value end = getBound(arith::AddIOp::create(b, threads.number, one));
  loop.getLowerBoundMutable().assign(begin);
  loop.getUpperBoundMutable().assign(end);
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// Whether running `op` on every thread may store more than running it once.
static bool mayWrite(Operation &op) {
  auto effects = getEffectsRecursively(&op);
  return !effects || llvm::any_of(*effects, [](const auto &effect) {
    return !isa<MemoryEffects::Read, MemoryEffects::Allocate>(
        effect.getEffect());
  });
}

static Value findContext(func::FuncOp function) {
  for (Value argument : function.getArguments())
    if (isa<LLVM::LLVMPointerType>(argument.getType()))
      return argument;
  return {};
}

/// Whether `kernel` stores in parallel loops only.
static bool canShare(func::FuncOp kernel) {
  if (!kernel.isPrivate() || kernel.isExternal() ||
      !kernel.getBody().hasOneBlock() || !findContext(kernel) ||
      kernel.getNumResults() > 0)
    return false;
  bool hasLoop = false;
  for (Operation &op : kernel.getBody().front().without_terminator()) {
    hasLoop |= canDivide(op);
    if (!canDivide(op) && mayWrite(op))
      return false;
  }
  return hasLoop;
}

Value LoopSharer::callRuntime(ImplicitLocOpBuilder &b, StringRef name,
                              Value context, TypeRange results) {
  if (!symbols.lookup(name)) {
    OpBuilder outside(module.getBodyRegion());
    auto function = func::FuncOp::create(
        outside, module.getLoc(), name,
        outside.getFunctionType({context.getType()}, results));
    function.setPrivate();
    symbols.insert(function);
  }
  auto call = func::CallOp::create(b, name, results, ValueRange(context));
  return results.empty() ? Value() : call.getResult(0);
}

func::FuncOp LoopSharer::createShared(func::FuncOp kernel) {
  func::FuncOp copy = kernel.clone();
  copy.setSymName((kernel.getSymName() + "_shared").str());
  symbols.insert(copy, std::next(kernel->getIterator()));
  const unsigned numArguments = copy.getNumArguments();
  Type index = IndexType::get(copy.getContext());
  for (unsigned i : {0, 1})
    (void)copy.insertArgument(numArguments + i, index, {}, copy.getLoc());
  const Threads threads = {copy.getArgument(numArguments),
                           copy.getArgument(numArguments + 1)};
  bool isFirst = true;
  for (Operation &op : llvm::make_early_inc_range(copy.getBody().front())) {
    if (!canDivide(op))
      continue;
    // The loop may read values that an earlier loop stored.
    ImplicitLocOpBuilder b(op.getLoc(), &op);
    if (!isFirst)
      callRuntime(b, kBarrier, findContext(copy), {});
    isFirst = false;
    divide(cast<scf::ParallelOp>(op), threads);
  }
  return copy;
}

func::FuncOp LoopSharer::getShared(func::FuncOp kernel) {
  auto [known, isNew] = shared.try_emplace(kernel);
  if (isNew && canShare(kernel)) {
    func::FuncOp copy = createShared(kernel);
    shared[kernel] = copy;
    return copy;
  }
  return known->second;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

LoopSharer::Runs LoopSharer::shareOp(Operation &op, const Threads &threads) {
  if (canDivide(op)) {
    divide(cast<scf::ParallelOp>(op), threads);
    return Runs::All;
  }
  ImplicitLocOpBuilder b(op.getLoc(), &op);
  if (auto call = dyn_cast<func::CallOp>(op)) {
    auto kernel = symbols.lookup<func::FuncOp>(call.getCallee());
    if (func::FuncOp copy = kernel ? getShared(kernel) : func::FuncOp()) {
      SmallVector<Value> operands =
          llvm::to_vector_of<Value>(call.getOperands());
      operands.append({threads.number, threads.count});
      func::CallOp::create(b, copy, operands);
      call.erase();
      return Runs::All;
    }
  }
  Value isFirst =
      arith::CmpIOp::create(b, arith::CmpIPredicate::eq, threads.number,
                            arith::ConstantIndexOp::create(b, 0));
  auto guard = scf::IfOp::create(b, isFirst);
  op.moveBefore(guard.thenBlock()->getTerminator());
  return Runs::First;
}

LogicalResult LoopSharer::shareStep(func::FuncOp function) {
  Value context = findContext(function);
  if (!context || !function.getBody().hasOneBlock())
    return function.emitOpError(
        "expects one block and a context, because several threads run it");
  Block &body = function.getBody().front();
  SmallVector<Operation *> ops;
  for (Operation &op : body.without_terminator()) {
    if (isMemoryEffectFree(&op))
      continue;
    if (op.getNumResults() > 0)
      return op.emitOpError(
          "has results, but one of several threads runs it alone");
    ops.push_back(&op);
  }
  ImplicitLocOpBuilder b(function.getLoc(), function);
  b.setInsertionPointToStart(&body);
  Type index = b.getIndexType();
  const Threads threads = {callRuntime(b, kThread, context, index),
                           callRuntime(b, kNumThreads, context, index)};
  std::optional<Runs> last;
  for (Operation *op : ops) {
    // shareOp() may replace the operation, so its position is kept.
    Operation *before = op->getPrevNode();
    const Runs runs = shareOp(*op, threads);
    if (last && (*last == Runs::All || runs == Runs::All)) {
      b.setLoc(function.getLoc());
      b.setInsertionPointAfter(before);
      callRuntime(b, kBarrier, context, {});
    }
    last = runs;
  }
  return success();
}

void LoopSharer::eraseUncalled() {
  llvm::StringSet<> called;
  module.walk([&](func::CallOp call) { called.insert(call.getCallee()); });
  for (auto [kernel, copy] : shared)
    if (copy && !called.contains(SymbolTable::getSymbolName(kernel).getValue()))
      symbols.erase(kernel);
}

/// Returns the functions that the runtime calls, each once.
static SmallVector<func::FuncOp> findSteps(ModuleOp module) {
  llvm::SetVector<Operation *> steps;
  auto add = [&](FlatSymbolRefAttr name) {
    if (!name)
      return;
    auto function = module.lookupSymbol<func::FuncOp>(name.getValue());
    if (function && !function.isExternal())
      steps.insert(function);
  };
  for (auto entry : module.getOps<EntryOp>()) {
    if (auto list = entry.getSteps())
      for (auto step : list->getAsRange<StepAttr>())
        add(step.getFunction());
    else
      add(entry.getFunctionAttr());
  }
  return llvm::map_to_vector(
      steps, [](Operation *step) { return cast<func::FuncOp>(step); });
}

void KernelShareLoops::runOnOperation() {
  ModuleOp module = getOperation();
  auto target = module->getAttrOfType<TargetAttr>(kTargetAttr);
  if (!target || target.getThreads() == 1)
    return;
  LoopSharer sharer(module);
  for (func::FuncOp step : findSteps(module))
    if (failed(sharer.shareStep(step)))
      return signalPassFailure();
  sharer.eraseUncalled();
}
