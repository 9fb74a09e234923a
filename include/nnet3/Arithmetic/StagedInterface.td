//===- StagedInterface.td - Components of several stages --*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What code generation for devices asks of components whose forward or backward
// pass does not go row by row; attached to the component ops as external models.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_ARITHMETIC_STAGEDINTERFACE_TD
#define NNET3_ARITHMETIC_STAGEDINTERFACE_TD

include "mlir/IR/OpBase.td"

def Nnet3_StagedKernelInterface : OpInterface<"StagedKernelInterface"> {
  let cppNamespace = "::mlir::nnet3";
  let description = [{
    A component that a device computes in stages, of which each may read all
    that the ones before have computed: statistics of a batch and then what they
    normalise, masks and then what they multiply, rows that read other rows.
    The stages of the forward pass may leave a memo for those of the backward
    pass.
  }];
  let methods = [
    InterfaceMethod<"Whether that pass takes stages, as it is configured.",
      "bool", "hasStages", (ins "bool":$isBackward)>,
    InterfaceMethod<"The stages of a command, the last one last.",
      "::llvm::SmallVector<::mlir::nnet3::KernelStage>", "getStages",
      (ins "const ::mlir::nnet3::StagedCommand &":$command)>,
    InterfaceMethod<"Creates the code of an item of stage number `stage`.",
      "void", "emitStage",
      (ins "::mlir::nnet3::StageEmission &":$emission,
           "const ::mlir::nnet3::StagedCommand &":$command,
           "unsigned":$stage, "::mlir::Value":$item)>,
    InterfaceMethod<"How many of the kernel vectors the code reads.",
      "unsigned", "getNumStageVectors", (ins), "", [{ return 0; }]>,
    InterfaceMethod<"Tables of indexes that the code reads.",
      "::llvm::SmallVector<::llvm::SmallVector<int64_t>>", "getTables",
      (ins "const ::mlir::nnet3::StagedCommand &":$command), "",
      [{ return ::llvm::SmallVector<::llvm::SmallVector<int64_t>>(); }]>,
    InterfaceMethod<"Floats that the forward pass leaves for the backward pass.",
      "int64_t", "getMemoSize",
      (ins "const ::mlir::nnet3::StagedCommand &":$command), "",
      [{ return 0; }]>,
    InterfaceMethod<"Floats that stages leave for later ones.", "int64_t",
      "getStageScratchSize",
      (ins "const ::mlir::nnet3::StagedCommand &":$command), "",
      [{ return 0; }]>,
    InterfaceMethod<"Whether the forward pass draws random numbers.", "bool",
      "drawsNumbers", (ins), "", [{ return false; }]>,
  ];
}

#endif // NNET3_ARITHMETIC_STAGEDINTERFACE_TD
