//===- DeviceLoops.h - Loops over rows and columns on a device --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device kernels have one outermost loop, whose iterations become blocks of
// threads or warps, and loops over columns inside, whose iterations the threads
// of a block or a warp share. Both are parallel loops, so that the same code
// can also run on a CPU.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_CONVERSION_KERNELTOTHREADS_DEVICELOOPS_H
#define NNET3_CONVERSION_KERNELTOTHREADS_DEVICELOOPS_H

#include "nnet3/Conversion/KernelToVector/BuilderUtils.h"
#include "nnet3/Dialect/Kernel/IR/KernelDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::nnet3 {

/// Number of threads of a warp, which can exchange values by shuffles.
inline constexpr int64_t kWarp = 32;

/// A slice of columns, or of groups of columns, for one block of threads.
struct Slice {
  Value begin, end;
};

/// Emits a parallel loop with `body` over all rows and slices of columns. Uses
/// as few slices as possible, all of the same length except for the last one.
void forEachSlice(ImplicitLocOpBuilder &b, int64_t rows, int64_t columns,
                  function_ref<void(Value row, const Slice &)> body);

/// Sets the attribute `kernel.block` of the kernel `function` to the number of
/// threads of a block for `columns` columns, and to `form` (#kernel.block).
void setThreads(func::FuncOp function, int64_t columns,
                kernel::FormAttr form = {});
/// Sets `threads` of `launch` for `columns` columns.
void setThreads(kernel::LaunchOp launch, int64_t columns);

/// Sets the attribute `kernel.block` of the kernel `function` so that each of
/// the `points` iterations of its outermost loop is a warp.
void setWarps(func::FuncOp function, int64_t points);

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_KERNELTOTHREADS_DEVICELOOPS_H
