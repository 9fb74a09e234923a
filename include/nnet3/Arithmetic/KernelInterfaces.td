//===- KernelInterfaces.td - Components as generated code --*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What code generation asks of components. They are attached to the component
// ops as external models (KernelModels.h): the dialect knows nothing of them.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_ARITHMETIC_KERNELINTERFACES_TD
#define NNET3_ARITHMETIC_KERNELINTERFACES_TD

include "mlir/IR/OpBase.td"

def Nnet3_AffineKernelInterface : OpInterface<"AffineKernelInterface"> {
  let cppNamespace = "::mlir::nnet3";
  let description = [{
    A component whose output is some blocks of columns, one behind the other, of
    which each is a sum of products with a matrix: Y = 1 b^T + sum_i X_i W_i^T,
    where X_i is some columns of rows of the input and W_i some columns of W.
    All blocks have the same W and b, or each its own.
  }];
  let methods = [
    InterfaceMethod<[{
        Whether that is all that the component computes. Otherwise W is what it
        multiplies something with (FactorKernelInterface).
      }], "bool", "isAffine", (ins), "",
      [{ return $_op.getAffineDim() != 0; }]>,
    InterfaceMethod<"Number of columns of W.", "int64_t", "getWeightColumns",
      (ins), "", [{ return $_op.getTensors().front().shape.back(); }]>,
    InterfaceMethod<"Number of blocks of the output.", "int64_t",
      "getNumBlocks", (ins), "",
      [{ return $_op.getComponentOutputDim() / $_op.getAffineDim(); }]>,
    InterfaceMethod<[{
        Whether each block has weights and biases of its own. The weights of
        the next block follow those of one, and so do its biases. As W they
        stand side by side, each as wide as a block of the input.
      }], "bool", "hasWeightsPerBlock", (ins), "", [{ return false; }]>,
    InterfaceMethod<"The products whose sum is block `block` of the output.",
      "::llvm::SmallVector<::mlir::nnet3::AffineTerm>", "getTerms",
      (ins "int64_t":$block)>,
    InterfaceMethod<[{
        Whether the output is one block and all products are with whole rows of
        the input, of which none is missing.
      }], "bool", "readsWholeRows", (ins), "", [{ return true; }]>,
  ];
  let extraClassDeclaration = [{
    /// Names of the attributes that hold W, the first parameter, and b, the
    /// second; null for no bias.
    ::mlir::StringAttr getWeightsName();
    ::mlir::StringAttr getBiasName();
    /// Whether the products of a block are few enough to be code.
    bool hasFewTerms();
    /// Number of rows of W, and of columns of a block.
    int64_t getWeightRows();
    /// Number of biases.
    int64_t getNumBiases();
    /// The first bias of the block whose weights have column `column` of W.
    int64_t getFirstBias(int64_t column);
    /// Where element (`row`, `column`) of W is in the tensor.
    int64_t getWeightPlace(int64_t row, int64_t column);
  }];
}

/// Vectors that the code of a component reads, kernel vectors.
class Nnet3_KernelVectorsInterface<string name> : OpInterface<name> {
  let cppNamespace = "::mlir::nnet3";
  list<InterfaceMethod> vectorMethods = [
    InterfaceMethod<"Number of kernel vectors.", "unsigned",
      "getNumKernelVectors", (ins), "", [{ return 0; }]>,
    InterfaceMethod<[{
        The vectors, each with one value per column; for those that depend on
        parameters without values, fails.
      }], "::llvm::FailureOr<::llvm::SmallVector<::llvm::SmallVector<float>>>",
      "getKernelVectors", (ins), "",
      [{ return ::llvm::SmallVector<::llvm::SmallVector<float>>(); }]>,
  ];
}

def Nnet3_ElementwiseKernelInterface
    : Nnet3_KernelVectorsInterface<"ElementwiseKernelInterface"> {
  let description = [{
    A component whose output element depends on the input element at the same
    place alone, and on vectors with one value per column.
  }];
  let methods = !listconcat(vectorMethods, [
    InterfaceMethod<[{
        Whether it is one as it is configured; batch norm is in test mode only.
      }], "bool", "isElementwise", (ins), "", [{ return true; }]>,
    InterfaceMethod<[{
        Whether the output is the input, as it is configured.
      }], "bool", "isIdentity", (ins), "", [{ return false; }]>,
    InterfaceMethod<[{
        Whether the kernel vectors are a scale and an offset: y = s x + b.
      }], "bool", "isScaleAndOffset", (ins), "", [{ return false; }]>,
    InterfaceMethod<[{
        Computes the output from `x`, a vector or a number; `vectors` are the
        parts of the kernel vectors that belong to its columns. The code is the
        same for all components of one kind.
      }], "::mlir::Value", "emitElementwise",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "::mlir::Value":$x, "::mlir::ValueRange":$vectors)>,
  ]);
}

