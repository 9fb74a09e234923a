//===- CreateView.h - Views of memory ---------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_DIALECT_KERNEL_IR_CREATEVIEW_H
#define NNET3_DIALECT_KERNEL_IR_CREATEVIEW_H

#include "mlir/IR/Builders.h"

namespace mlir::nnet3::kernel {

/// Creates a view of the one-dimensional `memory` that begins at element
/// `offset`.
Value createView(OpBuilder &builder, Location loc, Value memory, Value offset,
                 ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides);

} // namespace mlir::nnet3::kernel

#endif // NNET3_DIALECT_KERNEL_IR_CREATEVIEW_H
