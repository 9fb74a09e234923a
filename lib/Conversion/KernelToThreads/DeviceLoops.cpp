//===- DeviceLoops.cpp - Loops over rows and columns on a device ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Conversion/KernelToThreads/DeviceLoops.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::nnet3;

/// Largest slice of columns, one thread per column: blocks of that size keep a
/// multiprocessor busy, and a chunk of few rows still has many blocks.
static constexpr int64_t kMaxSlice = 256;
/// Maximum number of warps per block if warps are independent, and the number
/// of blocks (one per multiprocessor) from which on a block has several warps.
static constexpr int64_t kMostWarps = 4;
static constexpr int64_t kFewestBlocks = 128;

/// Columns of each slice but the last, and threads per block.
static int64_t getSlice(int64_t columns) {
  const int64_t slices = llvm::divideCeil(columns, kMaxSlice);
  return llvm::alignTo(llvm::divideCeil(columns, slices), kWarp);
}

void mlir::nnet3::forEachSlice(
    ImplicitLocOpBuilder &b, int64_t rows, int64_t columns,
    function_ref<void(Value row, const Slice &)> body) {
  const int64_t length = getSlice(columns);
  const int64_t slices = llvm::divideCeil(columns, length);
  Value zero = arith::ConstantIndexOp::create(b, 0),
        last = arith::ConstantIndexOp::create(b, columns);
  parallelFor(b, {zero, zero},
              {arith::ConstantIndexOp::create(b, rows),
               arith::ConstantIndexOp::create(b, slices)},
              [&](ValueRange at) {
                if (slices == 1)
                  return body(at[0], {zero, last});
                Value begin = mulIndex(b, at[1], length);
                Value end = addIndex(b, begin, length);
                body(at[0], {begin, columns % length
                                        ? arith::MinSIOp::create(b, end, last)
                                        : end});
              });
}

void mlir::nnet3::setThreads(func::FuncOp function, int64_t columns,
                             kernel::FormAttr form) {
  function->setAttr(kernel::BlockAttr::name,
                    kernel::BlockAttr::get(function.getContext(),
                                           getSlice(columns), /*warps=*/false,
                                           form));
}

void mlir::nnet3::setThreads(kernel::LaunchOp launch, int64_t columns) {
  launch.setThreads(getSlice(columns));
}

void mlir::nnet3::setWarps(func::FuncOp function, int64_t points) {
  const int64_t warps =
      std::clamp<int64_t>(points / kFewestBlocks, 1, kMostWarps);
  function->setAttr(kernel::BlockAttr::name,
                    kernel::BlockAttr::get(function.getContext(), warps * kWarp,
                                           /*warps=*/true, /*form=*/{}));
}
