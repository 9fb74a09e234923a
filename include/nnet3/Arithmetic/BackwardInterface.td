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
    A component of which the derivative of an input row depends on some rows of
    the derivative of the output, of values, and of factors that are computed
    from these first; the derivatives of parameters are sums over rows. Affine
    components have none of it: their backward pass is products and sums of
    columns (AffineKernelInterface).

    With a FactorKernelInterface, the factors of a row are the derivative of the
    product, what the weights are multiplied with in the forward pass, and
    behind them, to be filled in, the product of the first with the weights.
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
    InterfaceMethod<"Parts of a row that do not depend on each other.",
      "int64_t", "getNumBackwardParts", (ins), "", [{ return 1; }]>,
    InterfaceMethod<"Lists of indexes that the code of a row reads.",
      "::llvm::SmallVector<::llvm::SmallVector<int64_t>>", "getBackwardIndexes",
      (ins), "",
      [{ return ::llvm::SmallVector<::llvm::SmallVector<int64_t>>(); }]>,
    InterfaceMethod<[{
        A number for each of `rows` rows that the code of that row reads; empty
        for none.
      }], "::llvm::SmallVector<int64_t>", "getRowNumbers",
      (ins "::mlir::DictionaryAttr":$precomputed, "int64_t":$rows), "",
      [{ return ::llvm::SmallVector<int64_t>(); }]>,
    InterfaceMethod<"Columns of the factors; 0 for none.", "int64_t",
      "getFactorColumns", (ins), "", [{ return 0; }]>,
    InterfaceMethod<"The rows of the input that a row of factors depends on.",
      "::mlir::nnet3::RowReads", "getFactorReads", (ins), "",
      [{ return ::mlir::nnet3::RowReads::One; }]>,
    InterfaceMethod<[{
        Computes a row of factors from a row of the output and its derivative.
      }], "void", "emitFactors", (ins "::mlir::nnet3::RowEmission &":$row), "",
      [{ return; }]>,
    InterfaceMethod<[{
        The rows of factors, and of the derivative of the output, that a row of
        the derivative of the input depends on: the one with the same number, or
        those whose own range has that row.
      }], "::mlir::nnet3::RowReads", "getDerivativeReads", (ins), "",
      [{ return ::mlir::nnet3::RowReads::One; }]>,
    InterfaceMethod<"Computes a row of the derivative of the input.", "void",
      "emitBackwardRow", (ins "::mlir::nnet3::RowEmission &":$row)>,
    InterfaceMethod<[{
        Names of the parameters' attributes that are sums. A name that is there
        several times has a row for each, of as many values as a sum has
        columns.
      }], "::llvm::SmallVector<::llvm::StringRef>", "getSums", (ins), "",
      [{ return ::llvm::SmallVector<::llvm::StringRef>(); }]>,
    InterfaceMethod<"Columns of each sum.", "int64_t", "getSumColumns", (ins),
      "", [{ return 0; }]>,
    InterfaceMethod<[{
        How many blocks of columns of a row, one behind the other, are added to
        the columns of the sums.
      }], "int64_t", "getSumBlocks", (ins), "", [{ return 1; }]>,
    InterfaceMethod<[{
        What a row adds to each sum in column `column`, which counts those of
        all blocks.
      }], "::llvm::SmallVector<::mlir::Value>", "emitSums",
      (ins "::mlir::nnet3::RowEmission &":$row, "::mlir::Value":$column), "",
      [{ return ::llvm::SmallVector<::mlir::Value>(); }]>,
  ];
}

#endif // NNET3_ARITHMETIC_BACKWARDINTERFACE_TD
