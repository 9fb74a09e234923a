//===- KernelDialect.td - The kernel dialect ---------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_DIALECT_KERNEL_IR_KERNELDIALECT_TD
#define NNET3_DIALECT_KERNEL_IR_KERNELDIALECT_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"

def Kernel_Dialect : Dialect {
  let name = "kernel";
  let cppNamespace = "::mlir::nnet3::kernel";
  let summary = "structured operations on the rows of one arena";
  let description = [{
    Represents computations after the fusion of commands. All matrices of a
    computation are views of one arena, a `memref<Nxf32>`; packed weights are
    views of another one. An operation of this dialect specifies which rows are
    computed from which rows by which function, but no loops: each kind of
    target has its own lowering.

    Row tables are a `memref<Nxi32>`, an argument of the function. Their entries
    are in `kernel.resources`, with loops, so that their size does not depend on
    the number of sequences.

    A view with a constant stride is a strided memref
    (`memref.reinterpret_cast`, and `memref.subview` for a slice of columns). A
    view whose row offsets are listed in a table is a `!kernel.rows`.

    The pass `kernel-outline` moves each operation into a function whose
    arguments are the offsets of its views, so that operations that differ only
    in offsets share one function.
  }];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let dependentDialects = ["::mlir::memref::MemRefDialect",
                           "::mlir::nnet3::Nnet3Dialect"];
}

/// Operations that `kernel-outline` moves into functions.
def Kernel_Outlined : NativeOpTrait<"Outlined"> {
  let cppNamespace = "::mlir::nnet3::kernel";
}

class Kernel_Op<string mnemonic, list<Trait> traits = []>
    : Op<Kernel_Dialect, mnemonic, traits>;

#endif // NNET3_DIALECT_KERNEL_IR_KERNELDIALECT_TD
