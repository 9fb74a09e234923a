//===- Passes.td - The target of a module ------------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_TARGET_CPU_PASSES_TD
#define NNET3_TARGET_CPU_PASSES_TD

include "mlir/Pass/PassBase.td"

def KernelSetTarget : Pass<"kernel-set-target", "::mlir::ModuleOp"> {
  let summary = "set the CPU that code is generated for";
  let description = [{
    Sets the module's attribute `kernel.target`, which describes the CPU to code
    generation. The CPU is `cpu` with the additional `features`, for the triple
    `target`. Instead of `cpu`, `instruction-sets` may list names of the table
    in lib/Target/Cpu/InstructionSets.cpp.
  }];
  let options = [
    Option<"cpu", "cpu", "std::string", "\"native\"",
           "LLVM's name of the CPU, or native">,
    ListOption<"instructionSets", "instruction-sets", "std::string",
               "instruction sets, one of them with vectors; replaces cpu">,
    Option<"target", "target", "std::string", "\"\"",
           "triple of architecture and system; empty: this machine's">,
    Option<"features", "features", "std::string", "\"\"",
           "additional features in LLVM's form, such as +name,-name">,
    Option<"panelColumns", "panel-columns", "int64_t", "0",
           "columns of each panel of weights; 0: chosen for the CPU">,
    Option<"threads", "threads", "int64_t", "1",
           "threads that run training steps together">,
  ];
  let dependentDialects = ["::mlir::nnet3::kernel::KernelDialect"];
}

#endif // NNET3_TARGET_CPU_PASSES_TD
