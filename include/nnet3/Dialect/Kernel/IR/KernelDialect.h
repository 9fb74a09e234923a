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
/// Whether a view is the transpose of such a matrix, whose rows are apart.
bool isColumnMajorView(Type type);
/// The same of a one-dimensional memref.
bool isVectorView(Type type);
/// The same of a three-dimensional memref without gaps.
bool isPanelsView(Type type);
/// The same of any three-dimensional memref whose last stride is 1.
bool isRowGroupsView(Type type);
/// Whether `type` is like the view of a matrix, but of i8 or i16.
bool isNarrowView(Type type);
/// Whether `type` is a one-dimensional i32 memref of known shape and stride 1.
bool isIndexList(Type type);
/// The same of a two-dimensional memref with a stride from row to row.
bool isIndexMatrix(Type type);
/// Whether `type` is memory without an offset: a list of f32.
bool isArena(Type type);
/// The same of i32.
bool isTable(Type type);

/// Whether there may be so many rows or columns.
bool isDim(int64_t dim);

/// Name of the module's attribute that says what code is generated for.
constexpr StringLiteral kTargetAttr = "kernel.target";

/// The most threads of a target; as many as a library's instance has at most.
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

/// Rows and columns of a matrix, or of rows at the offsets of a table.
std::pair<int64_t, int64_t> getShape(Type rows);

} // namespace mlir::nnet3::kernel

#endif // NNET3_DIALECT_KERNEL_IR_KERNELDIALECT_H
