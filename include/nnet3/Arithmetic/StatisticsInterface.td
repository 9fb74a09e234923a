//===- StatisticsInterface.td - Statistics as generated code -*- tablegen -*-//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What code generation for devices asks of components that keep statistics;
// attached to the component ops as external models.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_ARITHMETIC_STATISTICSINTERFACE_TD
#define NNET3_ARITHMETIC_STATISTICSINTERFACE_TD

include "mlir/IR/OpBase.td"

def Nnet3_StatisticsKernelInterface : OpInterface<"StatisticsKernelInterface"> {
  let cppNamespace = "::mlir::nnet3";
  let description = [{
    A component that keeps sums over what runs through it, as numbers in double
    precision, and may repair itself by them: change the derivative of its input
    where they say that a column is saturated. A command's statistics take
    stages (StagedInterface.td) beside those of the component's own passes.
  }];
  let methods = [
    InterfaceMethod<[{
        How many numbers each statistic has, in the order of the runtime's
        component.
      }], "::llvm::SmallVector<int64_t>", "getStatisticSizes">,
    InterfaceMethod<"The stages of `command.phase`, the last one last.",
      "::llvm::SmallVector<::mlir::nnet3::KernelStage>", "getStatisticsStages",
      (ins "const ::mlir::nnet3::StagedCommand &":$command)>,
    InterfaceMethod<"Creates the code of an item of stage number `stage`.",
      "void", "emitStatisticsStage",
      (ins "::mlir::nnet3::StageEmission &":$emission,
           "const ::mlir::nnet3::StagedCommand &":$command,
           "unsigned":$stage, "::mlir::Value":$item)>,
    InterfaceMethod<"Floats that stages leave for later ones.", "int64_t",
      "getStatisticsScratchSize",
      (ins "const ::mlir::nnet3::StagedCommand &":$command), "",
      [{ return 0; }]>,
    InterfaceMethod<"Tables of indexes that the code reads.",
      "::llvm::SmallVector<::llvm::SmallVector<int64_t>>",
      "getStatisticsTables",
      (ins "const ::mlir::nnet3::StagedCommand &":$command), "",
      [{ return ::llvm::SmallVector<::llvm::SmallVector<int64_t>>(); }]>,
    InterfaceMethod<[{
        Floats that the component's backward pass reads
        (RowEmission::loadRepair) and these stages write.
      }], "int64_t", "getNumRepairs", (ins), "", [{ return 0; }]>,
  ];
}

#endif // NNET3_ARITHMETIC_STATISTICSINTERFACE_TD
