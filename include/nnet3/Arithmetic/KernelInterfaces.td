//===- KernelInterfaces.td - Components as generated code --*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interfaces through which code generation emits the forward passes of
// components. Component ops implement them by external models (KernelModels.h),
// so the dialect does not depend on them.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_ARITHMETIC_KERNELINTERFACES_TD
#define NNET3_ARITHMETIC_KERNELINTERFACES_TD

include "mlir/IR/OpBase.td"

def Nnet3_AffineKernelInterface : OpInterface<"AffineKernelInterface"> {
  let cppNamespace = "::mlir::nnet3";
  let description = [{
    A component whose output consists of blocks of columns, each of which is a
    sum of matmuls: Y = 1 b^T + sum_i X_i W_i^T, where X_i is a slice of columns
    of rows of the input and W_i a slice of columns of W. Either all blocks
    share W and b, or each block has its own.
  }];
  let methods = [
    InterfaceMethod<[{
        Whether the component computes nothing else. Otherwise W are the weights
        of the matmul of a FactorKernelInterface.
      }], "bool", "isAffine", (ins), "",
      [{ return $_op.getAffineDim() != 0; }]>,
    InterfaceMethod<"Number of columns of W.", "int64_t", "getWeightColumns",
      (ins), "", [{ return $_op.getTensors().front().shape.back(); }]>,
    InterfaceMethod<"Number of blocks of the output.", "int64_t",
      "getNumBlocks", (ins), "",
      [{ return $_op.getComponentOutputDim() / $_op.getAffineDim(); }]>,
    InterfaceMethod<[{
        Whether each block has its own weights and biases. The parameters store
        those of one block after the other. In W, the weights of the blocks are
        side by side, each as wide as a block of the input.
      }], "bool", "hasWeightsPerBlock", (ins), "", [{ return false; }]>,
    InterfaceMethod<"The matmuls whose sum is block `block` of the output.",
      "::llvm::SmallVector<::mlir::nnet3::AffineTerm>", "getTerms",
      (ins "int64_t":$block)>,
    InterfaceMethod<[{
        Whether the output is one block, all matmuls read whole rows of the
        input, and none of these rows is missing.
      }], "bool", "readsWholeRows", (ins), "", [{ return true; }]>,
  ];
  let extraClassDeclaration = [{
    /// Names of the attributes that hold W, the first parameter, and b, the
    /// second; null for no bias.
    ::mlir::StringAttr getWeightsName();
    ::mlir::StringAttr getBiasName();
    /// Whether a block has few enough terms to become a `fused_affine`.
    bool hasFewTerms();
    /// Number of rows of W, and of columns of a block.
    int64_t getWeightRows();
    /// Number of biases.
    int64_t getNumBiases();
    /// Number of the first bias of the block that column `column` of W
    /// belongs to.
    int64_t getFirstBias(int64_t column);
    /// Position of element (`row`, `column`) of W in the parameter's tensor.
    int64_t getWeightPlace(int64_t row, int64_t column);
  }];
}

/// An interface of components whose code reads per-column constants.
class Nnet3_ColumnConstantsInterface<string name> : OpInterface<name> {
  let cppNamespace = "::mlir::nnet3";
  list<InterfaceMethod> vectorMethods = [
    InterfaceMethod<"Number of vectors of per-column constants.", "unsigned",
      "getNumColumnConstants", (ins), "", [{ return 0; }]>,
    InterfaceMethod<[{
        Returns the per-column constants, vectors with one value per column;
        fails if they depend on parameters without values.
      }], "::llvm::FailureOr<::llvm::SmallVector<::llvm::SmallVector<float>>>",
      "getColumnConstants", (ins), "",
      [{ return ::llvm::SmallVector<::llvm::SmallVector<float>>(); }]>,
  ];
}

