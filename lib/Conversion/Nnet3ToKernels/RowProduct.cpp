//===- RowProduct.cpp - The products of a single row ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each sum is a row of the weights, whose columns the threads of a warp read
// side by side, times the only row of the input. All that threads load is asked
// for before they wait for any of it.
//
//===----------------------------------------------------------------------===//

#include "EpilogueEmitter.h"
#include "nnet3/Conversion/KernelToThreads/DeviceLoops.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::nnet3;

/// So many elements of a row each thread of a warp multiplies at most: for
/// longer ones, a block shares them.
static constexpr int64_t kMostOfThread = 16;

/// The sum of the products of the elements of both.
static Value getDot(VectorEmitter &e, Value a, Value b) {
  OpBuilder &builder = e.getBuilder();
  auto vector = dyn_cast<VectorType>(a.getType());
  if (!vector)
    return arith::MulFOp::create(builder, e.getLoc(), a, b);
  Value sum;
  for (int64_t i = 0; i < vector.getNumElements(); ++i) {
    Value x = vector::ExtractOp::create(builder, e.getLoc(), a, i);
    Value y = vector::ExtractOp::create(builder, e.getLoc(), b, i);
    sum = sum ? math::FmaOp::create(builder, e.getLoc(), x, y, sum).getResult()
              : arith::MulFOp::create(builder, e.getLoc(), x, y).getResult();
  }
  return sum;
}

SmallVector<Value> EpilogueEmitter::multiply(unsigned product,
                                             ArrayRef<Value> columns) {
  SmallVector<Value> rows = llvm::map_to_vector(columns, [&](Value column) {
    return e.add(factors[2 * product], e.mul(column, kernel.weightsStride));
  });
  Value input = factors[2 * product + 1];
  return sumOverThreads(
      e, e.index(0), e.index(kernel.depths[product] / kernel.width),
      columns.size(), [&](Value k) {
        Value at = e.mul(k, kernel.width);
        Value x = e.load(kernel.width, arena, e.add(input, at));
        return llvm::map_to_vector(rows, [&](Value row) {
          return getDot(e, e.load(kernel.width, weights, e.add(row, at)), x);
        });
      });
}

/// The sums of all products, in some columns.
SmallVector<Value> EpilogueEmitter::multiply(ArrayRef<Value> columns) {
  SmallVector<Value> sums = multiply(0, columns);
  for (unsigned i = 1; i < kernel.depths.size(); ++i)
    for (auto [sum, more] : llvm::zip_equal(sums, multiply(i, columns)))
      sum = add(sum, more);
  return sums;
}

/// Lets all threads load, before the loops, what the one that goes on needs
/// from memory: nothing of that is written in between. What the thread itself
/// has stored is in registers (`RowSequence::known`), so no load of it is left.
static void hoistLoads(scf::ParallelOp last) {
  Block &block = *last->getBlock();
  Operation *first = *block.getOps<scf::ParallelOp>().begin();
  auto isThere = [&](Value value) {
    Operation *op = value.getDefiningOp();
    if (!op || op->getBlock() != &block)
      return value.getParentBlock() != last.getBody();
    return op->isBeforeInBlock(first);
  };
  for (Operation &op :
       llvm::make_early_inc_range(last.getBody()->without_terminator()))
    if ((isPure(&op) || isa<memref::LoadOp, vector::LoadOp>(op)) &&
        llvm::all_of(op.getOperands(), isThere))
      op.moveBefore(first);
}

void EpilogueEmitter::emitCells(int64_t cells, CellBody body) {
  Value zero = e.index(0);
  e.parallel(zero, e.index(cells), [&](ValueRange cell) {
    SmallVector<Value> columns;
    for (int64_t first = 0; first < kernel.columns; first += cells)
      columns.push_back(e.add(cell[0], first));
    SmallVector<Value> sums = multiply(columns);
    // One thread goes on.
    e.parallel(zero, e.index(1), [&](ValueRange) {
      SmallVector<Value> outputs;
      for (auto [column, sum] : llvm::zip_equal(columns, sums))
        outputs.push_back(emitEpilogue(zero, column, sum));
      body(cell[0], outputs);
    });
    hoistLoads(cast<scf::ParallelOp>(e.getBuilder().getBlock()->back()));
  });
}

void EpilogueKernel::setTeams(kernel::LaunchOp launch, int64_t points) const {
  const int64_t terms = *llvm::max_element(depths) / width;
  if (terms <= kMostOfThread * kWarp)
    setWarps(launch, points);
  else
    setThreads(launch, terms);
}
