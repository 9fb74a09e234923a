//===- DeviceLoops.cpp - Rows and columns as a device goes over them ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Conversion/KernelToThreads/DeviceLoops.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::nnet3;

/// Most columns of a stretch, one for each thread: blocks of that size keep a
/// multiprocessor busy, and a chunk of few rows still has many of them.
static constexpr int64_t kMaxStretch = 256;
/// Most warps of a block, where each is on its own, and blocks that there are
/// to be before they have several: one for each multiprocessor.
static constexpr int64_t kMostWarps = 4;
static constexpr int64_t kFewestBlocks = 128;

/// Columns of all stretches but the last one, and threads of a block.
static int64_t getStretch(int64_t columns) {
  const int64_t stretches = llvm::divideCeil(columns, kMaxStretch);
  return llvm::alignTo(llvm::divideCeil(columns, stretches), kWarp);
}

void mlir::nnet3::forEachStretch(
    ImplicitLocOpBuilder &b, int64_t rows, int64_t columns,
    function_ref<void(Value row, const Stretch &)> body) {
  const int64_t length = getStretch(columns);
  const int64_t stretches = llvm::divideCeil(columns, length);
  Value zero = arith::ConstantIndexOp::create(b, 0),
        last = arith::ConstantIndexOp::create(b, columns);
  parallelFor(b, {zero, zero},
              {arith::ConstantIndexOp::create(b, rows),
               arith::ConstantIndexOp::create(b, stretches)},
              [&](ValueRange at) {
                if (stretches == 1)
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
                                           getStretch(columns), /*warps=*/false,
                                           form));
}

void mlir::nnet3::setThreads(kernel::LaunchOp launch, int64_t columns) {
  launch.setThreads(getStretch(columns));
}

void mlir::nnet3::setWarps(func::FuncOp function, int64_t points) {
  const int64_t warps =
      std::clamp<int64_t>(points / kFewestBlocks, 1, kMostWarps);
  function->setAttr(kernel::BlockAttr::name,
                    kernel::BlockAttr::get(function.getContext(), warps * kWarp,
                                           /*warps=*/true, /*form=*/{}));
}
