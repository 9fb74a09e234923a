//===- ParallelRows.cpp - Matmuls whose rows threads share ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ParallelRows.h"
#include "Gemm/GemmEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::kernel;

static constexpr StringRef kParallelRows = "nnet3lib_parallel_rows";
/// The leading arguments that the runtime's function passes on: arena, weights,
/// row tables, context.
static constexpr unsigned kNumShared = 4;

namespace {
/// Creates both functions of one operation.
class ParallelRows {
public:
  ParallelRows(GemmOp op, TargetAttr target, RewriterBase &rewriter)
      : op(op), target(target), rewriter(rewriter),
        function(op->getParentOfType<func::FuncOp>()) {}

  LogicalResult lower();

private:
  LogicalResult checkFunction();
  FailureOr<func::FuncOp> createRows();
  void createCall(func::FuncOp rows);
  void declareRuntime();

  GemmOp op;
  TargetAttr target;
  RewriterBase &rewriter;
  func::FuncOp function;
  MemRefType offsets;    ///< memory for the index arguments of the function
  FunctionType rowsType; ///< shared, offsets, first and last tile
  int64_t numTiles = 0;
};
} // namespace

LogicalResult ParallelRows::checkFunction() {
  auto isView = [&](Operation &other) {
    return &other == op.getOperation() || isMemoryEffectFree(&other);
  };
  auto hasShared = [&] {
    TypeRange types = function.getArgumentTypes();
    return types.size() > kNumShared && isArena(types[0]) &&
           isArena(types[1]) && isTable(types[2]) &&
           isa<LLVM::LLVMPointerType>(types[3]) &&
           llvm::all_of(types.drop_front(kNumShared),
                        [](Type type) { return type.isIndex(); });
  };
  if (function && op->getParentOp() == function && hasShared() &&
      llvm::all_of(op->getBlock()->without_terminator(), isView))
    return success();
  return op.emitOpError("with 'parallel' expects a function of its own, as "
                        "kernel-outline makes");
}

/// Creates the function that computes the whole tiles between its last two
/// arguments.
FailureOr<func::FuncOp> ParallelRows::createRows() {
  ImplicitLocOpBuilder b(op.getLoc(), function);
  auto rows = func::FuncOp::create(b, (function.getSymName() + "_rows").str(),
                                   rowsType);
  rows.setPrivate();
  b.setInsertionPointToStart(rows.addEntryBlock());
  auto given = rows.getArguments();
  IRMapping mapping;
  mapping.map(function.getArguments().take_front(kNumShared),
              given.take_front(kNumShared));
  for (auto [i, argument] :
       llvm::enumerate(function.getArguments().drop_front(kNumShared)))
    mapping.map(argument, memref::LoadOp::create(
                              b, given[kNumShared],
                              Value(arith::ConstantIndexOp::create(b, i))));
  GemmOp copy;
  for (Operation &inner : op->getBlock()->without_terminator()) {
    Operation *cloned = b.clone(inner, mapping);
    if (&inner == op.getOperation())
      copy = cast<GemmOp>(cloned);
  }
  auto operands = GemmOperands::get(b, copy, target);
  if (failed(operands))
    return failure();
  createGemmEmitter(*operands, target, b)
      ->emitPart(given.drop_back().back(), given.back());
  numTiles = operands->shape.getNumWholeTiles();
  copy.erase();
  func::ReturnOp::create(b);
  (void)runRegionDCE(rewriter, rows->getRegions());
  return rows;
}

void ParallelRows::createCall(func::FuncOp rows) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  Value memory = memref::AllocaOp::create(b, offsets);
  auto given = function.getArguments();
  for (auto [i, offset] : llvm::enumerate(given.drop_front(kNumShared)))
    memref::StoreOp::create(b, offset, memory,
                            Value(arith::ConstantIndexOp::create(b, i)));
  SmallVector<Value> arguments(given.take_front(kNumShared));
  arguments.push_back(memory);
  arguments.push_back(arith::ConstantIndexOp::create(b, numTiles));
  arguments.push_back(func::ConstantOp::create(b, rowsType, rows.getSymName()));
  func::CallOp::create(b, kParallelRows, TypeRange(), arguments);
}

void ParallelRows::declareRuntime() {
  auto module = function->getParentOfType<ModuleOp>();
  if (module.lookupSymbol(kParallelRows))
    return;
  OpBuilder builder(module.getBodyRegion());
  SmallVector<Type> types = llvm::to_vector(rowsType.getInputs());
  types.back() = rowsType;
  func::FuncOp::create(builder, module.getLoc(), kParallelRows,
                       builder.getFunctionType(types, {}))
      .setPrivate();
}

/// Largest number of index arguments of the functions of the module: one memref
/// type serves all, since the runtime has one function.
static int64_t getMaxOffsets(ModuleOp module) {
  int64_t most = 0;
  for (auto function : module.getOps<func::FuncOp>())
    most = std::max<int64_t>(
        most, llvm::count_if(function.getArgumentTypes(),
                             [](Type type) { return type.isIndex(); }));
  return most;
}

LogicalResult ParallelRows::lower() {
  if (failed(checkFunction()))
    return failure();
  auto module = function->getParentOfType<ModuleOp>();
  if (auto runtime = module.lookupSymbol<func::FuncOp>(kParallelRows)) {
    rowsType = cast<FunctionType>(runtime.getArgumentTypes().back());
    offsets = cast<MemRefType>(rowsType.getInput(kNumShared));
  } else {
    Type indexType = rewriter.getIndexType();
    offsets = MemRefType::get({getMaxOffsets(module)}, indexType);
    SmallVector<Type> types =
        llvm::to_vector(function.getArgumentTypes().take_front(kNumShared));
    types.append({offsets, indexType, indexType});
    rowsType = rewriter.getFunctionType(types, {});
  }
  auto rows = createRows();
  if (failed(rows))
    return failure();
  declareRuntime();
  createCall(*rows);
  rewriter.eraseOp(op);
  return success();
}

LogicalResult kernel::lowerParallelGemm(GemmOp op, TargetAttr target,
                                        RewriterBase &rewriter) {
  return ParallelRows(op, target, rewriter).lower();
}
