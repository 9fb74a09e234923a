//===- BackwardInterface.td - Code of backward passes ------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interface through which code generation emits the backward passes of
// components. Component ops implement it by external models.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_ARITHMETIC_BACKWARDINTERFACE_TD
#define NNET3_ARITHMETIC_BACKWARDINTERFACE_TD

include "mlir/IR/OpBase.td"

def Nnet3_BackwardKernelInterface : OpInterface<"BackwardKernelInterface"> {
  let cppNamespace = "::mlir::nnet3";
  let description = [{
    A component whose derivative of an input row depends on some rows of the
    derivative of the output, of values, and of factors. The factors are
    computed first, from the values and the derivative of the output. The
    derivatives of parameters are sums over rows. Affine components do not have
    this interface: their backward pass consists of matmuls and column sums
    (AffineKernelInterface).

    With a FactorKernelInterface, a row of factors has three parts: the
    derivative of the output of the matmul, the input of the matmul in the
    forward pass, and space for the derivative of the latter, the matmul of the
    first part and the weights.
  }];
  let methods = [
    InterfaceMethod<"Whether the component, as configured, has code.", "bool",
      "hasBackwardKernel", (ins), "", [{ return true; }]>,
    InterfaceMethod<"Number of per-column constants that the code reads.",
      "unsigned", "getNumBackwardVectors", (ins), "", [{ return 0; }]>,
    InterfaceMethod<[{
        Whether the output depends on the input; otherwise the derivative of the
        input is zero.
      }], "bool", "hasInputDerivative", (ins), "", [{ return true; }]>,
    InterfaceMethod<"Number of independent parts of a row.",
      "int64_t", "getNumBackwardParts", (ins), "", [{ return 1; }]>,
    InterfaceMethod<"The lists of indexes that the code of a row reads.",
      "::llvm::SmallVector<::llvm::SmallVector<int64_t>>", "getBackwardIndexes",
      (ins), "",
      [{ return ::llvm::SmallVector<::llvm::SmallVector<int64_t>>(); }]>,
    InterfaceMethod<[{
        Returns one number for each of `rows` rows, which the code of the row
        reads (RowEmission::loadRowNumber), or an empty list.
      }], "::llvm::SmallVector<int64_t>", "getRowNumbers",
      (ins "::mlir::DictionaryAttr":$precomputed, "int64_t":$rows), "",
      [{ return ::llvm::SmallVector<int64_t>(); }]>,
    InterfaceMethod<"Number of columns of the factors; 0 for none.", "int64_t",
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
        the derivative of the input depends on: the row with the same number, or
        all rows whose range of input rows contains it.
      }], "::mlir::nnet3::RowReads", "getDerivativeReads", (ins), "",
      [{ return ::mlir::nnet3::RowReads::One; }]>,
    InterfaceMethod<"Computes a row of the derivative of the input.", "void",
      "emitBackwardRow", (ins "::mlir::nnet3::RowEmission &":$row)>,
    InterfaceMethod<[{
        Whether the derivative of the input is that of the output, so that a
        command in place has nothing to do.
      }], "bool", "isBackwardIdentity", (ins), "", [{ return false; }]>,
    InterfaceMethod<[{
        Whether the backward pass, with its statistics, reads only the signs of
        the output, and emitFromSign() computes the same as emitBackwardRow().
      }], "bool", "readsSigns", (ins), "", [{ return false; }]>,
    InterfaceMethod<[{
        Returns an element of the derivative of the input from the same element
        of the derivative of the output, and from `sign`: 1 if that of the
        output is positive, else 0.
      }], "::mlir::Value", "emitFromSign",
      (ins "::mlir::nnet3::ScalarArithmetic &":$arithmetic,
           "::mlir::Value":$sign, "::mlir::Value":$derivative), "",
      [{ return derivative; }]>,
    InterfaceMethod<[{
        Names of the parameters whose derivatives are sums over rows, one for
        each sum. A parameter with several rows, of getSumColumns() values each,
        is listed once for each row.
      }], "::llvm::SmallVector<::llvm::StringRef>", "getSums", (ins), "",
      [{ return ::llvm::SmallVector<::llvm::StringRef>(); }]>,
    InterfaceMethod<"Number of columns of a sum.", "int64_t", "getSumColumns",
      (ins), "", [{ return 0; }]>,
    InterfaceMethod<[{
        Number of consecutive blocks of columns of a row, all of which are added
        to the columns of the sums.
      }], "int64_t", "getSumBlocks", (ins), "", [{ return 1; }]>,
    InterfaceMethod<[{
        Returns the term of a row for each sum, in column `column` of all
        columns of all blocks.
      }], "::llvm::SmallVector<::mlir::Value>", "emitSums",
      (ins "::mlir::nnet3::RowEmission &":$row, "::mlir::Value":$column), "",
      [{ return ::llvm::SmallVector<::mlir::Value>(); }]>,
  ];
}

#endif // NNET3_ARITHMETIC_BACKWARDINTERFACE_TD