def Nnet3_ElementwiseKernelInterface
    : Nnet3_ColumnConstantsInterface<"ElementwiseKernelInterface"> {
  let description = [{
    A component whose output element depends only on the input element in the
    same row and column, and on per-column constants.
  }];
  let methods = !listconcat(vectorMethods, [
    InterfaceMethod<[{
        Whether the component, as configured, is elementwise; batch norm is so
        in test mode only.
      }], "bool", "isElementwise", (ins), "", [{ return true; }]>,
    InterfaceMethod<[{
        Whether the component, as configured, is the identity.
      }], "bool", "isIdentity", (ins), "", [{ return false; }]>,
    InterfaceMethod<[{
        Whether the component computes y = s x + b, where s and b are its
        per-column constants.
      }], "bool", "isScaleAndOffset", (ins), "", [{ return false; }]>,
    InterfaceMethod<[{
        Emits the code that computes the output from `x`, a scalar or a vector
        of consecutive columns; `vectors` are the per-column constants of these
        columns. The code is the same for all components of one kind.
      }], "::mlir::Value", "emitElementwise",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "::mlir::Value":$x, "::mlir::ValueRange":$vectors)>,
  ]);
}

def Nnet3_BlockKernelInterface
    : Nnet3_ColumnConstantsInterface<"BlockKernelInterface"> {
  let description = [{
    A component whose input and output consist of blocks of the same number of
    columns. Column c of the blocks of the output depends on column c of the
    blocks of the input, on per-column constants, which are as wide as a block,
    and on scalars that follow the blocks in a row of the input.
  }];
  let methods = !listconcat(vectorMethods, [
    InterfaceMethod<"Columns of a block.", "int64_t", "getBlockColumns">,
    InterfaceMethod<"Blocks of the input.", "unsigned", "getNumInputBlocks">,
    InterfaceMethod<"Blocks of the output.", "unsigned", "getNumOutputBlocks",
      (ins), "", [{ return 1; }]>,
    InterfaceMethod<"Scalars after the blocks.", "unsigned", "getNumScalars",
      (ins), "", [{ return 0; }]>,
    InterfaceMethod<[{
        Emits the code that computes one or several columns of each output block
        from the same columns of the input blocks, and from the scalars, each
        broadcast to the same type.
      }], "::llvm::SmallVector<::mlir::Value>", "emitBlocks",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "::mlir::ValueRange":$inputs, "::mlir::ValueRange":$scalars,
           "::mlir::ValueRange":$vectors)>,
  ]);
}

def Nnet3_RowKernelInterface
    : Nnet3_ColumnConstantsInterface<"RowKernelInterface"> {
  let description = [{
    A component whose code computes one row of the output. The code may combine
    columns in any way, and reads the rows of the input that getRowReads names.
    Per-column constants are as wide as the output.
  }];
  let methods = !listconcat(vectorMethods, [
    InterfaceMethod<[{
        Whether the component, as configured, has such code for devices or for
        CPUs. On CPUs, the runtime's kernels run components without code.
      }], "bool", "isRowKernel", (ins "bool":$device), "",
      [{ return device; }]>,
    InterfaceMethod<"The rows of the input that a row of the output depends on.",
      "::mlir::nnet3::RowReads", "getRowReads", (ins), "",
      [{ return ::mlir::nnet3::RowReads::One; }]>,
    InterfaceMethod<"Number of input rows with RowReads::Shifted.", "int64_t",
      "getNumShiftedRows", (ins), "", [{ return 1; }]>,
    InterfaceMethod<"Number of independent parts of a row.",
      "int64_t", "getNumParts", (ins), "", [{ return 1; }]>,
    InterfaceMethod<"The lists of indexes that the code reads.",
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
    A component with a RowKernelInterface and an AffineKernelInterface that
    computes a matmul between two elementwise parts: emitFactor computes a
    factor from each row of the input, the matmul of the factor and W^T is
    stored to the first columns of the output, and emitRow computes the output
    from these columns and the input. A row may have several factors side by
    side, whose matmuls are stored side by side.
  }];
  let methods = [
    InterfaceMethod<"Number of factors of a row.", "int64_t", "getNumFactors",
      (ins), "", [{ return 1; }]>,
    InterfaceMethod<"Computes a row of the factors as the output.", "void",
      "emitFactor", (ins "::mlir::nnet3::RowEmission &":$row)>,
  ];
}

#endif // NNET3_ARITHMETIC_KERNELINTERFACES_TD
