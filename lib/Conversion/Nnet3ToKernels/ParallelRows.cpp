//===- ParallelRows.cpp - Kernels whose rows threads share ----------------===//

#include "ParallelRows.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::nnet3;

static constexpr StringRef kParallelRows = "nnet3lib_parallel_rows";

ParallelRows::ParallelRows(ModuleOp module, TypeRange arguments,
                           int64_t maxPlaces) {
  OpBuilder builder(module.getBodyRegion());
  Type index = builder.getIndexType();
  places = MemRefType::get({maxPlaces}, index);
  SmallVector<Type> types = llvm::to_vector(arguments);
  types.append({places, index, index});
  rowsType = builder.getFunctionType(types, {});
  types.back() = rowsType;
  runtime = func::FuncOp::create(builder, module.getLoc(), kParallelRows,
                                 builder.getFunctionType(types, {}));
  runtime.setPrivate();
}

/// What computes the blocks of rows between its last two arguments.
func::FuncOp ParallelRows::createRows(const GemmKernel &kernel,
                                      const VectorTarget &target,
                                      func::FuncOp function) {
  OpBuilder builder(function);
  Location loc = function.getLoc();
  auto rows = func::FuncOp::create(
      builder, loc, (function.getSymName() + "_rows").str(), rowsType);
  rows.setPrivate();
  builder.setInsertionPointToStart(rows.addEntryBlock());
  auto given = rows.getArguments();
  SmallVector<Value> arguments(given.take_front(getFirstPlace()));
  for (unsigned i = 0; i < kernel.getNumPlaces(); ++i)
    arguments.push_back(memref::LoadOp::create(
        builder, loc, given[getFirstPlace()],
        ValueRange{arith::ConstantIndexOp::create(builder, loc, i)}));
  kernel.emitPart(builder, loc, target, arguments, given.drop_back().back(),
                  given.back());
  func::ReturnOp::create(builder, loc);
  return rows;
}

void ParallelRows::createCall(func::FuncOp function, func::FuncOp rows,
                              int64_t count) {
  OpBuilder builder(function.getContext());
  builder.setInsertionPointToStart(function.addEntryBlock());
  Location loc = function.getLoc();
  Value memory = memref::AllocaOp::create(builder, loc, places);
  auto given = function.getArguments();
  for (auto [i, place] : llvm::enumerate(given.drop_front(getFirstPlace())))
    memref::StoreOp::create(
        builder, loc, place, memory,
        ValueRange{arith::ConstantIndexOp::create(builder, loc, i)});
  SmallVector<Value> arguments(given.take_front(getFirstPlace()));
  arguments.push_back(memory);
  arguments.push_back(arith::ConstantIndexOp::create(builder, loc, count));
  arguments.push_back(
      func::ConstantOp::create(builder, loc, rowsType, rows.getSymName()));
  func::CallOp::create(builder, loc, runtime, arguments);
  func::ReturnOp::create(builder, loc);
}

void ParallelRows::emit(const GemmKernel &kernel, const VectorTarget &target,
                        func::FuncOp function) {
  func::FuncOp rows = createRows(kernel, target, function);
  createCall(function, rows, kernel.getNumWholeTiles());
}
