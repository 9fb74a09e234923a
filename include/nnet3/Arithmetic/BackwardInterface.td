//===- BackwardInterface.td - Backward passes as generated code -*- tablegen -*-//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What code generation asks of components that have a backward pass; attached
// to the component ops as external models.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_ARITHMETIC_BACKWARDINTERFACE_TD
#define NNET3_ARITHMETIC_BACKWARDINTERFACE_TD

include "mlir/IR/OpBase.td"

def Nnet3_BackwardKernelInterface : OpInterface<"BackwardKernelInterface"> {
  let cppNamespace = "::mlir::nnet3";
  let description = [{
    A component of which the derivative of an input row depends on the values
    and on the derivative of the output of that row alone, and the derivatives
    of parameters are sums over rows. Affine components have none of it: their
    backward pass is products and sums of columns (AffineKernelInterface).
  }];
  let methods = [
    InterfaceMethod<"Whether it has code as it is configured.", "bool",
      "hasBackwardKernel", (ins), "", [{ return true; }]>,
    InterfaceMethod<"How many of the kernel vectors the code reads.",
      "unsigned", "getNumBackwardVectors", (ins), "", [{ return 0; }]>,
    InterfaceMethod<[{
        Whether the input has a part in the output; otherwise its derivative is
        zero.
      }], "bool", "hasInputDerivative", (ins), "", [{ return true; }]>,
    InterfaceMethod<"Computes a row of the derivative of the input.", "void",
      "emitBackwardRow", (ins "::mlir::nnet3::BackwardEmission &":$row)>,
    InterfaceMethod<[{
        Names of the parameters' attributes that are sums. A name that is there
        several times has a row for each, of as many values as the sum has
        columns.
      }], "::llvm::SmallVector<::llvm::StringRef>", "getSums", (ins), "",
      [{ return ::llvm::SmallVector<::llvm::StringRef>(); }]>,
    InterfaceMethod<"Columns of sum number `sum`.", "int64_t",
      "getSumColumns", (ins "unsigned":$sum), "", [{ return 0; }]>,
    InterfaceMethod<[{
        How many blocks of columns of a row, one behind the other, are added to
        the columns of sum number `sum`.
      }], "int64_t", "getSumBlocks", (ins "unsigned":$sum), "",
      [{ return 1; }]>,
    InterfaceMethod<[{
        What a row adds to sum number `sum` in column `column`, which counts
        those of all blocks.
      }], "::mlir::Value", "emitSum",
      (ins "::mlir::nnet3::BackwardEmission &":$row, "unsigned":$sum,
           "::mlir::Value":$column), "", [{ return ::mlir::Value(); }]>,
  ];
}

#endif // NNET3_ARITHMETIC_BACKWARDINTERFACE_TD
