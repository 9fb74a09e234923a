//===- Passes.td - The target of a module ------------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_TARGET_CPU_PASSES_TD
#define NNET3_TARGET_CPU_PASSES_TD

include "mlir/Pass/PassBase.td"

def KernelSetTarget : Pass<"kernel-set-target", "::mlir::ModuleOp"> {
  let summary = "say what code is generated for";
  let description = [{
    Sets the module's attribute `kernel.target`, from which code generation
    takes all that it knows of the CPU: the one named by `cpu`, of the
    architecture and system `target` and with the other `features`, or one with
    the `instruction-sets`, which are names of the table in
    lib/Target/Cpu/InstructionSets.cpp.
  }];
  let options = [
    Option<"cpu", "cpu", "std::string", "\"native\"",
           "CPU by LLVM's name, or native">,
    ListOption<"instructionSets", "instruction-sets", "std::string",
               "instruction sets, one with vectors; instead of a CPU">,
    Option<"target", "target", "std::string", "\"\"",
           "triple of architecture and system; empty: this machine's">,
    Option<"features", "features", "std::string", "\"\"",
           "features beside the CPU's, with signs and commas, as LLVM names "
           "them">,
    Option<"panelColumns", "panel-columns", "int64_t", "0",
           "columns of each panel of weights; 0: as many as suit the CPU">,
    Option<"threads", "threads", "int64_t", "1",
           "threads that run training steps together">,
  ];
  let dependentDialects = ["::mlir::nnet3::kernel::KernelDialect"];
}

#endif // NNET3_TARGET_CPU_PASSES_TD
