//===- KernelOperations.cpp - Multiply-adds of matmuls --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KernelOperations.h"

#include "nnet3/Arithmetic/KernelInterfaces.h"
#include "nnet3/Compile/Passes.h"
#include "nnet3/Dialect/Nnet3/IR/FusedCommandOps.h"
#include "nnet3/Dialect/Nnet3/IR/MatrixLayout.h"
#include "nnet3/Fusion/Passes.h"
#include "nnet3/Pipelines/NativeCode.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace mlir::nnet3;

/// Runs `passes` on a new module with copies of the network and the request,
/// and returns the module.
static OwningOpRef<ModuleOp> run(NetworkOp network, RequestOp request,
                                 function_ref<void(PassManager &)> addPasses) {
  DialectRegistry registry;
  registerKernelModels(registry);
  request->getContext()->appendDialectRegistry(registry);
  OwningOpRef<ModuleOp> module = ModuleOp::create(request.getLoc());
  OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
  builder.clone(*network);
  builder.clone(*request);
  PassManager passes(module->getContext());
  addPasses(passes);
  if (failed(passes.run(*module))) {
    llvm::errs() << "does not compile\n";
    std::exit(1);
  }
  return module;
}

OwningOpRef<ModuleOp>(mlir::nnet3::benchmarks::fuse)(NetworkOp network,
                                                     RequestOp request) {
  return run(network, request, [&](PassManager &passes) {
    addNativePasses(passes, mlir::nnet3::Stage::Fused);
  });
}

OwningOpRef<ModuleOp>(mlir::nnet3::benchmarks::compileMatmuls)(
    NetworkOp network, RequestOp request) {
  return run(network, request, [](PassManager &passes) {
    passes.addPass(createNnet3Compile());
    OpPassManager &computations = passes.nest<ComputationOp>();
    computations.addPass(createNnet3FuseAffine());
    computations.addPass(createNnet3FuseSplice());
  });
}

/// Returns how many times the code of a module with one request runs.
static double countRuns(ModuleOp module) {
  for (auto request : module.getOps<RequestOp>())
    return double(request.getNumBlocks());
  return 1;
}

double(mlir::nnet3::benchmarks::countFusedMultiplyAdds)(ModuleOp module) {
  double products = 0;
  module.walk([&](FusedAffineOp op) {
    auto loop = dyn_cast<LoopOp>(op->getParentOp());
    const double rounds = loop ? double(loop.getCount()) : 1;
    for (Value input : op.getInputs())
      products += rounds * numRows(op.getOutput()) * numCols(op.getOutput()) *
                  numCols(input);
  });
  return products * countRuns(module);
}

namespace {

/// Interprets functions to count their multiply-adds. Evaluates only integers
/// that loop bounds may depend on.
class Counter {
public:
  explicit Counter(ModuleOp module) : symbols(module) {}

  double count(func::FuncOp function);

private:
  using Numbers = DenseMap<Value, int64_t>;
  double count(Block &block, Numbers &numbers);
  double count(scf::ForOp loop, Numbers &numbers);
  double count(Operation &op, Numbers &numbers);

  SymbolTable symbols;
  DenseMap<Operation *, double> functions;
};

} // namespace

/// Returns the value of `op` if the values of its operands are known.
static std::optional<int64_t> evaluate(Operation &op,
                                       const DenseMap<Value, int64_t> &known) {
  IntegerAttr constant;
  if (matchPattern(&op, m_Constant(&constant)))
    return constant.getInt();
  if (op.getNumOperands() != 2)
    return std::nullopt;
  auto a = known.find(op.getOperand(0)), b = known.find(op.getOperand(1));
  if (a == known.end() || b == known.end())
    return std::nullopt;
  if (isa<arith::AddIOp>(op))
    return a->second + b->second;
  if (isa<arith::MulIOp>(op))
    return a->second * b->second;
  if (isa<arith::MinSIOp, arith::MinUIOp>(op))
    return std::min(a->second, b->second);
  return std::nullopt;
}

double Counter::count(Operation &op, Numbers &numbers) {
  if (auto fma = dyn_cast<vector::FMAOp>(op))
    return cast<VectorType>(fma.getType()).getNumElements();
  if (auto call = dyn_cast<func::CallOp>(op))
    return count(symbols.lookup<func::FuncOp>(call.getCallee()));
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return count(loop, numbers);
  if (op.getNumResults() == 1)
    if (std::optional<int64_t> value = evaluate(op, numbers))
      numbers[op.getResult(0)] = *value;
  return 0;
}

double Counter::count(Block &block, Numbers &numbers) {
  double sum = 0;
  for (Operation &op : block)
    sum += count(op, numbers);
  return sum;
}

/// Executes each iteration of a loop nest: the bounds of inner loops may depend
/// on the induction variable.
double Counter::count(scf::ForOp loop, Numbers &numbers) {
  auto get = [&](Value value) { return numbers.lookup_or(value, -1); };
  const int64_t begin = get(loop.getLowerBound());
  const int64_t end = get(loop.getUpperBound()), step = get(loop.getStep());
  if (begin < 0 || end < 0 || step <= 0)
    return -1e30;
  bool hasLoops = loop.getBody()
                      ->walk([](scf::ForOp) { return WalkResult::interrupt(); })
                      .wasInterrupted();
  if (!hasLoops)
    return count(*loop.getBody(), numbers) *
           double(llvm::divideCeil(std::max<int64_t>(0, end - begin), step));
  double sum = 0;
  for (int64_t i = begin; i < end; i += step) {
    numbers[loop.getInductionVar()] = i;
    sum += count(*loop.getBody(), numbers);
  }
  return sum;
}

/// Counts matmuls only; their addresses do not matter, so each function is
/// counted once.
double Counter::count(func::FuncOp function) {
  auto [entry, isNew] = functions.try_emplace(function, 0);
  if (!isNew || function.isDeclaration() ||
      (function.isPrivate() && !function.getSymName().starts_with("gemm") &&
       !function.getSymName().starts_with("product")))
    return entry->second;
  Numbers numbers;
  const double sum = count(function.getBody().front(), numbers);
  return functions[function] = sum;
}

double(mlir::nnet3::benchmarks::countExecutedMultiplyAdds)(ModuleOp module) {
  Counter counter(module);
  double sum = 0;
  for (auto function : module.getOps<func::FuncOp>())
    if (function.isPublic())
      sum += counter.count(function);
  return sum * countRuns(module);
}