def Nnet3_BlockKernelInterface
    : Nnet3_KernelVectorsInterface<"BlockKernelInterface"> {
  let description = [{
    A component whose input and output are blocks of equally many columns, one
    behind the other. Column c of all blocks of the output depends on column c
    of all blocks of the input, on kernel vectors, which are as wide as a block,
    and on numbers that stand behind the blocks of the input's row.
  }];
  let methods = !listconcat(vectorMethods, [
    InterfaceMethod<"Columns of a block.", "int64_t", "getBlockColumns">,
    InterfaceMethod<"Blocks of the input.", "unsigned", "getNumInputBlocks">,
    InterfaceMethod<"Blocks of the output.", "unsigned", "getNumOutputBlocks",
      (ins), "", [{ return 1; }]>,
    InterfaceMethod<"Numbers behind the blocks.", "unsigned", "getNumScalars",
      (ins), "", [{ return 0; }]>,
    InterfaceMethod<[{
        Computes some columns of the output's blocks from those of the input's,
        and from the numbers behind them, each in all elements of a vector.
      }], "::llvm::SmallVector<::mlir::Value>", "emitBlocks",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "::mlir::ValueRange":$inputs, "::mlir::ValueRange":$scalars,
           "::mlir::ValueRange":$vectors)>,
  ]);
}

def Nnet3_RowKernelInterface
    : Nnet3_KernelVectorsInterface<"RowKernelInterface"> {
  let description = [{
    A component of which one piece of code computes a row of the output. It may
    combine columns in its own way, and rows of the input as getRowReads says.
    Kernel vectors are as wide as the output.
  }];
  let methods = !listconcat(vectorMethods, [
    InterfaceMethod<[{
        Whether there is such code, as the component is configured, for devices
        or for CPUs. Where there is none for CPUs the runtime's kernels serve.
      }], "bool", "isRowKernel", (ins "bool":$device), "",
      [{ return device; }]>,
    InterfaceMethod<"The rows of the input that a row of the output depends on.",
      "::mlir::nnet3::RowReads", "getRowReads", (ins), "",
      [{ return ::mlir::nnet3::RowReads::One; }]>,
    InterfaceMethod<"How many rows RowReads::Shifted are.", "int64_t",
      "getNumShiftedRows", (ins), "", [{ return 1; }]>,
    InterfaceMethod<"Parts of a row that do not depend on each other.",
      "int64_t", "getNumParts", (ins), "", [{ return 1; }]>,
    InterfaceMethod<"Lists of indexes that the code reads.",
      "::llvm::SmallVector<::llvm::SmallVector<int64_t>>", "getKernelIndexes",
      (ins), "",
      [{ return ::llvm::SmallVector<::llvm::SmallVector<int64_t>>(); }]>,
    InterfaceMethod<"Computes a part of a row of the output.", "void",
      "emitRow", (ins "::mlir::nnet3::RowEmission &":$row)>,
  ]);
}

def Nnet3_FactorKernelInterface : OpInterface<"FactorKernelInterface"> {
  let cppNamespace = "::mlir::nnet3";
  let description = [{
    A component with a RowKernelInterface and an AffineKernelInterface that is
    not all of it: first a factor is computed from each row of the input, then
    the product of the factor with W^T becomes the first columns of the output,
    then emitRow makes the output of that and the input. Some have several
    factors, side by side, as are their products.
  }];
  let methods = [
    InterfaceMethod<"Number of factors of a row.", "int64_t", "getNumFactors",
      (ins), "", [{ return 1; }]>,
    InterfaceMethod<"Computes a row of the factors as the output.", "void",
      "emitFactor", (ins "::mlir::nnet3::RowEmission &":$row)>,
  ];
}

#endif // NNET3_ARITHMETIC_KERNELINTERFACES_TD
