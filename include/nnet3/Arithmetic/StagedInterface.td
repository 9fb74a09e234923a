//===- StagedInterface.td - Components with several phases -*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interface through which code generation emits components whose forward or
// backward pass needs several grid-wide phases. Component ops implement it by
// external models. The identifiers call a grid-wide phase a stage.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_ARITHMETIC_STAGEDINTERFACE_TD
#define NNET3_ARITHMETIC_STAGEDINTERFACE_TD

include "mlir/IR/OpBase.td"

def Nnet3_StagedKernelInterface : OpInterface<"StagedKernelInterface"> {
  let cppNamespace = "::mlir::nnet3";
  let description = [{
    A component that a device computes in several grid-wide phases, because a
    phase reads results of any thread of earlier phases: first the statistics of
    a batch, then the normalised rows; or first masks, then the masked rows. The
    phases of the forward pass may store a memo for those of the backward pass.
  }];
  let methods = [
    InterfaceMethod<"Whether the pass, as configured, needs grid-wide phases.",
      "bool", "hasStages", (ins "bool":$isBackward)>,
    InterfaceMethod<"The grid-wide phases of a command, in their order.",
      "::llvm::SmallVector<::mlir::nnet3::KernelStage>", "getStages",
      (ins "const ::mlir::nnet3::StagedCommand &":$command)>,
    InterfaceMethod<"Emits the code for one item of phase number `stage`.",
      "void", "emitStage",
      (ins "::mlir::nnet3::StageEmission &":$emission,
           "const ::mlir::nnet3::StagedCommand &":$command,
           "unsigned":$stage, "::mlir::Value":$item)>,
    InterfaceMethod<"Number of per-column constants that the code reads.",
      "unsigned", "getNumStageVectors", (ins), "", [{ return 0; }]>,
    InterfaceMethod<"The tables of indexes that the code reads.",
      "::llvm::SmallVector<::llvm::SmallVector<int64_t>>", "getTables",
      (ins "const ::mlir::nnet3::StagedCommand &":$command), "",
      [{ return ::llvm::SmallVector<::llvm::SmallVector<int64_t>>(); }]>,
    InterfaceMethod<"Size in floats of the memo for the backward pass.",
      "int64_t", "getMemoSize",
      (ins "const ::mlir::nnet3::StagedCommand &":$command), "",
      [{ return 0; }]>,
    InterfaceMethod<"Size in floats of the scratch buffer.", "int64_t",
      "getStageScratchSize",
      (ins "const ::mlir::nnet3::StagedCommand &":$command), "",
      [{ return 0; }]>,
    InterfaceMethod<"Whether the forward pass draws random numbers.", "bool",
      "drawsNumbers", (ins), "", [{ return false; }]>,
  ];
}

#endif // NNET3_ARITHMETIC_STAGEDINTERFACE_TD
