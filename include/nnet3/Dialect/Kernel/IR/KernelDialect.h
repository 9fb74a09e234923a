//===- KernelDialect.h - The kernel dialect ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_DIALECT_KERNEL_IR_KERNELDIALECT_H
#define NNET3_DIALECT_KERNEL_IR_KERNELDIALECT_H

#include "nnet3/Dialect/Kernel/IR/Precision.h"
#include "nnet3/Dialect/Nnet3/IR/Nnet3Dialect.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::nnet3::kernel {

/// Marks the operations that `kernel-outline` moves into functions.
template <typename ConcreteOp>
class Outlined : public OpTrait::TraitBase<ConcreteOp, Outlined> {};

/// Whether `type` is a two-dimensional f32 memref of known shape and strides
/// whose columns are adjacent. Its offset may be unknown.
bool isMatrixView(Type type);
/// Whether `type` is the transpose of such a matrix: the rows are adjacent, the
/// columns are not.
bool isColumnMajorView(Type type);
/// Whether `type` is a one-dimensional f32 memref of known shape and stride 1.
bool isVectorView(Type type);
/// Whether `type` is a contiguous three-dimensional f32 memref of known shape.
bool isPanelsView(Type type);
/// Whether `type` is a three-dimensional f32 memref of known shape and strides
/// whose last stride is 1.
bool isRowGroupsView(Type type);
/// Whether `type` is like isMatrixView(), but with elements of i8 or i16.
bool isNarrowView(Type type);
/// Whether `type` is a one-dimensional i32 memref of known shape and stride 1.
bool isIndexList(Type type);
/// Whether `type` is like isMatrixView(), but with elements of i32.
bool isIndexMatrix(Type type);
/// Whether `type` is a one-dimensional f32 memref of known shape without an
/// offset.
bool isArena(Type type);
/// Whether `type` is like isArena(), but with elements of i32.
bool isTable(Type type);

/// Whether `dim` is a valid number of rows or columns.
bool isDim(int64_t dim);

/// Name of the module's attribute that has the CPU to generate code for.
constexpr StringLiteral kTargetAttr = "kernel.target";

/// Maximum number of threads of a target, and of an instance of a library.
constexpr int64_t kMaxThreads = 256;

} // namespace mlir::nnet3::kernel

#include "nnet3/Dialect/Kernel/IR/KernelDialect.h.inc"

#define GET_TYPEDEF_CLASSES
#include "nnet3/Dialect/Kernel/IR/KernelTypes.h.inc"

#define GET_ATTRDEF_CLASSES
#include "nnet3/Dialect/Kernel/IR/KernelAttributes.h.inc"

#define GET_OP_CLASSES
#include "nnet3/Dialect/Kernel/IR/KernelOps.h.inc"

namespace mlir::nnet3::kernel {

/// Returns the number of rows and of columns of a matrix, a `!kernel.rows` or a
/// `!kernel.row_ranges`.
std::pair<int64_t, int64_t> getShape(Type rows);

} // namespace mlir::nnet3::kernel

#endif // NNET3_DIALECT_KERNEL_IR_KERNELDIALECT_H
