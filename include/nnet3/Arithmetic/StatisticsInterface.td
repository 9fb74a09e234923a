//===- StatisticsInterface.td - Code of statistics ---------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interface through which code generation for devices emits the statistics
// of components. Component ops implement it by external models.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_ARITHMETIC_STATISTICSINTERFACE_TD
#define NNET3_ARITHMETIC_STATISTICSINTERFACE_TD

include "mlir/IR/OpBase.td"

def Nnet3_StatisticsKernelInterface : OpInterface<"StatisticsKernelInterface"> {
  let cppNamespace = "::mlir::nnet3";
  let description = [{
    A component that accumulates statistics over its inputs or outputs, in
    double precision. With self-repair it changes the derivative of its input in
    columns that are saturated according to the statistics. The statistics of a
    command are computed in grid-wide phases (StagedInterface.td) of their own.
  }];
  let methods = [
    InterfaceMethod<[{
        Number of values of each statistic, in the order of the runtime's
        component.
      }], "::llvm::SmallVector<int64_t>", "getStatisticSizes">,
    InterfaceMethod<"The grid-wide phases of `command.phase`, in their order.",
      "::llvm::SmallVector<::mlir::nnet3::KernelStage>", "getStatisticsStages",
      (ins "const ::mlir::nnet3::StagedCommand &":$command)>,
    InterfaceMethod<"Emits the code for one item of phase number `stage`.",
      "void", "emitStatisticsStage",
      (ins "::mlir::nnet3::StageEmission &":$emission,
           "const ::mlir::nnet3::StagedCommand &":$command,
           "unsigned":$stage, "::mlir::Value":$item)>,
    InterfaceMethod<"Size in floats of the scratch buffer.", "int64_t",
      "getStatisticsScratchSize",
      (ins "const ::mlir::nnet3::StagedCommand &":$command), "",
      [{ return 0; }]>,
    InterfaceMethod<"The tables of indexes that the code reads.",
      "::llvm::SmallVector<::llvm::SmallVector<int64_t>>",
      "getStatisticsTables",
      (ins "const ::mlir::nnet3::StagedCommand &":$command), "",
      [{ return ::llvm::SmallVector<::llvm::SmallVector<int64_t>>(); }]>,
    InterfaceMethod<[{
        Number of floats that these phases write and the component's backward
        pass reads (RowEmission::loadRepair).
      }], "int64_t", "getNumRepairs", (ins), "", [{ return 0; }]>,
  ];
}

#endif // NNET3_ARITHMETIC_STATISTICSINTERFACE_TD
