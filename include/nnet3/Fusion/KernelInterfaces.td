//===- KernelInterfaces.td - Components as generated code --*- tablegen -*-===//
//
// What code generation asks of components. They are attached to the component
// ops as external models (KernelModels.h): the dialect knows nothing of them.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_FUSION_KERNELINTERFACES_TD
#define NNET3_FUSION_KERNELINTERFACES_TD

include "mlir/IR/OpBase.td"

def Nnet3_AffineKernelInterface : OpInterface<"AffineKernelInterface"> {
  let cppNamespace = "::mlir::nnet3";
  let description = [{
    A component that multiplies rows with a matrix: Y = 1 b^T + sum_i X_i W_i^T,
    where W_i is block i of the columns of W.
  }];
  let methods = [
    InterfaceMethod<"Name of the attribute that holds W, output dim rows.",
      "::mlir::StringAttr", "getWeightsName">,
    InterfaceMethod<"Name of the attribute that holds b; null for no bias.",
      "::mlir::StringAttr", "getBiasName">,
    InterfaceMethod<"Number of columns of W.", "int64_t", "getWeightColumns">,
  ];
}

def Nnet3_ElementwiseKernelInterface
    : OpInterface<"ElementwiseKernelInterface"> {
  let cppNamespace = "::mlir::nnet3";
  let description = [{
    A component whose output element depends on the input element at the same
    place alone, and on vectors with one value per column.
  }];
  let methods = [
    InterfaceMethod<[{
        Whether it is one as it is configured; batch norm is in test mode only.
      }], "bool", "isElementwise", (ins), "", [{ return true; }]>,
    InterfaceMethod<[{
        The vectors, each with one value per column; for those that depend on
        parameters without values, fails.
      }], "::llvm::FailureOr<::llvm::SmallVector<::llvm::SmallVector<float>>>",
      "getKernelVectors", (ins), "",
      [{ return ::llvm::SmallVector<::llvm::SmallVector<float>>(); }]>,
    InterfaceMethod<[{ Number of vectors. }], "unsigned",
      "getNumKernelVectors", (ins), "", [{ return 0; }]>,
    InterfaceMethod<[{
        Computes the output from `x`, a vector or a number; `vectors` are the
        parts of the kernel vectors that belong to its columns.
      }], "::mlir::Value", "emitElementwise",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "::mlir::Value":$x, "::mlir::ValueRange":$vectors)>,
  ];
}

#endif // NNET3_FUSION_KERNELINTERFACES_TD
