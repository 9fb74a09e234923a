//===- KernelTypes.td - Types of the kernel dialect --------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_DIALECT_KERNEL_IR_KERNELTYPES_TD
#define NNET3_DIALECT_KERNEL_IR_KERNELTYPES_TD

include "nnet3/Dialect/Kernel/IR/KernelDialect.td"
include "mlir/IR/CommonTypeConstraints.td"

def Kernel_RowsType : TypeDef<Kernel_Dialect, "Rows"> {
  let mnemonic = "rows";
  let summary = "rows at the offsets that a table lists";
  let description = [{
    A view of f32 rows; the shape is the number of rows and of columns. A table
    lists the offset of each row in the arena; a negative offset denotes an
    absent row.

    Example: `!kernel.rows<36x32>`.
  }];
  let parameters = (ins "int64_t":$numRows, "int64_t":$numColumns);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Kernel_RowRangesType : TypeDef<Kernel_Dialect, "RowRanges"> {
  let mnemonic = "row_ranges";
  let summary = "ranges of rows at the offsets that a table lists";
  let description = [{
    A view of ranges of f32 rows; the shape is the number of ranges and of
    columns. The rows of a range are `stride` floats apart. A table lists the
    offset of the first row of each range, and its number of rows.

    Example: `!kernel.row_ranges<36x32, stride = 32>`.
  }];
  let parameters = (ins "int64_t":$numRows, "int64_t":$numColumns,
                        "int64_t":$stride);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

/// A strided view of rows.
def Kernel_Matrix : Type<
    CPred<"::mlir::nnet3::kernel::isMatrixView($_self)">,
    "two-dimensional f32 memref of static shape with a stride from row to row",
    "::mlir::MemRefType">;

/// The transpose of such a view.
def Kernel_ColumnMajorMatrix : Type<
    CPred<"::mlir::nnet3::kernel::isColumnMajorView($_self)">,
    "two-dimensional f32 memref of static shape with a stride from column to "
    "column", "::mlir::MemRefType">;

/// A vector of values that all rows share, such as per-column constants.
def Kernel_Vector : Type<
    CPred<"::mlir::nnet3::kernel::isVectorView($_self)">,
    "one-dimensional f32 memref of static shape and stride 1",
    "::mlir::MemRefType">;

/// A view of i8 or i16, several of which share one f32 of the memory.
def Kernel_NarrowMatrix : Type<
    CPred<"::mlir::nnet3::kernel::isNarrowView($_self)">,
    "two-dimensional i8 or i16 memref of static shape with a stride from row to "
    "row", "::mlir::MemRefType">;

/// A list of indexes that all rows share.
def Kernel_IndexList : Type<
    CPred<"::mlir::nnet3::kernel::isIndexList($_self)">,
    "one-dimensional i32 memref of static shape and stride 1",
    "::mlir::MemRefType">;

/// One row of indexes for each row of the operation.
def Kernel_IndexMatrix : Type<
    CPred<"::mlir::nnet3::kernel::isIndexMatrix($_self)">,
    "two-dimensional i32 memref of static shape with a stride from row to row",
    "::mlir::MemRefType">;

/// A group of rows for each row of the operation.
def Kernel_RowGroups : Type<
    CPred<"::mlir::nnet3::kernel::isRowGroupsView($_self)">,
    "three-dimensional f32 memref of static shape whose last stride is 1",
    "::mlir::MemRefType">;

/// Weights packed in panels.
def Kernel_Panels : Type<
    CPred<"::mlir::nnet3::kernel::isPanelsView($_self)">,
    "three-dimensional f32 memref of static shape without gaps",
    "::mlir::MemRefType">;

def Kernel_Arena : Type<
    CPred<"::mlir::nnet3::kernel::isArena($_self)">,
    "one-dimensional f32 memref of static shape without an offset",
    "::mlir::MemRefType">;

def Kernel_Table : Type<
    CPred<"::mlir::nnet3::kernel::isTable($_self)">,
    "one-dimensional i32 memref of static shape without an offset",
    "::mlir::MemRefType">;

def Kernel_AnyRows : AnyTypeOf<[Kernel_Matrix, Kernel_RowsType]>;
def Kernel_GemmInput
    : AnyTypeOf<[Kernel_Matrix, Kernel_ColumnMajorMatrix, Kernel_RowsType]>;
def Kernel_MatrixOrGroups
    : AnyTypeOf<[Kernel_Matrix, Kernel_RowGroups], "", "::mlir::MemRefType">;
def Kernel_MatrixOrVector : AnyTypeOf<[Kernel_Matrix, Kernel_Vector]>;
def Kernel_MapInput
    : AnyTypeOf<[Kernel_Matrix, Kernel_RowsType, Kernel_Vector, Kernel_RowGroups,
                 Kernel_NarrowMatrix]>;
def Kernel_MapOutput
    : AnyTypeOf<[Kernel_Matrix, Kernel_RowsType, Kernel_NarrowMatrix]>;
def Kernel_LaunchOperand
    : AnyTypeOf<[Kernel_Arena, Kernel_Table, Index, Kernel_Matrix,
                 Kernel_Vector, Kernel_IndexList]>;
def Kernel_RowOperand
    : AnyTypeOf<[Kernel_Matrix, Kernel_RowGroups, Kernel_RowRangesType,
                 Kernel_Vector, Kernel_IndexList, Kernel_IndexMatrix]>;

#endif // NNET3_DIALECT_KERNEL_IR_KERNELTYPES_TD
