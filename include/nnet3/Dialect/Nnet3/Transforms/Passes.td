//===- Passes.td - Passes over networks and phases ---------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_DIALECT_NNET3_TRANSFORMS_PASSES_TD
#define NNET3_DIALECT_NNET3_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def Nnet3VerifyNetwork
    : Pass<"nnet3-verify-network", "::mlir::nnet3::NetworkOp"> {
  let summary = "check a network as a whole";
  let description = [{
    Checks conditions that the verifiers of single operations do not check,
    because a network that is being built or edited need not satisfy them:

    * there is at least one input node and one output node;
    * every descriptor has a normal form, in which a node has one scale within
      a part and no constant depends on what is computable;
    * there are no nodes that no output depends on, and no components that no
      node applies; these are warnings.
  }];
}

def Nnet3VerifyPhase : Pass<"nnet3-verify-phase", "::mlir::ModuleOp"> {
  let summary = "check that a module has only operations of one phase";
  let description = [{
    Phase `network` allows networks only; every other phase allows them, too.
    Phase `request` allows requests, phase `command` computations. The later
    phases allow requests and functions: functions of kernel operations in phase
    `kernel`, of loops and vectors in phase `loop`, of the LLVM dialect in phase
    `llvm`. Phase `device` allows GPU modules in the LLVM and NVVM dialects, and
    the functions that launch them. The last two phases also refuse types that
    the parser of the LLVM dialect accepts and LLVM does not have.
  }];
  let options = [
    Option<"phase", "phase", "::mlir::nnet3::Phase",
           "::mlir::nnet3::Phase::Network", "the phase that the module is in",
           [{::llvm::cl::values(
               clEnumValN(::mlir::nnet3::Phase::Network, "network",
                          "networks only"),
               clEnumValN(::mlir::nnet3::Phase::Request, "request",
                          "networks and requests"),
               clEnumValN(::mlir::nnet3::Phase::Command, "command",
                          "networks and computations"),
               clEnumValN(::mlir::nnet3::Phase::Kernel, "kernel",
                          "networks and functions of kernel operations"),
               clEnumValN(::mlir::nnet3::Phase::Loop, "loop",
                          "networks and functions of loops and vectors"),
               clEnumValN(::mlir::nnet3::Phase::LLVM, "llvm",
                          "networks and the LLVM dialect"),
               clEnumValN(::mlir::nnet3::Phase::Device, "device",
                          "networks, GPU modules and functions that launch "
                          "them"))}]>,
  ];
}

def Nnet3SetTestMode
    : Pass<"nnet3-set-test-mode", "::mlir::nnet3::NetworkOp"> {
  let summary = "set components to test mode";
  let description = [{
    Sets the attribute `test_mode` of every component that has one: batch
    normalisation then uses its stored statistics, and dropout and SpecAugment
    become identities. Kaldi: `SetBatchnormTestMode` and `SetDropoutTestMode`.
  }];
}

def Nnet3RecordStage : Pass<"nnet3-record-stage", "::mlir::ModuleOp"> {
  let summary = "record the stage of compilation that a module has reached";
  let description = [{
    Sets the module's attributes `nnet3.stage` and `nnet3.target`, from which a
    later run of `nnet3-compile` continues. The pipelines `nnet3-native` and
    `nnet3-cuda` end with this pass.
  }];
  let options = [
    Option<"stage", "stage", "std::string", /*default=*/"",
           "network, commands, optimized, fused, kernels, loops or "
           "llvm-dialect">,
    Option<"target", "target", "std::string", /*default=*/"\"cpu\"",
           "cpu or cuda">,
  ];
}

#endif // NNET3_DIALECT_NNET3_TRANSFORMS_PASSES_TD
