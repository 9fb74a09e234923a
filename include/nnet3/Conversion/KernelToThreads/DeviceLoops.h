//===- DeviceLoops.h - Rows and columns as a device goes over them -*- C++ -*-//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels for devices have one loop around everything, whose points become
// blocks of threads, or warps, and in it loops over columns, which the threads
// of a block or a warp share. Both are parallel loops, so the same code runs on
// a CPU, too.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_CONVERSION_KERNELTOTHREADS_DEVICELOOPS_H
#define NNET3_CONVERSION_KERNELTOTHREADS_DEVICELOOPS_H

#include "nnet3/Conversion/KernelToVector/BuilderUtils.h"
#include "nnet3/Dialect/Kernel/IR/KernelDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::nnet3 {

/// Threads that run in step, and exchange values without memory.
inline constexpr int64_t kWarp = 32;

/// Columns, or groups of neighbouring ones, that one block of threads computes.
struct Stretch {
  Value begin, end;
};

/// Calls `body` for all rows and stretches of columns. There are as few
/// stretches as there can be, of the same length but for the last one.
void forEachStretch(ImplicitLocOpBuilder &b, int64_t rows, int64_t columns,
                    function_ref<void(Value row, const Stretch &)> body);

/// Notes in `function`, a kernel, how many threads a block has for `columns`
/// columns: the attribute `kernel.block`. With `form`, it only runs in that
/// form.
void setThreads(func::FuncOp function, int64_t columns,
                kernel::FormAttr form = {});
/// The same of a launch.
void setThreads(kernel::LaunchOp launch, int64_t columns);

/// Notes in `function` that each of its `points` is a warp.
void setWarps(func::FuncOp function, int64_t points);

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_KERNELTOTHREADS_DEVICELOOPS_H
